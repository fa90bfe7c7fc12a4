// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample:
/// The rules of `SecretStore`, as checks that any implementation can run.
///
/// ```swift
/// try await SecretStoreConformance { InMemorySecretStore() }.runAll()
/// ```
public struct SecretStoreConformance: Sendable {
    private let make: @Sendable () async throws -> any SecretStore

    /// Checks of the stores that the closure makes, each with nothing in it.
    public init(make: @escaping @Sendable () async throws -> any SecretStore) { self.make = make }

    /// Runs every check.
    ///
    /// - Throws: ``ConformanceFailure`` at the first rule that is not kept; what the store throws.
    public func runAll() async throws {
        try await keepsBytesExactly()
        try await insertsOnce()
        try await refusesOtherNames()
    }

    /// Secrets come back byte for byte, are replaced and removed, and do not touch each other.
    public func keepsBytesExactly() async throws {
        let store = try await make()
        let odd = Secret([0, 0xFF, 0x0A, 0x0D, 0x27, 0x5C])
        try expect(try await store.secret(for: "a"), is: nil, "a new store is empty")
        try await store.set(odd, for: "a")
        try await store.set(Secret("other"), for: "A-z_0.9@host+1")
        try expect(try await store.secret(for: "a"), is: odd, "a secret comes back byte for byte")
        try await store.set(Secret(""), for: "a")
        try expect(try await store.secret(for: "a"), is: Secret(""), "a secret is replaced, and an empty one is one")
        try await store.remove("a")
        try await store.remove("a")
        try expect(try await store.secret(for: "a"), is: nil, "a removed secret is gone")
        try expect(try await store.secret(for: "A-z_0.9@host+1"), is: Secret("other"), "other secrets stay")
    }

    /// Of inserts at once one is kept, and all get it.
    public func insertsOnce() async throws {
        let store = try await make()
        let kept = try await withThrowingTaskGroup(of: Secret.self) { group in
            for index in 0..<20 { group.addTask { try await store.insert(Secret("secret \(index)"), for: "a") } }
            return try await group.reduce(into: Set<Secret>()) { $0.insert($1) }
        }
        try expect(kept.count, is: 1, "inserts that race all get the same secret")
        try expect(try await store.secret(for: "a"), is: kept.first, "the secret that all got is kept")
    }

    /// Names outside the allowed ones are refused by every call.
    public func refusesOtherNames() async throws {
        let store = try await make()
        for name in ["", ".", "..", ".a", "a/b", "../a", "/a", "a\0b", "a\nb", "ä", String(repeating: "a", count: 129)]
        {
            let calls: [() async throws -> Void] = [
                { _ = try await store.secret(for: name) }, { try await store.set(Secret("x"), for: name) },
                { _ = try await store.insert(Secret("x"), for: name) }, { try await store.remove(name) },
            ]
            for call in calls {
                do {
                    try await call()
                } catch let error as CoreError where error.code == .invalidName {
                    continue
                }
                throw ConformanceFailure(
                    check: "store",
                    message: "a call took the name \(name.debugDescription) instead of throwing invalidName"
                )
            }
        }
    }

    private func expect(_ got: Secret?, is expected: Secret?, _ rule: String) throws {
        guard got != expected else { return }
        // The secrets are this file's own: their bytes may be shown.
        let bytes = [got, expected].map { $0.map { "\($0.bytes)" } ?? "nil" }
        throw ConformanceFailure(check: "store", message: "\(rule): \(bytes[0]) instead of \(bytes[1])")
    }

    private func expect(_ got: Int, is expected: Int, _ rule: String) throws {
        guard got != expected else { return }
        throw ConformanceFailure(check: "store", message: "\(rule): \(got) instead of \(expected)")
    }
}
