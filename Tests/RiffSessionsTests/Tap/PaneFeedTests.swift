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
    /// A feed whose channels answer these one after the other; the last one stays open.
    private static func makeFeed(_ answers: [(header: String, bytes: String)]) -> PaneFeed {
        let asked = Mutex(0)
        let host = ScriptedHostSession(
            channel: { command in
                let turn = asked.withLock { count in
                    defer { count += 1 }
                    return count
                }
                let (near, far) = InMemoryByteChannel.makePair()
                let answer = answers[min(turn, answers.count - 1)]
                let marker = try #require(command.firstMatch(of: /__RIFF_TAP__[0-9a-f]+/))
                try await far.write(Array("\(marker.output)\n\(answer.header)\n\(answer.bytes)".utf8))
                if turn < answers.count - 1 { far.end(.exited(0)) }
                return near
            },
            answer: { _, _ in throw CancellationError() }
        )
        let line = TapLine(script: "/kit/riff-tap.sh", server: TmuxServer(), pane: "%1")
        return PaneFeed(on: host, line, clock: ContinuousClock(), wallClock: { 0 })
    }

    @Test func `what is missing is told when the channel that said so ends before a byte`() async throws {
        let feed = Self.makeFeed([
            ("live 1.2 0", "abc"), ("live 1.2 10", ""), ("live 1.2 15", ""), ("live 1.2 15", "def"),
        ])
        let reader = try #require(feed.makeReader(limitBytes: 100))
        #expect(try await reader.next() == PaneChunk(bytes: Array("abc".utf8), gap: nil, offset: 0, receivedAt: 0))
        let next = try await reader.next()
        #expect(next == PaneChunk(bytes: Array("def".utf8), gap: .bytes(12), offset: 15, receivedAt: 0))
        await feed.shutdown()
    }

    @Test func `a tap that was started again is told even if its first channel brings nothing`() async throws {
        let feed = Self.makeFeed([("live 1.2 0", "abc"), ("live 1.3 0", ""), ("live 1.3 4", "def")])
        let reader = try #require(feed.makeReader(limitBytes: 100))
        #expect(try await reader.next()?.gap == nil)
        let next = try await reader.next()
        #expect(next == PaneChunk(bytes: Array("def".utf8), gap: .unknown, offset: 4, receivedAt: 0))
        await feed.shutdown()
    }
}
