// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffApple
import RiffCore
import RiffTesting
import Synchronization
import Testing

struct UserDefaultsStoreTests {
    /// A suite of its own, which is gone afterwards.
    private static func withSuite(_ body: (String) async throws -> Void) async throws {
        let suite = "riff.tests.\(UUID().uuidString)"
        defer { UserDefaults().removePersistentDomain(forName: suite) }
        try await body(suite)
    }

    @Test func `it keeps the rules of a store of settings`() async throws {
        let suites = Mutex<[String]>([])
        defer { for suite in suites.withLock({ $0 }) { UserDefaults().removePersistentDomain(forName: suite) } }
        try await KeyValueStoreConformance {
            let suite = "riff.tests.\(UUID().uuidString)"
            suites.withLock { $0.append(suite) }
            return UserDefaultsStore(suite: suite)
        }.runAll()
    }

    @Test func `spellings that Swift takes for equal are two names, and others' settings are not seen`() async throws {
        try await Self.withSuite { suite in
            let store = UserDefaultsStore(suite: suite)
            try await store.set("one", for: "caf\u{E9}")
            try await store.set("two", for: "cafe\u{301}")
            #expect(try await store.value(for: "caf\u{E9}") == "one")
            #expect(try await store.value(for: "cafe\u{301}") == "two")
            UserDefaults(suiteName: suite)?.set("other", forKey: "theirs")
            #expect(try await store.names().count == 1, "as a set of strings has them")
            try await store.set(nil, for: "caf\u{E9}")
            #expect(try await store.value(for: "cafe\u{301}") == "two")
        }
    }
}
