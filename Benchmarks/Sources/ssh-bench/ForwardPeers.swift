// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
import Foundation

/// Which way the bytes of a forwarded connection go.
enum ForwardDirection: Sendable {
    /// From the target to the program that dials.
    case down
    /// From the program to the target.
    case up
}

/// The two ends of a forwarded connection, with blocking calls on plain sockets, the same for both sides of the
/// comparison. What comes is compared with what was sent, byte by byte.
enum ForwardPeers {
    /// Bytes that differ from place to place, within a period that no buffer's size divides.
    private static let pattern = (0..<1_000_003).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11) }
    private static let chunk = 256 * 1024

    /// Starts a target for one connection on a thread of its own: it sends so many bytes, or takes them and answers
    /// with a byte if they were right.
    ///
    /// - Returns: Its port.
    /// - Throws: `BenchError` if no socket can be had.
    static func startTarget(_ direction: ForwardDirection, bytes: Int) throws -> Int {
        let listener = try makeSocket()
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 4) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw BenchError("no listener: \(errno)") }
        Thread {
            let connection = accept(listener, nil, nil)
            close(listener)
            defer { close(connection) }
            switch direction {
            case .down: _ = sendPattern(bytes, to: connection)
            case .up:
                guard receivePattern(bytes, from: connection, came: { _ in }) else { return }
                var byte: UInt8 = 1
                _ = write(connection, &byte, 1)
            }
        }.start()
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Dials a forwarded port and moves the bytes.
    ///
    /// - Parameters:
    ///   - direction: The way of the bytes.
    ///   - bytes: Their number.
    ///   - port: The local port; dialed again until somebody listens, for ten seconds.
    ///   - childSeconds: The CPU seconds of the client's process, if that is not this one.
    /// - Returns: The numbers. The CPU time has that of both ends in it.
    /// - Throws: `BenchError` if nobody listens, or what came is not what was sent.
    static func move(
        _ direction: ForwardDirection,
        bytes: Int,
        over port: Int,
        childSeconds: (() -> Double?)? = nil
    ) throws -> Sample {
        let connection = try dial(port)
        defer { close(connection) }
        var transfer = Transfer(childSeconds: childSeconds)
        switch direction {
        case .down:
            guard receivePattern(bytes, from: connection, came: { transfer.came($0) }) else {
                throw BenchError("what came over the forward is not what was sent")
            }
        case .up:
            // The first byte counts as the beginning, as it does on the way down.
            guard sendPattern(bytes, to: connection, sent: { transfer.came($0) }) else {
                throw BenchError("writing to the forward: \(errno)")
            }
            shutdown(connection, Int32(SHUT_WR))
            var byte: UInt8 = 0
            guard read(connection, &byte, 1) == 1 else { throw BenchError("what arrived is not what was sent") }
        }
        var sample = try transfer.sample(of: bytes) { childSeconds?() }
        // Of a client in this process it could not be told from that of the ends.
        sample[.cpuPerGB] = nil
        return sample
    }

    private static func sendPattern(_ bytes: Int, to socket: Int32, sent: (Int) -> Void = { _ in }) -> Bool {
        var offset = 0
        while offset < bytes {
            let start = offset % pattern.count
            let size = min(chunk, bytes - offset, pattern.count - start)
            let count = pattern.withUnsafeBytes { buffer in
                write(socket, buffer.baseAddress.map { $0 + start }, size)
            }
            guard count > 0 else { return false }
            offset += count
            sent(count)
        }
        return true
    }

    private static func receivePattern(_ bytes: Int, from socket: Int32, came: (Int) -> Void) -> Bool {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
        defer { buffer.deallocate() }
        var offset = 0
        while offset < bytes {
            let start = offset % pattern.count
            let size = min(chunk, bytes - offset, pattern.count - start)
            let count = read(socket, buffer.baseAddress, size)
            guard count > 0, let base = buffer.baseAddress else { return false }
            let isRight = pattern.withUnsafeBytes { expected in
                expected.baseAddress.map { memcmp(base, $0 + start, count) == 0 } ?? false
            }
            guard isRight else { return false }
            offset += count
            came(count)
        }
        return true
    }

    private static func dial(_ port: Int) throws -> Int32 {
        for _ in 0..<2_000 {
            let connection = try makeSocket()
            var address = loopback(port: port)
            let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isConnected { return connection }
            close(connection)
            Thread.sleep(forTimeInterval: 0.005)
        }
        throw BenchError("nobody listens on port \(port)")
    }

    private static func makeSocket() throws -> Int32 {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw BenchError("no socket: \(errno)") }
        return descriptor
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
