// Riff
// SPDX-License-Identifier: Apache-2.0

extension CoreErrorCode {
    /// A host showed another key than the pinned one.
    public static let hostKeyMismatch = CoreError.Code(rawValue: "hostKeyMismatch")
    /// A host that is known by keys of other types only showed a key that is not known.
    public static let hostKeyOfOtherType = CoreError.Code(rawValue: "hostKeyOfOtherType")
    /// A host showed a key that is marked as revoked.
    public static let hostKeyRevoked = CoreError.Code(rawValue: "hostKeyRevoked")
    /// A host is not known, and the policy pins none by itself.
    public static let hostKeyUnknown = CoreError.Code(rawValue: "hostKeyUnknown")
}

extension CoreError {
    /// The error of a host that showed another key than the pinned one: it was set up again, or the connection is
    /// intercepted.
    ///
    /// - Parameters:
    ///   - pin: The host.
    ///   - expected: The pinned keys.
    ///   - got: The key that the host showed.
    ///   - isResettable: Whether the pin is in a store and resetting it is the way on; `false` for keys that the caller
    ///     fixed.
    /// - Returns: The error, with `resetHostKey` as recovery where that helps.
    public static func hostKeyMismatch(
        pin: HostPin,
        expected: [SSHPublicKey],
        got: SSHPublicKey,
        isResettable: Bool = true
    ) -> CoreError {
        let pinned = expected.map(\.description).joined(separator: " or ")
        let way = isResettable ? "then reset the trusted key of this host." : "then change the fixed key of this host."
        let message = """
            The host key of \(pin) is not the trusted one: expected \(pinned), got \(got). Somebody may be in between. \
            No user name, key or password was sent. If the host was set up anew, compare the fingerprint on the host \
            itself (ssh-keygen -lf on its public host key), \(way)
            """
        return CoreError(.hostKeyMismatch, message, recovery: isResettable ? .resetHostKey(pin: pin.id) : nil)
    }

    /// The error of a host that is known by keys of other types only and showed a key that is not known: it has one
    /// more key, or the connection is intercepted by a party that has none of its keys.
    ///
    /// - Parameters:
    ///   - pin: The host.
    ///   - known: The keys by which it is known.
    ///   - got: The key that the host showed.
    ///   - wasAsked: Whether it was asked for a key of the known types; `nil` if that is not known.
    ///   - isTrustable: Whether there is a store that may be told to trust it.
    /// - Returns: The error, with `trustFurtherHostKey` as recovery where that helps.
    package static func hostKeyOfOtherType(
        pin: HostPin,
        known: [SSHPublicKey],
        got: SSHPublicKey,
        wasAsked: Bool? = nil,
        isTrustable: Bool = true
    ) -> CoreError {
        let offer = FurtherHostKeyOffer(got, pin: pin, knownKeys: known)
        let asked =
            switch wasAsked {
            case true?: " It was asked for a key of a known type first, and showed none."
            case false?: " This build cannot check keys of the known types, and asked for others."
            case nil: ""
            }
        let way = isTrustable ? "then trust this key as well." : "then add it to the fixed keys of this host."
        let message = """
            \(offer.facts)\(asked) Somebody may be in between. No user name, key or password was sent. Compare the \
            fingerprint on the host itself (ssh-keygen -lf on its public host key), \(way)
            """
        return CoreError(.hostKeyOfOtherType, message, recovery: isTrustable ? .trustFurtherHostKey(offer) : nil)
    }

    /// A host showed a key that is marked as revoked.
    ///
    /// - Parameters:
    ///   - pin: The host.
    ///   - got: The key that the host showed.
    /// - Returns: The error.
    package static func hostKeyRevoked(pin: HostPin, got: SSHPublicKey) -> CoreError {
        let message = """
            The host key \(got) of \(pin) is marked as revoked, so it must not be trusted. No user name, key or password \
            was sent. Give the host a new key.
            """
        return CoreError(.hostKeyRevoked, message)
    }

    /// A host is not known, and the policy pins none by itself.
    ///
    /// - Parameters:
    ///   - pin: The host.
    ///   - got: The key that the host showed.
    ///   - isTrustable: Whether there is a store that may be told to trust it.
    /// - Returns: The error, with `trustHostKey` as recovery where that helps.
    package static func hostKeyUnknown(pin: HostPin, got: SSHPublicKey, isTrustable: Bool = true) -> CoreError {
        let message = """
            The host \(pin) is not known; it showed the key \(got). No user name, key or password was sent. Compare the \
            fingerprint on the host itself, then trust the key.
            """
        let recovery = isTrustable ? Recovery.trustHostKey(HostKeyOffer(got, pin: pin)) : nil
        return CoreError(.hostKeyUnknown, message, recovery: recovery)
    }
}
