// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A text of an open set: the schema names some values, agents send others, and all of them survive.
public protocol ACPName: JSONConvertible, RawRepresentable<String>, ExpressibleByStringLiteral, CustomStringConvertible
{
    /// Any text.
    init(rawValue: String)
}

extension ACPName {
    /// Reads a text.
    public init(json: JSONValue) throws(CoreError) { self.init(rawValue: try String(json: json)) }
    /// The name as a JSON text.
    public var json: JSONValue { .string(rawValue) }
    /// A text written out in code.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
    /// The name's text.
    public var description: String { rawValue }
}

/// A whole number of an open set.
public protocol ACPNumber: JSONConvertible, RawRepresentable<Int>, CustomStringConvertible {
    /// Any number.
    init(rawValue: Int)
}

extension ACPNumber {
    /// Reads a whole number.
    public init(json: JSONValue) throws(CoreError) { self.init(rawValue: try Int(json: json)) }
    /// The number as a JSON number.
    public var json: JSONValue { .integer(Int64(rawValue)) }
    /// The number as text.
    public var description: String { String(rawValue) }
}
