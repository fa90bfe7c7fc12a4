// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTalk
import RiffTesting
import RiffVoice
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TalkButtonTests {
    @Test func `each press is a tap or a hold, once, in whatever order its events come`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<5_000 {
            var machine = TalkButtonMachine()
            var (presses, done) = (0, 0)
            var waiting: [Int] = []
            for _ in 0..<30 {
                var event = TalkButtonMachine.Event.pressed
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: event = .pressed
                case 1: event = .released
                case 2: event = .cancelled
                default: event = .held(press: waiting.randomElement(using: &generator) ?? 0)
                }
                switch machine.handle(event) {
                case .wait(let press):
                    presses += 1
                    waiting.append(press)
                case .tap, .hold, .forget: done += 1
                case nil: break
                }
            }
            #expect(done <= presses && presses - done <= 1)
        }
    }

    /// N18: the button and a phrase lead to one call, which leaves one trace.
    @Test func `a button that is held and a phrase begin the same conversation`() async throws {
        var traces: [[ConversationSnapshot.Phase]] = []
        for isByButton in [true, false] {
            let (lab, clock) = (ConversationTests.Lab(), ManualClock())
            let taps = Mutex(0)
            let updates = lab.conversation.updates()
            let button = TalkButton(clock: clock) {
                taps.withLock { $0 += 1 }
            } onHold: {
                await lab.conversation.start()
            }
            if isByButton {
                await button.press()
                await clock.sleepers(1)
                clock.advance(by: .milliseconds(499))
                #expect(lab.conversation.current.phase == .idle)
                clock.advance(by: .milliseconds(1))
            } else {
                await lab.conversation.start()
            }
            lab.say("what is new", in: try await lab.listening(1))
            try await lab.conversation.wait { $0.phase == .waiting }
            await button.release()
            await lab.conversation.stop()
            #expect(taps.withLock { $0 } == 0)
            var phases: [ConversationSnapshot.Phase] = []
            for await snapshot in updates {
                if phases.last != snapshot.phase { phases.append(snapshot.phase) }
                if snapshot.phase == .idle, phases.count > 1 { break }
            }
            traces.append(phases)
        }
        #expect(traces[0] == traces[1])
        #expect(traces[0].count > 5)
    }

    @Test func `a tap is no conversation`() async throws {
        let clock = ManualClock()
        let done = Mutex<[String]>([])
        let button = TalkButton(clock: clock) {
            done.withLock { $0.append("tap") }
        } onHold: {
            done.withLock { $0.append("hold") }
        }
        await button.press()
        await clock.sleepers(1)
        clock.advance(by: .milliseconds(499))
        await button.release()
        clock.advance(by: .seconds(1))
        for _ in 0..<100 { await Task.yield() }
        #expect(done.withLock { $0 } == ["tap"])
        await button.press()
        await button.cancel()
        clock.advance(by: .seconds(1))
        for _ in 0..<100 { await Task.yield() }
        #expect(done.withLock { $0 } == ["tap"])
    }
}
