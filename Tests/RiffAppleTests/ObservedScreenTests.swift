// Riff
// SPDX-License-Identifier: Apache-2.0

import Observation
import RiffApple
import RiffCore
import RiffScreen
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2)))
@MainActor
struct ObservedScreenTests {
    /// FE17.
    @Test func `a terminal's output is drawn, observers are told, and what programs ask for waits`() async throws {
        let observed = ObservedScreen(size: TerminalSize(columns: 20, rows: 3))
        let changes = Mutex(0)
        let (output, writer) = AsyncStream<[UInt8]>.makeStream()
        let following = Task { await observed.follow(output) }
        withObservationTracking {
            _ = observed.screen.visibleText
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        writer.yield(Array("hello \u{1B}]0;a title\u{7}".utf8))
        writer.yield(Array("world".utf8))
        writer.finish()
        await following.value
        #expect(observed.screen.visibleText.hasPrefix("hello world"))
        #expect(changes.withLock { $0 } == 1)
        #expect(observed.screen.title == "a title")
        #expect(!observed.takeEvents().isEmpty)
        #expect(observed.takeEvents().isEmpty)
        observed.resize(to: TerminalSize(columns: 10, rows: 3))
        #expect(observed.screen.size.columns == 10)
    }
}
