// Riff
// SPDX-License-Identifier: Apache-2.0

/// A type with a JSON form: how typed values of a wire protocol are read and written here.
public protocol JSONConvertible: Sendable, Hashable {
    /// Reads the value.
    ///
    /// - Throws: ``CoreError`` with `unexpectedJSON`, naming the member and what was found there.
    init(json: JSONValue) throws(CoreError)

    /// The value's JSON form.
    var json: JSONValue { get }
}

/// A JSON object with named members.
public protocol JSONRecord: JSONConvertible {
    /// Creates a record by taking its members out of an object; the members that it leaves belong to others.
    init(reading members: inout JSONMembers) throws(CoreError)

    /// Adds its members to an object.
    func write(into object: inout JSONObject)
}

extension JSONRecord {
    /// Reads an object.
    public init(json: JSONValue) throws(CoreError) {
        guard case .object(let object) = json else { throw .unexpected("an object", json) }
        var members = JSONMembers(object)
        try self.init(reading: &members)
    }

    /// The record as a JSON object.
    public var json: JSONValue {
        var object = JSONObject()
        write(into: &object)
        return .object(object)
    }
}

extension CoreError {
    /// A value is of another kind than the one that is read.
    package static func unexpected(_ expected: String, _ found: JSONValue) -> CoreError {
        CoreError(.unexpectedJSON, "\(expected) is expected, \(found.kind) was found")
    }
}

extension CoreErrorCode {
    /// JSON that is well formed is not what is expected in its place.
    public static let unexpectedJSON = CoreError.Code(rawValue: "unexpectedJSON")
}

// MARK: Values of the standard library

extension JSONValue: JSONConvertible {
    /// The value itself.
    public init(json: JSONValue) { self = json }
    /// The value itself.
    public var json: JSONValue { self }
}

extension JSONObject: JSONConvertible {
    /// The members of an object.
    public init(json: JSONValue) throws(CoreError) {
        guard case .object(let object) = json else { throw .unexpected("an object", json) }
        self = object
    }
    /// The object as a JSON value.
    public var json: JSONValue { .object(self) }
}

extension String: JSONConvertible {
    /// Creates a string from a JSON text.
    public init(json: JSONValue) throws(CoreError) {
        guard case .string(let text) = json else { throw .unexpected("a text", json) }
        self = text
    }
    /// The string as a JSON text.
    public var json: JSONValue { .string(self) }
}

extension Bool: JSONConvertible {
    /// A truth value.
    public init(json: JSONValue) throws(CoreError) {
        guard case .bool(let value) = json else { throw .unexpected("a truth value", json) }
        self = value
    }
    /// The truth value.
    public var json: JSONValue { .bool(self) }
}

extension Int: JSONConvertible {
    /// A whole number.
    public init(json: JSONValue) throws(CoreError) {
        guard let value = json.integer, let value = Int(exactly: value) else {
            throw .unexpected("a whole number", json)
        }
        self = value
    }
    /// The integer as a JSON number.
    public var json: JSONValue { .integer(Int64(self)) }
}

extension UInt64: JSONConvertible {
    /// A whole number that is not negative.
    public init(json: JSONValue) throws(CoreError) {
        if let value = json.integer, value >= 0 {
            self = UInt64(value)
        } else if case .numeral(let text) = json, let value = UInt64(text) {
            self = value
        } else {
            throw .unexpected("a whole number that is not negative", json)
        }
    }
    /// The integer as a JSON number.
    public var json: JSONValue { Int64(exactly: self).map { .integer($0) } ?? .numeral(String(self)) }
}

extension Double: JSONConvertible {
    /// Creates a number from a JSON number.
    public init(json: JSONValue) throws(CoreError) {
        guard let value = json.double else { throw .unexpected("a number", json) }
        self = value
    }
    /// The number, as a whole one where it is.
    public var json: JSONValue { Int64(exactly: self).map { .integer($0) } ?? .number(self) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    /// A list, each element of which can be read.
    public init(json: JSONValue) throws(CoreError) {
        guard case .array(let elements) = json else { throw .unexpected("a list", json) }
        self = []
        reserveCapacity(elements.count)
        for element in elements { append(try Element(json: element)) }
    }
    /// The array as a JSON list.
    public var json: JSONValue { .array(map(\.json)) }
}

extension Dictionary: JSONConvertible where Key == String, Value: JSONConvertible {
    /// An object, each member of which can be read.
    public init(json: JSONValue) throws(CoreError) {
        guard case .object(let object) = json else { throw .unexpected("an object", json) }
        self = [:]
        for member in object { self[member.key] = try Value(json: member.value) }
    }
    /// The object, by name.
    public var json: JSONValue { .object(JSONObject(sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })) }
}
