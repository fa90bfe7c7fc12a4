// Riff
// SPDX-License-Identifier: Apache-2.0

// sample: host: SSHHost, pins: some HostKeyStore, ask: (HostPin, String) async -> Bool
/// A key that a host showed and that is not trusted yet: a person is asked about it before the first connection.
///
/// ```swift
/// do { try await host.connect() } catch let error as any RiffError {
///     guard let offer = try HostKeyOffer(error.recovery) else { throw error }
///     guard await ask(offer.pin, offer.key.fingerprint) else { throw error }
///     try await pins.trust(offer.key, for: offer.pin)
/// }
/// ```
public struct HostKeyOffer: Sendable, Hashable {
    /// The key that the host showed.
    public let key: SSHPublicKey
    /// The host that showed it.
    public let pin: HostPin

    /// Creates an offer of a key for a pin.
    public init(_ key: SSHPublicKey, pin: HostPin) {
        self.key = key
        self.pin = pin
    }

    /// Reads an offer from what an error offers.
    ///
    /// - Parameter recovery: An error's recovery; `nil`, and one of another kind, are no offer.
    /// - Throws: ``CoreError`` with `invalidHost`, `invalidPort` or `invalidKey`.
    public init?(_ recovery: Recovery?) throws(CoreError) {
        guard let recovery, recovery.kind == .trustHostKey, let detail = recovery.detail else { return nil }
        let parts = detail.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        self.init(try SSHPublicKey(line: String(parts[1])), pin: try HostPin(id: String(parts[0])))
    }

    /// The pin's id, a space, and the key's line: a line of a known_hosts file for a host without jump hosts.
    var id: String { "\(pin.id) \(key.line)" }
}
