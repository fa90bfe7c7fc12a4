// Riff
// SPDX-License-Identifier: Apache-2.0

#if SSH && (os(macOS) || os(Linux))
internal import CLibSSH2

/// The library as a whole.
enum LibSSH2Library {
    /// Whether `libssh2_init` succeeded. It is not thread-safe and must come before the first session; a static is
    /// initialised once.
    static let isReady = libssh2_init(0) == 0

    /// The version at run time, as `0xMMmmpp`; it may differ from the header's.
    static let version: Int = {
        guard let text = libssh2_version(0) else { return 0 }
        let parts = String(cString: text).split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
        return parts.prefix(3).reduce(0) { $0 << 8 | $1 } << (8 * max(0, 3 - parts.count))
    }()

    /// The first version that signs with an RSA user key in a way that servers of today take (RFC 8332).
    static let firstVersionWithSHA2ForRSA = 0x01_0B_00
}
#endif
