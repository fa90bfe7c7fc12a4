// Riff
// SPDX-License-Identifier: Apache-2.0

extension JSONObject {
    /// Adds a member.
    public mutating func write(_ key: String, _ value: some JSONConvertible) { append(key, value.json) }

    /// Adds a member unless there is no value.
    public mutating func write(_ key: String, _ value: (some JSONConvertible)?) {
        if let value { append(key, value.json) }
    }

    /// Adds a member unless it is its default.
    public mutating func write<Value: JSONConvertible>(_ key: String, _ value: Value, default standard: Value) {
        if value != standard { append(key, value.json) }
    }

    /// Adds a member as a change says: not at all, as null, or with its value.
    public mutating func write<Value: JSONConvertible>(_ key: String, _ change: Patch<Value>) {
        switch change {
        case .keep: break
        case .clear: append(key, .null)
        case .set(let value): append(key, value.json)
        }
    }

    /// Adds the members of another object that are not here yet.
    public mutating func write(rest: JSONObject) {
        add(new: rest)
    }
}
