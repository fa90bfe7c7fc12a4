// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample:
/// The rules of `KeyValueStore`, as checks that any implementation can run.
///
/// ```swift
/// try await KeyValueStoreConformance { InMemoryKeyValueStore() }.runAll()
/// ```
public struct KeyValueStoreConformance: Sendable {
    private let make: @Sendable () async throws -> any KeyValueStore

    /// Creates checks of the stores that the closure makes, each with nothing in it.
    public init(make: @escaping @Sendable () async throws -> any KeyValueStore) { self.make = make }

    /// Runs every check.
    ///
    /// - Throws: ``ConformanceFailure`` at the first rule that is not kept; what the store throws.
    public func runAll() async throws {
        try await keepsTextsExactly()
        try await namesWhatItKeeps()
        try await keepsEveryName()
    }

    /// Checks that texts come back unchanged, are replaced and removed, and do not touch each other.
    ///
    /// - Throws: ``ConformanceFailure`` if a rule is not kept; what the store throws.
    public func keepsTextsExactly() async throws {
        let store = try await make()
        try await expect(nil, under: "a", in: store, after: "nothing was kept")
        // Line ends, quotes, a character outside of the basic plane, and two spellings of one letter.
        for text in ["b", "", " ", "a\r\nb\n\t", "'\"\\", "\u{1F600}", "e\u{301}", "\u{E9}"] {
            try await store.set(text, for: "a")
            try await expect(text, under: "a", in: store, after: "set(\(text.debugDescription), for: \"a\")")
        }
        try await store.set("other", for: "riff.other")
        for _ in 1...2 {
            try await store.set(nil, for: "a")
            try await expect(nil, under: "a", in: store, after: "set(nil, for: \"a\")")
        }
        try await expect("other", under: "riff.other", in: store, after: "another name was removed")
    }

    /// Checks that the names are those that have a text.
    ///
    /// - Throws: ``ConformanceFailure`` if they are not; what the store throws.
    public func namesWhatItKeeps() async throws {
        let store = try await make()
        try await expectNames([], in: store, after: "nothing was kept")
        try await store.set("", for: "a")
        try await store.set("1", for: "riff.b")
        try await expectNames(["a", "riff.b"], in: store, after: "texts were set for \"a\" and \"riff.b\"")
        try await store.set(nil, for: "a")
        try await expectNames(["riff.b"], in: store, after: "set(nil, for: \"a\")")
    }

    /// Checks that texts which are set at once under several names are all kept.
    ///
    /// - Throws: ``ConformanceFailure`` if one is lost; what the store throws.
    public func keepsEveryName() async throws {
        let store = try await make()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 { group.addTask { try await store.set("\(number)", for: "riff.\(number)") } }
            try await group.waitForAll()
        }
        for number in 1...20 {
            try await expect("\(number)", under: "riff.\(number)", in: store, after: "20 names were set at once")
        }
    }

    private func expect(
        _ expected: String?,
        under name: String,
        in store: any KeyValueStore,
        after cause: String
    ) async throws {
        let got = try await store.value(for: name)
        // By scalars: strings of other scalars that look the same are equal in Swift.
        guard got.map({ Array($0.unicodeScalars) }) != expected.map({ Array($0.unicodeScalars) }) else { return }
        try fail("value(for: \(name.debugDescription)) is \(shown(got)) instead of \(shown(expected)) after \(cause)")
    }

    private func expectNames(_ expected: Set<String>, in store: any KeyValueStore, after cause: String) async throws {
        let got = try await store.names()
        if got != expected { try fail("names() is \(got.sorted()) instead of \(expected.sorted()) after \(cause)") }
    }

    private func shown(_ text: String?) -> String { text?.debugDescription ?? "nil" }

    private func fail(_ message: String) throws { throw ConformanceFailure(check: "store", message: message) }
}
