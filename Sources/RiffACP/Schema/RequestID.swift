// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension ACP {
    /// `RequestId` of the schema: what a response repeats, so that the asker finds its question.
    public enum RequestID: JSONConvertible {
        /// `null`.
        case null
        /// An id that is a number.
        case number(Int64)
        /// An id that is a text.
        case text(String)
        /// Any other id: against the protocol, but its sender gets it back.
        case other(JSONValue)

        /// Reads any value.
        public init(json: JSONValue) {
            switch json {
            case .null: self = .null
            case .integer(let number): self = .number(number)
            case .string(let text): self = .text(text)
            default: self = .other(json)
            }
        }

        /// The id as it was.
        public var json: JSONValue {
            switch self {
            case .null: .null
            case .number(let number): .integer(number)
            case .text(let text): .string(text)
            case .other(let value): value
            }
        }
    }
}
