// Riff
// SPDX-License-Identifier: Apache-2.0

/// The members of an object while a ``JSONRecord`` takes what it knows.
///
/// A member counts as taken when a property holds what it said, so that writing the property gives the same member
/// again. Everything else stays for ``takeRest()``, and with it survives: unknown names, nulls, defaults that were
/// written out, and values that were forgiven.
public struct JSONMembers {
    private let object: JSONObject
    private var taken: UInt64 = 0
    /// Places from 64 on: no record has so many members, but a peer may send them.
    private var takenBeyond: Set<Int> = []

    /// All members of an object.
    package init(_ object: JSONObject) { self.object = object }

    private func find(_ key: String) -> (place: Int, value: JSONValue)? {
        for place in object.indices where object[place].key.isSame(bytes: key) { return (place, object[place].value) }
        return nil
    }

    private mutating func take(_ place: Int) {
        if place < 64 { taken |= 1 << UInt64(place) } else { takenBeyond.insert(place) }
    }

    private func isTaken(_ place: Int) -> Bool {
        place < 64 ? taken & (1 << UInt64(place)) != 0 : takenBeyond.contains(place)
    }

    /// A member without taking it.
    package func peek(_ key: String) -> JSONValue? { find(key)?.value }

    /// Takes the members that were not taken.
    package mutating func takeRest() -> JSONObject {
        // Nearly always all of it was taken.
        let all: UInt64 = object.count >= 64 ? .max : (1 << UInt64(object.count)) - 1
        if object.count <= 64, taken & all == all { return JSONObject() }
        var rest = JSONObject()
        for place in object.indices where !isTaken(place) {
            rest.append(object[place].key, object[place].value)
            take(place)
        }
        return rest
    }

    // MARK: Members that must be right

    /// A member that must be there.
    package mutating func required<Value: JSONConvertible>(
        _ key: String,
        in range: ClosedRange<Int>? = nil
    ) throws(CoreError) -> Value {
        guard let (place, json) = find(key) else { throw CoreError(.unexpectedJSON, "\(key): is missing") }
        let value: Value = try read(json, key, range)
        take(place)
        return value
    }

    /// A member that may be absent or null, but not wrong.
    package mutating func optional<Value: JSONConvertible>(
        _ key: String,
        in range: ClosedRange<Int>? = nil
    ) throws(CoreError) -> Value? {
        guard let (place, json) = find(key), json != .null else { return nil }
        let value: Value = try read(json, key, range)
        take(place)
        return value
    }

    /// A member that may be absent, but not wrong; the default is then its value.
    package mutating func optional<Value: JSONConvertible>(_ key: String, default value: Value) throws(CoreError)
        -> Value
    {
        guard let (place, json) = find(key) else { return value }
        let read: Value = try read(json, key, nil)
        if read != value { take(place) }
        return read
    }

    private func read<Value: JSONConvertible>(
        _ json: JSONValue,
        _ key: String,
        _ range: ClosedRange<Int>?
    ) throws(CoreError) -> Value {
        if let range, let number = json.integer, !range.contains(Int(clamping: number)) {
            throw CoreError(.unexpectedJSON, "\(key): \(number) is not in \(range)")
        }
        do { return try Value(json: json) } catch { throw CoreError(.unexpectedJSON, "\(key): \(error.message)") }
    }

    // MARK: Members that are forgiven

    /// A member that counts as absent where it is wrong (`x-deserialize-default-on-error`).
    package mutating func lenient<Value: JSONConvertible>(_ key: String, in range: ClosedRange<Int>? = nil) -> Value? {
        // The schema's own rule: an error here is no error.
        guard let (place, json) = find(key), json != .null, let value: Value = try? read(json, key, range) else {
            return nil
        }
        take(place)
        return value
    }

    /// A member that counts as its default where it is absent or wrong.
    package mutating func lenient<Value: JSONConvertible>(_ key: String, default value: Value) -> Value {
        guard let (place, json) = find(key), let read = try? Value(json: json), read != value else { return value }
        take(place)
        return read
    }

    /// A list of those elements that can be read (`x-deserialize-skip-invalid-items`); `nil` where there is no list.
    package mutating func lenientList<Value: JSONConvertible>(_ key: String) -> [Value]? {
        guard let (place, json) = find(key), let elements = json.array else { return nil }
        take(place)
        return elements.compactMap { try? Value(json: $0) }
    }

    /// The same for a member that must be there; empty where it is something else than a list.
    package mutating func requiredList<Value: JSONConvertible>(_ key: String) throws(CoreError) -> [Value] {
        guard find(key) != nil else { throw CoreError(.unexpectedJSON, "\(key): is missing") }
        return lenientList(key) ?? []
    }

    /// The same, and the default where there is no list.
    package mutating func lenientList<Value: JSONConvertible>(_ key: String, default value: [Value]) -> [Value] {
        guard let (place, json) = find(key), let elements = json.array else { return value }
        let list = elements.compactMap { try? Value(json: $0) }
        if list != value { take(place) }
        return list
    }

    // MARK: Changes

    /// A member whose absence and whose null differ; one that is wrong counts as absent.
    package mutating func patch<Value: JSONConvertible>(_ key: String) -> Patch<Value> {
        guard let (place, json) = find(key) else { return .keep }
        guard json != .null else {
            take(place)
            return .clear
        }
        guard let value = try? Value(json: json) else { return .keep }
        take(place)
        return .set(value)
    }

    /// The same for a list of those elements that can be read.
    package mutating func patchList<Value: JSONConvertible>(_ key: String) -> Patch<[Value]> {
        guard let (place, json) = find(key) else { return .keep }
        guard json != .null else {
            take(place)
            return .clear
        }
        guard let elements = json.array else { return .keep }
        take(place)
        return .set(elements.compactMap { try? Value(json: $0) })
    }
}
