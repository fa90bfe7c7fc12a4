// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTransport
import RiffVoice
import Testing

/// Connections that never become a request.
@Suite(.timeLimit(.minutes(5))) struct IdleConnectionTests {
    /// Sends half a head, says so, and ends when the other end closes the connection.
    private static let half = #"""
        exec 3<>/dev/tcp/127.0.0.1/$1 || exit 1
        printf 'GET /riff/health HTTP/1.1\r\nHost: x\r\n' >&3
        echo sent
        cat <&3 >/dev/null
        """#

    private struct Peer {
        let process: LocalProcess
        /// Reads to the end.
        let rest: Task<Void, any Error>
    }

    private static func peer(_ port: String) async throws -> Peer {
        let process = try await LocalProcess.start(LocalCommand("/bin/bash", ["-c", half, "half", port]))
        let (sent, said) = AsyncStream<Void>.makeStream()
        let rest = Task {
            defer { said.finish() }
            for try await _ in process.output { said.yield() }
        }
        for await _ in sent { break }
        return Peer(process: process, rest: rest)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/bin/bash"), "needs bash"))
    func `heads that are never whole are closed, and hold nobody up`() async throws {
        try await ServerProgram.run(["--idle-timeout", "2", "--connections", "8"]) { server in
            // As many as are taken at a time.
            var peers: [Peer] = []
            for _ in 0..<8 { peers.append(try await Self.peer(server.lines[0])) }
            // Waits for a place, which is there as soon as one of them is closed.
            #expect(try await server.client.health().status == "ok")
            for peer in peers {
                try await peer.rest.value
                await peer.process.close()
            }
        }
    }
}
