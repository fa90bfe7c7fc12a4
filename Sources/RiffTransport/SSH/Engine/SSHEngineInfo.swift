// Riff
// SPDX-License-Identifier: Apache-2.0

/// An SSH engine as it describes itself, before anything is dialed.
package struct SSHEngineInfo: Sendable, Hashable {
    /// The engine's name, in messages too.
    package let engine: SSHEngineName
    /// The version at run time, such as `1.10.0`.
    package let version: String
    /// The engine's capabilities beyond the protocol's least.
    package let capabilities: SSHEngineCapabilities
    /// The algorithms that it offers, best first.
    package let algorithms: SSHAlgorithms

    package init(
        engine: SSHEngineName,
        version: String,
        capabilities: SSHEngineCapabilities,
        algorithms: SSHAlgorithms
    ) {
        self.engine = engine
        self.version = version
        self.capabilities = capabilities
        self.algorithms = algorithms
    }
}

/// The capabilities of an engine.
package struct SSHEngineCapabilities: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Signs with RSA user keys by SHA-2 (RFC 8332); servers of today refuse SHA-1.
    package static let signsRSAWithSHA2 = SSHEngineCapabilities(rawValue: 1 << 0)
    /// Takes whole signature blobs, as keys on security tokens make them (flags and a counter after the signature).
    package static let takesSignatureBlobs = SSHEngineCapabilities(rawValue: 1 << 1)
    /// Has ciphers that authenticate what they encrypt (AES-GCM, chacha20-poly1305).
    package static let aead = SSHEngineCapabilities(rawValue: 1 << 2)
    /// Opens Unix sockets on the host (`direct-streamlocal@openssh.com`).
    package static let streamLocal = SSHEngineCapabilities(rawValue: 1 << 3)
    /// Lets the host forward connections to this side (RFC 4254 section 7.1).
    package static let reverseForwarding = SSHEngineCapabilities(rawValue: 1 << 4)
}
