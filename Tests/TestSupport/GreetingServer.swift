// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization

/// A listener that greets whoever dials with fixed bytes and then, if told, closes; it never reads.
package final class GreetingServer: Sendable {
    package let port: Int
    private let listener: Int32
    private let threads = DispatchGroup()
    private let open = Mutex<[Int32]>([])
    private let accepted = DispatchSemaphore(value: 0)

    package static func with(_ greeting: [UInt8], closes: Bool, _ body: (Int) async throws -> Void) async throws {
        try await withServer(greeting, closes: closes) { try await body($0.port) }
    }

    package static func withServer(
        _ greeting: [UInt8],
        closes: Bool,
        _ body: (GreetingServer) async throws -> Void
    ) async throws {
        let server = try GreetingServer(greeting, closes: closes)
        let result: Result<Void, any Error>
        do { result = .success(try await body(server)) } catch { result = .failure(error) }
        await server.stop()
        try result.get()
    }

    private init(_ greeting: [UInt8], closes: Bool) throws {
        listener = LoopbackSocket.make()
        port = try LoopbackSocket.listen(listener)
        threads.enter()
        Thread.detachNewThread { [self] in
            while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
                if !greeting.isEmpty { _ = send(descriptor, greeting, greeting.count, LoopbackSocket.noSignal) }
                if closes {
                    // Half-closed first, so that unread bytes of the dialler do not turn the end into a reset.
                    shutdown(descriptor, Int32(SHUT_WR))
                }
                open.withLock { $0.append(descriptor) }
                accepted.signal()
            }
            threads.leave()
        }
    }

    /// How the first dialler went away: 0 for an end, else the error number. Blocks until it has.
    package func readToEnd() -> Int32 {
        // Who dialed may be gone before the thread that accepts had its turn.
        guard accepted.wait(timeout: .now() + 60) == .success, let descriptor = open.withLock(\.first) else {
            return EBADF
        }
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count <= 0 { return count == 0 ? 0 : errno }
        }
    }

    private func stop() async {
        shutdown(listener, Int32(SHUT_RDWR))
        await withCheckedContinuation { done in threads.notify(queue: .global()) { done.resume() } }
        for descriptor in open.withLock({ $0 }) { close(descriptor) }
        close(listener)
    }
}
