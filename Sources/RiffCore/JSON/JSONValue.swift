// Riff
// SPDX-License-Identifier: Apache-2.0

/// Any JSON value, as a peer wrote it: the one model of JSON in this package.
///
/// Numbers keep their value exactly: ``integer(_:)`` where 64 bits hold it, ``number(_:)`` where a `Double` does, and
/// else ``numeral(_:)``. Two values are equal when they say the same, whatever the order of an object's members; `1`
/// and `1.0` are different values, as they are for readers that tell integers apart.
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number of 64 bits, written without fraction and exponent.
    case integer(Int64)
    /// Any other number that a `Double` holds exactly as it was written. Finite.
    case number(Double)
    /// A number that neither of the others holds, as the text that JSON's grammar allows.
    case numeral(String)
    /// A text value.
    case string(String)
    /// A list of values.
    case array([JSONValue])
    /// Members by name.
    case object(JSONObject)

    /// The text of a string; `nil` for every other kind.
    public var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The value of a whole number of 64 bits, however it was written (`3`, `3.0`); `nil` for everything else.
    public var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The value of a number, rounded to a `Double`; `nil` for everything else, and beyond the range of `Double`.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .numeral(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    /// The value of a truth value; `nil` for every other kind.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The elements of a list; `nil` for every other kind.
    public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// The members of an object; `nil` for every other kind.
    public var object: JSONObject? { if case .object(let members) = self { members } else { nil } }

    /// The member of an object; `nil` where there is none, and for every other kind.
    public subscript(_ key: String) -> JSONValue? { object?[key] }

    /// The kind of the value, in one word, for messages.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .integer, .number, .numeral: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

// MARK: Literals

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// Creates a text value from a literal.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a number from a literal.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a list from a literal.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Creates an object from a literal.
    public init(dictionaryLiteral members: (String, JSONValue)...) { self = .object(JSONObject(members)) }
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
}
