// Riff
// SPDX-License-Identifier: Apache-2.0

// Not part of the engine's condition: a table, whose rules are tested for versions that are not installed.
extension SSHAlgorithms {
    /// Everything that is offered with libssh2 of a version.
    ///
    /// An algorithm whose code has a known hole in that version is not offered: chacha20-poly1305 (CVE-2026-55200),
    /// AES-GCM (CVE-2026-66033) and encrypt-then-MAC (CVE-2026-66035) in 1.11.x. 1.10 has none of the three. CBC, SHA-1
    /// and DSA are never offered.
    ///
    /// - Parameter version: The library's version at run time, as `0xMMmmpp`.
    package init(libssh2 version: Int) {
        let hasSHA2ForRSA = version >= 0x01_0B_00
        let hasSoundAEAD = version >= 0x01_0C_00
        keyExchange = [
            "curve25519-sha256", "curve25519-sha256@libssh.org", "ecdh-sha2-nistp256", "ecdh-sha2-nistp384",
            "ecdh-sha2-nistp521", "diffie-hellman-group16-sha512", "diffie-hellman-group18-sha512",
            "diffie-hellman-group-exchange-sha256", "diffie-hellman-group14-sha256",
        ]
        hostKey = ["ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521"]
        if hasSHA2ForRSA { hostKey += ["rsa-sha2-512", "rsa-sha2-256"] }
        cipher = ["aes128-ctr", "aes256-ctr", "aes192-ctr"]
        mac = ["hmac-sha2-256", "hmac-sha2-512"]
        if hasSoundAEAD {
            cipher.insert(
                contentsOf: ["aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "chacha20-poly1305@openssh.com"],
                at: 0
            )
            mac.insert(contentsOf: ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com"], at: 0)
        }
    }
}
