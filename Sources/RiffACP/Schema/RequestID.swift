// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension ACP {
    /// `RequestId` of the schema: what a response repeats, so that the asker finds its question.
    public enum RequestID: JSONConvertible {
        /// `null`.
        case null
        /// A number.
        case number(Int64)
        /// A text.
        case text(String)
        /// Anything else: against the protocol, but whoever asked with it gets it back.
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
