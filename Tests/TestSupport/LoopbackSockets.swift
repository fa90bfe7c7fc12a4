// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation
internal import Synchronization

/// How a socket's input ended.
package enum SocketEnd: Sendable, Equatable { case closed, reset }

/// A TCP client of plain blocking calls, each on a queue of its own.
package final class LoopbackClient: Sendable {
    package struct Refused: Error {}
    package struct Broken: Error { package let number: Int32 }
    package struct Everything: Equatable, Sendable {
        package let bytes: [UInt8]
        package let end: SocketEnd

        package init(bytes: [UInt8], end: SocketEnd) {
            self.bytes = bytes
            self.end = end
        }
    }

    private let descriptor: Int32
    private let reading = DispatchQueue(label: "riff.test.read")
    private let writing = DispatchQueue(label: "riff.test.write")

    package init(port: Int) throws {
        descriptor = LoopbackSocket.make()
        guard LoopbackSocket.connect(descriptor, port: port) else {
            close(descriptor)
            throw Refused()
        }
    }

    fileprivate init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    package func write(_ bytes: [UInt8]) async throws {
        try await on(writing) { descriptor in
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    send(descriptor, $0.baseAddress, $0.count, LoopbackSocket.noSignal)
                }
                if count < 0 { throw Broken(number: errno) }
                sent += count
            }
        }
    }

    /// Exactly so many bytes.
    package func read(_ count: Int) async throws -> [UInt8] {
        try await on(reading) { descriptor in
            var bytes = [UInt8](repeating: 0, count: count)
            let got = recv(descriptor, &bytes, count, Int32(MSG_WAITALL))
            if got < 0 { throw Broken(number: errno) }
            return Array(bytes.prefix(got))
        }
    }

    /// What there is, at least one byte; nothing at the end.
    package func readSome() async throws -> [UInt8] {
        try await on(reading) { descriptor in
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let got = recv(descriptor, &bytes, bytes.count, 0)
            if got < 0 { throw Broken(number: errno) }
            return Array(bytes.prefix(got))
        }
    }

    package func exchange(_ bytes: [UInt8]) async throws -> [UInt8] {
        async let answer = read(bytes.count)
        try await write(bytes)
        return try await answer
    }

    package func readToEnd() async throws -> Everything {
        try await on(reading) { descriptor in
            var (all, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
            while true {
                let count = recv(descriptor, &chunk, chunk.count, 0)
                if count == 0 { return Everything(bytes: all, end: .closed) }
                if count < 0 {
                    guard errno == ECONNRESET else { throw Broken(number: errno) }
                    return Everything(bytes: all, end: .reset)
                }
                all += chunk.prefix(count)
            }
        }
    }

    package func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    package func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        // Connecting to nothing at all dissolves the connection, with a reset, and leaves the descriptor to `deinit`.
        var nowhere = sockaddr()
        nowhere.sa_family = sa_family_t(AF_UNSPEC)
        _ = connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }

    private func on<Result: Sendable>(
        _ queue: DispatchQueue,
        _ body: @escaping @Sendable (Int32) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in continuation.resume(with: Swift.Result { try body(descriptor) }) }
        }
    }
}

/// A listener whose connections a test plays itself.
package final class LoopbackListener: Sendable {
    package let port: Int
    private let descriptor: Int32
    private let accepting = DispatchQueue(label: "riff.test.accept")

    package init() throws {
        descriptor = LoopbackSocket.make()
        port = try LoopbackSocket.listen(descriptor)
    }

    deinit { close(descriptor) }

    /// The next connection.
    package func accept() async throws -> LoopbackClient {
        try await withCheckedThrowingContinuation { continuation in
            accepting.async { [self] in
                let accepted = acceptSystem(descriptor)
                continuation.resume(
                    with: accepted < 0
                        ? .failure(LoopbackClient.Broken(number: errno))
                        : .success(LoopbackClient(descriptor: accepted))
                )
            }
        }
    }

    /// Ends a wait for a connection.
    package func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// An echo server of one thread for each connection.
package final class EchoServer: Sendable {
    package let port: Int
    private let listener: Int32
    private let threads = DispatchGroup()
    private let state = Mutex((descriptors: Set<Int32>(), accepted: 0))
    private let ends: AsyncStream<SocketEnd>
    private let endWriter: AsyncStream<SocketEnd>.Continuation

    package var accepted: Int { state.withLock { $0.accepted } }

    package init() throws {
        listener = LoopbackSocket.make()
        port = try LoopbackSocket.listen(listener)
        // A few connections in one test: it cannot grow.
        (ends, endWriter) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        spawn { server in
            while case let descriptor = accept(server.listener, nil, nil), descriptor >= 0 {
                server.state.withLock {
                    $0.accepted += 1
                    $0.descriptors.insert(descriptor)
                }
                server.spawn { $0.echo(descriptor) }
            }
        }
    }

    package func nextEnd() async -> SocketEnd? {
        for await end in ends { return end }
        return nil
    }

    package func stop() async {
        shutdown(listener, Int32(SHUT_RDWR))
        state.withLock { for descriptor in $0.descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) } }
        await withCheckedContinuation { done in threads.notify(queue: .global()) { done.resume() } }
        close(listener)
        endWriter.finish()
    }

    private func echo(_ descriptor: Int32) {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var end = SocketEnd.closed
        loop: while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count < 0 { end = .reset }
            guard count > 0 else { break }
            var sent = 0
            while sent < count {
                let part = chunk[sent..<count].withUnsafeBytes {
                    send(descriptor, $0.baseAddress, $0.count, LoopbackSocket.noSignal)
                }
                if part < 0 {
                    end = .reset
                    break loop
                }
                sent += part
            }
        }
        state.withLock { _ = $0.descriptors.remove(descriptor) }
        close(descriptor)
        endWriter.yield(end)
    }

    private func spawn(_ body: @escaping @Sendable (EchoServer) -> Void) {
        threads.enter()
        Thread.detachNewThread { [self] in
            body(self)
            threads.leave()
        }
    }
}

/// The few calls in which Linux and Darwin differ.
package enum LoopbackSocket {
    package struct Unavailable: Error {}

    #if canImport(Darwin)
    package static let noSignal: Int32 = 0
    package static let stream = SOCK_STREAM
    #else
    package static let noSignal = Int32(MSG_NOSIGNAL)
    package static let stream = Int32(SOCK_STREAM.rawValue)
    #endif

    package static func make() -> Int32 {
        #if canImport(Darwin)
        let descriptor = socket(AF_INET, stream, 0)
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        return descriptor
        #else
        return socket(AF_INET, stream, 0)
        #endif
    }

    package static func connect(_ descriptor: Int32, port: Int) -> Bool {
        withAddress(port: port) { connectSystem(descriptor, $0, $1) } == 0
    }

    /// Takes so many connections that a hundred at once do not wait for their second try.
    package static func listen(_ descriptor: Int32) throws -> Int {
        guard withAddress(port: 0, { bind(descriptor, $0, $1) }) == 0, listenSystem(descriptor, 256) == 0 else {
            throw Unavailable()
        }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard status == 0 else { throw Unavailable() }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func withAddress<Result>(
        port: Int,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}

private func connectSystem(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    connect(descriptor, address, length)
}

private func acceptSystem(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }

private func listenSystem(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }
