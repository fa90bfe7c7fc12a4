// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// Sockets whose two ways end one after the other.
    @Suite(.timeLimit(.minutes(3)))
    struct SocketChannelTests {
        /// The buffers of the system are filled a little further each time, until a writer has to wait: at some length
        /// the last bytes are handed over here, and not yet to the system, when the peer's end comes.
        @Test func `a peer that ends its way first still gets all that was written before ours ended`() async throws {
            let listener = try LoopbackListener()
            let piece = [UInt8](repeating: 65, count: 64 * 1024)
            for count in stride(from: 4, to: 400, by: 3) {
                let dialer = NetworkDialer()
                let channel = try await dialer.dial(HostAddress("127.0.0.1", port: listener.port), within: .seconds(30))
                let peer = try await listener.accept()
                let writing = Task {
                    for _ in 0..<count { try await channel.write(piece) }
                    try await channel.finishWriting()
                }
                let isWritten: Void? = try? await withDeadline(
                    .seconds(1),
                    clock: ContinuousClock(),
                    abandoning: { try await writing.value }
                )
                peer.finishWriting()
                #expect(try await channel.output.collect(upTo: 0) == [])
                let all = try await peer.readToEnd()
                #expect(all.bytes.count == count * piece.count)
                #expect(all.end == .closed)
                try await writing.value
                await channel.close()
                // Longer ones wait before their last bytes.
                if isWritten == nil { break }
            }
        }
    }
}
