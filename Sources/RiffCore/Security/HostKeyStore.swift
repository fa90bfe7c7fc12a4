// Riff
// SPDX-License-Identifier: Apache-2.0

/// A seam: which keys are pinned for which hosts. Host keys are public; they need integrity, not secrecy.
///
/// To the implementer:
/// - ``judge(_:for:)`` decides and pins in one step: of calls that race for an unpinned host, also from several
///   processes where the storage is shared, exactly one gets `pinnedNow`, and every other one is judged against its
///   key.
/// - a pinned host never gains a key by being dialed, also none of another type than the pinned ones;
///   ``HostKeyVerdict/init(on:among:)`` has the rule.
/// - what was pinned is stored when the call returns; a store that cannot be read or written throws and never answers
///   `unknown` or `pinnedNow` instead.
/// - pins are told apart by ``HostPin/id``.
public protocol HostKeyStore: Sendable {
    /// Judges a key, and pins it if the host has none. Never returns `unknown`.
    func judge(_ key: SSHPublicKey, for pin: HostPin) async throws -> HostKeyVerdict

    /// Judges a key and changes nothing. Never returns `pinnedNow`.
    func check(_ key: SSHPublicKey, for pin: HostPin) async throws -> HostKeyVerdict

    /// The keys pinned for a host, in the order in which they were pinned; empty for one that is not known.
    func pinnedKeys(for pin: HostPin) async throws -> [SSHPublicKey]

    /// Adds a key to those pinned for a host: one that a person confirmed, or that came over another way. Adding a key
    /// that is there changes nothing.
    func trust(_ key: SSHPublicKey, for pin: HostPin) async throws

    /// Removes the keys that are pinned for this host and no other; the next dial pins again. Keys marked as revoked
    /// stay so.
    func reset(_ pin: HostPin) async throws
}
