// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import RiffTesting
import Testing

struct CastReplayTests {
    private static let cast: Cast = {
        var events = (0..<5000).flatMap { number -> [CastEvent] in
            let time = Duration.milliseconds(number * 10)
            let output = CastEvent(time: time, .output, "\(number)\r\n")
            return number % 500 == 0 ? [output, CastEvent(time: time, .marker, "mark \(number)")] : [output]
        }
        events.insert(CastEvent(time: .seconds(20), resizedTo: TerminalSize(columns: 40, rows: 10)), at: 2005)
        return Cast(header: CastHeader(size: .standard, idleTimeLimit: .seconds(2)), events: events)
    }()

    /// The screen as it is drawn from the beginning.
    private static func screen(at time: Duration) -> String {
        var screen = Screen(size: .standard)
        for event in cast.events where event.time <= time {
            if event.code == .output { screen.feed(event.data) }
            if let size = event.size { screen.resize(to: size) }
        }
        return screen.visibleText
    }

    @Test func `any moment is shown, in any order`() {
        var replay = CastReplay(Self.cast)
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            let time = Duration.milliseconds(Int.random(in: -100...60_000, using: &generator))
            let shown = replay.seek(to: time).visibleText
            #expect(shown == Self.screen(at: min(max(time, .zero), replay.duration)), "at \(time)")
        }
    }

    @Test func `marks are gone to, one after another`() {
        var replay = CastReplay(Self.cast)
        #expect(replay.marks.count == 10)
        #expect(replay.seekToMark(isForward: true)?.text == "mark 500")
        #expect(replay.time == .seconds(5) && replay.screen.visibleText.contains("500"))
        #expect(replay.seekToMark(isForward: true)?.text == "mark 1000")
        #expect(replay.seekToMark(isForward: false)?.text == "mark 500")
        replay.seek(to: .seconds(1000))
        #expect(replay.seekToMark(isForward: true) == nil && replay.time == replay.duration)
    }

    @Test func `time goes by at a speed, and long pauses are short`() {
        let events = [CastEvent(time: .seconds(1), .output, "a"), CastEvent(time: .seconds(61), .output, "b")]
        var replay = CastReplay(Cast(header: CastHeader(size: .standard, idleTimeLimit: .seconds(2)), events: events))
        #expect(replay.time(after: .milliseconds(500)) == .milliseconds(500))
        #expect(replay.time(after: .milliseconds(500), speed: 4) == .seconds(61) - .seconds(60) + .seconds(1))
        #expect(replay.time(after: .seconds(3)) == .seconds(61))
        replay.seek(to: .seconds(1))
        #expect(replay.time(after: .seconds(1), speed: 2) == .seconds(61))
        #expect(replay.time(after: .seconds(1), speed: 0) == .seconds(1))
        #expect(replay.time(after: .seconds(-1)) == .seconds(1))
    }
}
