// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
import Dispatch
import Foundation

/// Ends the server and removes the folder when this program is told to end.
final class Cleaning {
    private let sources: [any DispatchSourceSignal]

    init(server: pid_t, folder: String) {
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                kill(server, SIGTERM)
                try? FileManager.default.removeItem(atPath: folder)  // nobody is left to be told
                exit(128 + number)
            }
            source.resume()
            return source
        }
    }

    /// Leaves it to the caller again.
    func stop() { for source in sources { source.cancel() } }
}

/// A TCP port of the loopback interface that nobody listens on now.
func unusedPort() throws -> Int {
    #if canImport(Glibc)
    let stream = Int32(SOCK_STREAM.rawValue)
    #else
    let stream = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    guard descriptor >= 0 else { throw BenchError("no socket: \(errno)") }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
        }
    }
    guard isBound else { throw BenchError("no port: \(errno)") }
    return Int(UInt16(bigEndian: address.sin_port))
}
