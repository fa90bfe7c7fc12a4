// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import RiffCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A port of 127.0.0.1 that no other program is given while this lives, and on which connections are refused.
///
/// It is a socket that is bound and never listens. A listener of the same process may share the port where it sets
/// SO_REUSEPORT as well; while that listens, connections go to it alone (socket(7), inet_csk_get_port in Linux).
final class HeldPort: Sendable {
    /// The option that a listener sets to 1 to share the port.
    static let sharing = NIOBSDSocket.Option(rawValue: SO_REUSEPORT)

    let number: Int
    private let socket: Int32

    /// Takes a port that is free.
    ///
    /// - Parameter number: The port, of a server that has ended; any that is free where `nil`.
    /// - Throws: ``TestingError`` with `portUnavailable`.
    init(_ number: Int? = nil) throws {
        #if canImport(Darwin)
        let socket = Self.open(AF_INET, SOCK_STREAM, 0)
        #else
        let socket = Self.open(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #endif
        guard socket >= 0 else { throw Self.unavailable() }
        #if canImport(Darwin)
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        #endif
        // A server's port still has the connections that it left behind; a port that was free is shared otherwise.
        Self.set(number == nil ? SO_REUSEPORT : SO_REUSEADDR, to: 1, on: socket)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        address.sin_port = UInt16(number ?? 0).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else {
            let error = Self.unavailable()
            close(socket)
            throw error
        }
        if number != nil { Self.set(SO_REUSEADDR, to: 0, on: socket) }
        self.socket = socket
        self.number = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(socket) }

    private static func set(_ option: Int32, to value: Int32, on socket: Int32) {
        var value = value
        setsockopt(socket, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func unavailable() -> TestingError {
        TestingError(
            .portUnavailable,
            "The system gave no port on 127.0.0.1: \(String(cString: strerror(errno)))."
        )
    }

    private static func open(_ family: Int32, _ kind: Int32, _ protocolNumber: Int32) -> Int32 {
        #if canImport(Glibc)
        Glibc.socket(family, kind, protocolNumber)
        #elseif canImport(Musl)
        Musl.socket(family, kind, protocolNumber)
        #else
        Darwin.socket(family, kind, protocolNumber)
        #endif
    }
}
