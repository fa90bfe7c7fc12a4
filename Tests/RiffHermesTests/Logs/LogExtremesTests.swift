// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import Testing

/// A host whose files have any size, and whatever is asked for.
private struct EndlessHost: ForwardingHostSession {
    let base: any HostSession = ScriptedHostSession()
    let sizeBytes: UInt64

    func status(of path: String) async throws -> FileStatus? {
        FileStatus(kind: .file, sizeBytes: sizeBytes, permissions: 0o644, modified: 0)
    }

    func list(_ path: String) async throws -> [DirectoryEntry] { [] }

    func read(_ path: String, from offset: UInt64, count: Int) async throws -> [UInt8] {
        [UInt8](repeating: 0x0A, count: min(count, 4096))
    }
}

struct LogExtremesTests {
    @Test(arguments: [UInt64.max, UInt64.max - 1, UInt64(Int64.max) + 1, UInt64(Int64.max)])
    func `a log of any size that a host tells is read from its end`(size: UInt64) async throws {
        let host = EndlessHost(sizeBytes: size)
        for offset in [size, size - 10] {
            var follower = LogFollower(
                "/logs/agent.log",
                on: host,
                at: LogPosition(offset: offset, context: [])
            )
            for _ in 0..<3 { #expect(try await follower.next() != nil) }
        }
    }
}
