// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import RiffCore
internal import Synchronization

/// Settings in the app's UserDefaults, as texts, or in those of an app group that an extension shares.
public final class UserDefaultsStore: KeyValueStore {
    private let suite: String
    private let prefix: String
    /// The system's object locks for itself; the lock here makes a change and the list of names one step.
    private let lock = Mutex(())

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - suite: The app group, or a name of one's own for these settings; not the app's own bundle identifier.
    ///   - prefix: The beginning of the names that it sees: others of the suite are left alone.
    public init(suite: String, prefix: String = "riff.") {
        self.suite = suite
        self.prefix = prefix
    }

    /// The text under a name, or `nil` where there is none.
    ///
    /// - Throws: `CoreError` with `storeFailed`.
    public func value(for name: String) async throws -> String? {
        try lock.withLock { _ in try defaults().string(forKey: key(name)) }
    }

    /// Keeps a text under a name, or nothing with `nil`.
    ///
    /// - Throws: `CoreError` with `storeFailed`.
    public func set(_ value: String?, for name: String) async throws {
        try lock.withLock { _ in
            let defaults = try defaults()
            // Foundation on Linux keeps a text that differs from the new one in its spelling alone.
            if value == nil || defaults.string(forKey: key(name)) == value { defaults.removeObject(forKey: key(name)) }
            if let value { defaults.set(value, forKey: key(name)) }
        }
    }

    /// All names that have a text.
    ///
    /// - Throws: `CoreError` with `storeFailed`.
    public func names() async throws -> Set<String> {
        try lock.withLock { _ in
            let all = try defaults().dictionaryRepresentation()
            return Set(
                all.compactMap { key, value in
                    guard value is String, key.hasPrefix(keyPrefix) else { return nil }
                    return Self.name(String(key.dropFirst(keyPrefix.count)))
                }
            )
        }
    }

    private var keyPrefix: String { prefix + "s." }

    /// By bytes: spellings that Swift, and a property list, take for equal are different names here.
    private func key(_ name: String) -> String {
        keyPrefix
            + name.utf8.map { String($0, radix: 16).count == 1 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
            .joined()
    }

    private static func name(_ hex: String) -> String? {
        let digits = Array(hex.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[place...(place + 1)], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private func defaults() throws -> UserDefaults {
        guard let defaults = UserDefaults(suiteName: suite) else {
            throw CoreError(.storeFailed, "The settings of \(suite) cannot be opened.")
        }
        return defaults
    }
}
