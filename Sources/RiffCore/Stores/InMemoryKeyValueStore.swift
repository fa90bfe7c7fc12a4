// Riff
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Settings that are forgotten with the process: for tests and previews.
public final class InMemoryKeyValueStore: KeyValueStore {
    private let values: Mutex<[String: String]>

    /// A store with these settings in it.
    public init(_ values: [String: String] = [:]) { self.values = Mutex(values) }

    /// The text under a name, or `nil` where there is none.
    public func value(for name: String) async throws -> String? { values.withLock { $0[name] } }

    /// Keeps a text under a name, or nothing with `nil`.
    public func set(_ value: String?, for name: String) async throws { values.withLock { $0[name] = value } }

    /// All names that have a text.
    public func names() async throws -> Set<String> { values.withLock { Set($0.keys) } }
}
