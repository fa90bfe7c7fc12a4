// Riff
// SPDX-License-Identifier: Apache-2.0

/// A way to agree on keys.
package enum SSHKeyExchangeMethod: String, Sendable, CaseIterable {
    case mlkem768x25519 = "mlkem768x25519-sha256"
    case curve25519 = "curve25519-sha256"
    /// The same by the name it had before RFC 8731.
    case curve25519LibSSH = "curve25519-sha256@libssh.org"
    case p256 = "ecdh-sha2-nistp256"
    case p384 = "ecdh-sha2-nistp384"
    case p521 = "ecdh-sha2-nistp521"

    /// The hash of the exchange and of the keys' derivation.
    package var hash: SSHHash {
        switch self {
        case .mlkem768x25519, .curve25519, .curve25519LibSSH, .p256: .sha256
        case .p384: .sha384
        case .p521: .sha512
        }
    }

    /// Whether this platform has it: CryptoKit knows ML-KEM from the systems of 2025 on.
    package var isAvailable: Bool {
        guard self == .mlkem768x25519 else { return true }
        if #available(macOS 26, iOS 26, tvOS 26, visionOS 26, *) { return true }
        return false
    }
}

/// A way in which a host signs. The names of RSA are signatures of one key type.
package enum SSHSignatureAlgorithm: String, Sendable, CaseIterable {
    case ed25519 = "ssh-ed25519"
    case ecdsaP256 = "ecdsa-sha2-nistp256"
    case ecdsaP384 = "ecdsa-sha2-nistp384"
    case ecdsaP521 = "ecdsa-sha2-nistp521"
    case rsaSHA512 = "rsa-sha2-512"
    case rsaSHA256 = "rsa-sha2-256"

    /// The type of the key that signs so.
    package var keyType: String {
        switch self {
        case .rsaSHA512, .rsaSHA256: "ssh-rsa"
        default: rawValue
        }
    }
}

/// A cipher of packets.
package enum SSHCipher: String, Sendable, CaseIterable {
    case aes128GCM = "aes128-gcm@openssh.com"
    case aes256GCM = "aes256-gcm@openssh.com"
    case aes128CTR = "aes128-ctr"
    case aes256CTR = "aes256-ctr"

    package var keyBytes: Int {
        switch self {
        case .aes128GCM, .aes128CTR: 16
        case .aes256GCM, .aes256CTR: 32
        }
    }

    package var nonceBytes: Int { isAuthenticated ? 12 : 16 }
    /// Whether it brings its own integrity, and needs no MAC.
    package var isAuthenticated: Bool { self == .aes128GCM || self == .aes256GCM }
}

/// An integrity check for ciphers that bring none.
package enum SSHMAC: String, Sendable, CaseIterable {
    case sha256ETM = "hmac-sha2-256-etm@openssh.com"
    case sha512ETM = "hmac-sha2-512-etm@openssh.com"
    case sha256 = "hmac-sha2-256"
    case sha512 = "hmac-sha2-512"

    package var bytes: Int { self == .sha256ETM || self == .sha256 ? 32 : 64 }
    /// Whether it covers the encrypted packet, so that nothing is decrypted that was not checked.
    package var isEncryptThenMAC: Bool { self == .sha256ETM || self == .sha512ETM }
}

/// The algorithms that one side offers, best first.
package struct SSHAlgorithmList: Sendable, Hashable {
    package var keyExchange = SSHKeyExchangeMethod.allCases.filter(\.isAvailable)
    package var hostKey = SSHSignatureAlgorithm.allCases
    package var cipher = SSHCipher.allCases
    package var mac = SSHMAC.allCases
    /// None unless asked for: a terminal's output is small, and GCM costs less than zlib.
    package var compression = [SSHCompression.none]

    package init() {}
}
