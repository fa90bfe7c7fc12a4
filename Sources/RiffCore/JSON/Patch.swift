// Riff
// SPDX-License-Identifier: Apache-2.0

/// The change that an update makes to one property: JSON's absent, null and value, told apart.
public enum Patch<Value: JSONConvertible>: Sendable, Hashable {
    /// The member is absent: the property stays as it is.
    case keep
    /// The member is null: the property goes back to nothing, or to its default.
    case clear
    /// The member has a value, which replaces the property's.
    case set(Value)

    /// The new value; `nil` where there is none.
    public var value: Value? { if case .set(let value) = self { value } else { nil } }

    /// Makes the change.
    public func apply(to property: inout Value?) {
        switch self {
        case .keep: break
        case .clear: property = nil
        case .set(let value): property = value
        }
    }
}
