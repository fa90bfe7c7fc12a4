// Riff
// SPDX-License-Identifier: Apache-2.0

// sample: error: any RiffError, pins: some HostKeyStore, ask: (String) async -> Bool
/// A key that a known host showed, of another type than those by which it is known: the facts for a person to decide
/// on.
///
/// It is apart from ``HostKeyOffer``, since it is no first contact: somebody in between who has none of the host's keys
/// would show a key of another type.
///
/// ```swift
/// guard let offer = try FurtherHostKeyOffer(error.recovery), await ask(offer.question) else { throw error }
/// try await pins.trust(offer.key, for: offer.pin)
/// ```
public struct FurtherHostKeyOffer: Sendable, Hashable {
    /// The key that the host showed, which is not known.
    public let key: SSHPublicKey
    /// The host that showed it.
    public let pin: HostPin
    /// The keys by which the host is known, all of other types; at least one.
    public let knownKeys: [SSHPublicKey]

    init(_ key: SSHPublicKey, pin: HostPin, knownKeys: [SSHPublicKey]) {
        self.key = key
        self.pin = pin
        self.knownKeys = knownKeys
    }

    /// Reads an offer from the recovery of an error.
    ///
    /// - Parameter recovery: An error's recovery; `nil`, and one of another kind, are no offer.
    /// - Throws: ``CoreError`` with `invalidHost`, `invalidPort` or `invalidKey`.
    public init?(_ recovery: Recovery?) throws(CoreError) {
        guard let recovery, recovery.kind == .trustFurtherHostKey, let detail = recovery.detail else { return nil }
        let lines = detail.split(byte: "\n").map(String.init)
        guard lines.count > 2 else { return nil }
        var known: [SSHPublicKey] = []
        for line in lines.dropFirst(2) { known.append(try SSHPublicKey(line: line)) }
        self.init(try SSHPublicKey(line: lines[1]), pin: try HostPin(id: lines[0]), knownKeys: known)
    }

    /// The question for a person, with the type and fingerprint of every key by which the host is known and of the one
    /// that it showed.
    public var question: String {
        "\(facts) Somebody may be in between. Compare the fingerprint on the host itself. Trust this key as well?"
    }

    /// What is known and what was shown.
    var facts: String {
        let known = knownKeys.map(\.description).joined(separator: " and ")
        return "The host \(pin) is known by \(known). It showed none of these, but a key of another type that is not "
            + "known: \(key)."
    }

    /// The pin's id, the shown key and the known ones, a line each. Comments are left out: they are other people's
    /// words.
    var id: String { ([pin.id, key.keyFields] + knownKeys.map(\.keyFields)).joined(separator: "\n") }
}
