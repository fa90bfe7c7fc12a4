// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffDeflate
internal import Synchronization

/// A compression of payloads.
package enum SSHCompression: String, Sendable, CaseIterable {
    /// zlib from the user's authentication on, so that only users who are let in reach it (OpenSSH's PROTOCOL, section
    /// 1.2).
    case delayedZlib = "zlib@openssh.com"
    case none
}

/// The compressed payloads of what we send, after one exchange of keys (RFC 4253 section 6.2).
///
/// A reference, as its stream is one: a copy of a connection goes on in the same stream, and only one of the two can be
/// used. Behind a lock, as a stream is for one thread at a time; there is never another one.
final class SSHPayloadDeflater: Sendable {
    private let stream: Mutex<Deflater>

    init() throws(SSHError) {
        // 64 KiB instead of zlib's 256 KiB: what a person types and uploads gains nothing by more.
        let deflater: Deflater
        do { deflater = try Deflater(.zlib, windowBits: 13, memoryLevel: 6) } catch { throw .noCompression(error) }
        stream = Mutex(deflater)
    }

    func compress(_ payload: [UInt8]) throws(SSHError) -> [UInt8] {
        let result = stream.withLock { stream in Result { try stream.compress(payload, .sync) } }
        do { return try result.get() } catch { throw .noCompression(error) }
    }
}

/// The payloads of what the peer compresses, after one exchange of keys. A reference for the same reasons.
///
/// It holds 32 KiB of what came before, and makes no more of a packet than the longest packet has: one that would
/// become more ends the connection.
final class SSHPayloadInflater: Sendable {
    private let stream: Mutex<Inflater>

    init() throws(SSHError) {
        let inflater: Inflater
        let limits = DeflateLimits(outputBytes: SSHPacketLimits.packetBytes)
        do { inflater = try Inflater(.zlib, limits: limits) } catch { throw .noCompression(error) }
        stream = Mutex(inflater)
    }

    func decompress(_ payload: [UInt8]) throws(SSHError) -> [UInt8] {
        let result = stream.withLock { stream -> Result<[UInt8], DataError> in
            stream.restartCount()
            do throws(DataError) { return .success(try stream.decompress(payload)) } catch { return .failure(error) }
        }
        switch result {
        case .success(let plain):
            guard !plain.isEmpty else { throw .violation("a compressed packet has no message") }
            return plain
        case .failure(let error) where error.code == .deflateTooLarge:
            throw .limit("a compressed packet that becomes more than \(SSHPacketLimits.packetBytes) bytes")
        case .failure(let error) where error.code == .deflateUnavailable: throw .noCompression(error)
        case .failure: throw .violation("a compressed packet is malformed")
        }
    }
}

extension SSHError {
    fileprivate static func noCompression(_ cause: any Error) -> SSHError {
        SSHError(.limitExceeded, "There is no memory to compress the SSH connection.", cause: cause)
    }
}
