// Riff
// SPDX-License-Identifier: Apache-2.0

#if LibSSH2 && (os(macOS) || os(Linux))
internal import CLibSSH2

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The library as a whole.
enum LibSSH2Library {
    /// Whether `libssh2_init` succeeded. It is not thread-safe and must come before the first session; a static is
    /// initialized once.
    static let isReady: Bool = {
        keepCryptoAtExit()
        return libssh2_init(0) == 0
    }()

    /// OpenSSL takes itself down in `exit`, while a connection on a thread of its own may still be closing: that would
    /// be a crash at the end of the program. Another library under libssh2 does not know the function, and does no such
    /// thing.
    private static func keepCryptoAtExit() {
        typealias Initialize = @convention(c) (UInt64, OpaquePointer?) -> Int32
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "OPENSSL_init_crypto") else { return }
        // OPENSSL_INIT_NO_ATEXIT, OPENSSL_init_crypto(3). It does not fail for this flag alone.
        _ = unsafeBitCast(symbol, to: Initialize.self)(0x0008_0000, nil)
    }

    /// The version at run time, as `0xMMmmpp`; it may differ from the header's.
    static let version: Int = {
        guard let text = libssh2_version(0) else { return 0 }
        let parts = String(cString: text).split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
        return parts.prefix(3).reduce(0) { $0 << 8 | $1 } << (8 * max(0, 3 - parts.count))
    }()

    /// Lets a session wait for as long as its caller does: 1.11 and later can be told, earlier ones give up after a
    /// minute.
    static func allowLongWaits(of session: OpaquePointer) {
        typealias SetTimeout = @convention(c) (OpaquePointer, Int) -> Void
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "libssh2_session_set_read_timeout") else { return }
        unsafeBitCast(symbol, to: SetTimeout.self)(session, 24 * 60 * 60)
    }

    /// The library as an engine.
    static let info: SSHEngineInfo = {
        let algorithms = SSHAlgorithms(libssh2: version)
        var capabilities: SSHEngineCapabilities = [.streamLocal]
        // The first version that signs with an RSA user key in a way that servers of today take.
        if version >= 0x01_0B_00 { capabilities.insert(.signsRSAWithSHA2) }
        if algorithms.cipher.contains("aes128-gcm@openssh.com") { capabilities.insert(.aead) }
        return SSHEngineInfo(
            engine: .libssh2,
            version: [16, 8, 0].map { String(version >> $0 & 0xFF) }.joined(separator: "."),
            capabilities: capabilities,
            algorithms: algorithms
        )
    }()
}
#endif
