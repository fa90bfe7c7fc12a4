// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PaneFeedTests {
    /// What the host's script answers to each client that comes, in turn: a header without the marker, and bytes.
    private static func host(_ answers: [(header: String, bytes: String)]) -> ScriptedHostSession {
        let left = Mutex(answers[...])
        let channel: ScriptedHostSession.Opening = { command in
            let (channel, host) = InMemoryByteChannel.makePair()
            let marker = try #require(command.split(separator: " ").first { $0.contains("__RIFF_TAP__") })
            let name = marker.filter { $0.isLetter || $0.isNumber || $0 == "_" }
            let answer = left.withLock { $0.popFirst() } ?? (header: "refused no pane", bytes: "")
            try await host.write(Array("\(name)\n\(answer.header)\n\(answer.bytes)".utf8))
            try await host.finishWriting()
            return channel
        }
        return ScriptedHostSession(channel: channel) { _, _ in CommandResult(output: [], exit: .exited(0)) }
    }

    private static func read(_ answers: [(header: String, bytes: String)], version: Int = 1) async throws -> [PaneChunk]
    {
        let output = "folder /kit\nstate installed\npart tap \(version) intact 1 bin/riff-tap.sh\n"
        let kit = try #require(HostKitStatus(output: output))
        let tap = PaneTap(on: host(answers), kit: kit)
        var chunks: [PaneChunk] = []
        for try await chunk in try await tap.bytes(of: "%0") { chunks.append(chunk) }
        await tap.shutdown()
        return chunks
    }

    @Test func `bytes that went before a channel without any are told with the next`() async throws {
        // The file was dropped between the header and its first byte.
        let chunks = try await Self.read([("live t 0", "abcd"), ("live t 10", ""), ("live t 30", "x")])
        #expect(chunks.map(\.offset) == [0, 30])
        #expect(chunks.map(\.gap) == [nil, .bytes(26)])
    }

    @Test func `a tap that was started again without a byte is an unknown gap`() async throws {
        let answers = [("live t 0", "abcd"), ("broken t 4", ""), ("live u 0", ""), ("live u 5", "x")]
        let chunks = try await Self.read(answers)
        #expect(chunks.map(\.gap) == [nil, .unknown])
    }

    @Test func `what the host kept has the times at which it was written`() async throws {
        let header = "live t 2 9 plain 0:100,4:200,7:300,"
        let chunks = try await Self.read([(header, "cdefghijk")], version: 2)
        #expect(chunks.map { String(decoding: $0.bytes, as: UTF8.self) } == ["cd", "efg", "hijk"])
        #expect(chunks.map(\.writtenAt).prefix(2) == [200, 300])
        #expect(chunks.last.map { $0.writtenAt == $0.receivedAt } == true)
        #expect(chunks.map(\.end.offset) == [4, 7, 11])
    }

    @Test func `times that run backwards or are none are left out`() async throws {
        let header = "live t 0 9 plain 5:100,3:150,x:1,8:90,:,8:4294967296,7:200"
        let chunks = try await Self.read([(header, "abcdefghijk")], version: 2)
        #expect(chunks.map(\.bytes.count) == [5, 2, 4])
        #expect(chunks.prefix(2).map(\.writtenAt) == [100, 200])
    }

    @Test(arguments: [1, 2])
    func `an older script is asked in its own words`(version: Int) async throws {
        let chunks = try await Self.read([("live t 0", "a")], version: version)
        #expect(chunks.map(\.bytes) == [[0x61]])
    }
}
