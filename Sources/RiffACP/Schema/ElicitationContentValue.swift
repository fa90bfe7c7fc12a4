// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension ACP {
    /// `ElicitationContentValue` of the schema: what a person entered in one field of a form.
    public enum ElicitationContentValue: JSONConvertible {
        /// A text value.
        case string(String)
        /// A whole number.
        case integer(Int64)
        /// A number value.
        case number(Double)
        /// A truth value.
        case boolean(Bool)
        /// The chosen texts.
        case stringArray([String])

        /// Reads a value of one of the five kinds.
        public init(json: JSONValue) throws(CoreError) {
            switch json {
            case .string(let text): self = .string(text)
            case .integer(let value): self = .integer(value)
            case .number(let value): self = .number(value)
            case .bool(let value): self = .boolean(value)
            case .array: self = .stringArray(try [String](json: json))
            default: throw .unexpected("a text, a number, a truth value or a list of texts", json)
            }
        }

        /// The value as JSON.
        public var json: JSONValue {
            switch self {
            case .string(let text): .string(text)
            case .integer(let value): .integer(value)
            case .number(let value): .number(value)
            case .boolean(let value): .bool(value)
            case .stringArray(let texts): texts.json
            }
        }
    }

    /// The owner of a question to the person; its members are beside those of the form or of the address.
    public enum ElicitationScope: JSONRecord {
        /// A session, and perhaps one of its tool calls.
        case session(ElicitationSessionScope)
        /// A request outside of any session.
        case request(ElicitationRequestScope)

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            if members.peek("sessionId") != nil {
                self = .session(try ElicitationSessionScope(reading: &members))
            } else {
                self = .request(try ElicitationRequestScope(reading: &members))
            }
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            switch self {
            case .session(let scope): scope.write(into: &object)
            case .request(let scope): scope.write(into: &object)
            }
        }
    }
}
