// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample:
/// The rules of `HostKeyStore`, as checks that any implementation can run.
///
/// ```swift
/// try await HostKeyStoreConformance { InMemoryHostKeyStore() }.runAll()
/// ```
public struct HostKeyStoreConformance: Sendable {
    private let make: @Sendable () async throws -> any HostKeyStore

    /// Checks of the stores that the closure makes, each with nothing in it.
    public init(make: @escaping @Sendable () async throws -> any HostKeyStore) { self.make = make }

    /// Runs every check.
    ///
    /// - Throws: ``ConformanceFailure`` at the first rule that is not kept; what the store throws.
    public func runAll() async throws {
        try await pinsFirstAndRefusesAfter()
        try await keepsPinsApart()
        try await checksWithoutPinning()
        try await trustsConfirmedKeys()
        try await addsNoOtherTypeByItself()
        try await letsOneOfManyFirstDialsWin()
    }

    /// The first key is pinned, and a changed one is a mismatch that changes nothing.
    public func pinsFirstAndRefusesAfter() async throws {
        let (store, pin, keys) = (try await make(), try Self.pin("host"), try Self.keys(2))
        try expect(try await store.pinnedKeys(for: pin), is: [], "a new store knows no host")
        try expect(try await store.judge(keys[0], for: pin), is: .pinnedNow, "the first key is pinned")
        try expect(try await store.judge(keys[0], for: pin), is: .trusted, "the pinned key is trusted")
        let verdict = try await store.judge(keys[1], for: pin)
        try expect(verdict, is: .mismatch(expected: [keys[0]]), "another key is a mismatch that names the pinned one")
        try expect(try await store.pinnedKeys(for: pin), is: [keys[0]], "a mismatch pins nothing")
    }

    /// Ports and routes are pins of their own, and a reset touches one.
    public func keepsPinsApart() async throws {
        let (store, keys) = (try await make(), try Self.keys(4))
        let pins = try ["host", "[host]:2222", "jump/host"].map(Self.pin)
        for (pin, key) in zip(pins, keys) {
            try expect(try await store.judge(key, for: pin), is: .pinnedNow, "\(pin.id) is a pin of its own")
        }
        try await store.reset(pins[1])
        try await store.reset(pins[1])
        try expect(try await store.pinnedKeys(for: pins[1]), is: [], "a reset forgets the pin")
        try expect(try await store.check(keys[0], for: pins[0]), is: .trusted, "a reset leaves other ports")
        try expect(try await store.check(keys[2], for: pins[2]), is: .trusted, "a reset leaves other routes")
        try expect(try await store.judge(keys[3], for: pins[1]), is: .pinnedNow, "the next dial pins anew")
    }

    /// `check` never pins.
    public func checksWithoutPinning() async throws {
        let (store, pin, keys) = (try await make(), try Self.pin("host"), try Self.keys(2))
        try expect(try await store.check(keys[0], for: pin), is: .unknown, "a host that is not known is unknown")
        try expect(try await store.check(keys[1], for: pin), is: .unknown, "a check pins nothing")
        try expect(try await store.pinnedKeys(for: pin), is: [], "a check pins nothing")
    }

    /// `trust` adds to what is pinned, once.
    public func trustsConfirmedKeys() async throws {
        let (store, pin, keys) = (try await make(), try Self.pin("host"), try Self.keys(3))
        for key in [keys[0], keys[1], keys[0]] { try await store.trust(key, for: pin) }
        let pinned = try await store.pinnedKeys(for: pin)
        try expect(pinned, is: [keys[0], keys[1]], "trusted keys are pinned once each, in order")
        try expect(try await store.judge(keys[1], for: pin), is: .trusted, "every pinned key is trusted")
        let verdict = try await store.judge(keys[2], for: pin)
        try expect(verdict, is: .mismatch(expected: [keys[0], keys[1]]), "a mismatch names all pinned keys")
    }

    /// A key of another type than the pinned one is distinguished from a changed one, and is not pinned by a dial.
    public func addsNoOtherTypeByItself() async throws {
        let (store, pin, keys) = (try await make(), try Self.pin("host"), try Self.keys(2))
        let other = try SSHPublicKey(line: Self.ecdsa)
        try expect(try await store.judge(keys[0], for: pin), is: .pinnedNow, "the first key is pinned")
        let known = HostKeyVerdict.otherType(known: [keys[0]])
        try expect(try await store.judge(other, for: pin), is: known, "a key of another type names the pinned one")
        try expect(try await store.check(other, for: pin), is: known, "a key of another type names the pinned one")
        try expect(try await store.pinnedKeys(for: pin), is: [keys[0]], "a key of another type is not pinned by a dial")
        try await store.trust(other, for: pin)
        try expect(try await store.judge(other, for: pin), is: .trusted, "it passes once it was confirmed")
        let verdict = try await store.judge(keys[1], for: pin)
        try expect(verdict, is: .mismatch(expected: [keys[0], other]), "a changed key stays a mismatch")
    }

    /// Of first dials at once one pins, and the others are judged against it.
    public func letsOneOfManyFirstDialsWin() async throws {
        let (store, pin, keys) = (try await make(), try Self.pin("host"), try Self.keys(20))
        let verdicts = try await withThrowingTaskGroup(of: HostKeyVerdict.self) { group in
            for key in keys { group.addTask { try await store.judge(key, for: pin) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let pinned = try await store.pinnedKeys(for: pin)
        try expect(pinned.count, is: 1, "one key is pinned, whoever dials at once")
        try expect(verdicts.filter { $0 == .pinnedNow }.count, is: 1, "one first dial pins")
        try expect(verdicts.filter { $0 == .mismatch(expected: pinned) }.count, is: 19, "the others see its key")
    }

    private func expect<Value: Equatable>(_ got: Value, is expected: Value, _ rule: String) throws {
        guard got != expected else { return }
        throw ConformanceFailure(check: "store", message: "\(rule): \(got) instead of \(expected)")
    }

    /// A key of P-256 whose private half is not in use: its point is the curve's base point.
    private static let ecdsa =
        "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBGsX0fLh"
        + "LEJH+Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT+NC4v4af5uO5+tKfA+eFivOM1drMV7Oy7ZAaDe/UfU="

    private static func pin(_ id: String) throws -> HostPin { try HostPin(id: id) }

    private static func keys(_ count: Int) throws -> [SSHPublicKey] {
        (0..<count).compactMap { _ in SSHPrivateKey.makeEd25519().publicKey }
    }
}
