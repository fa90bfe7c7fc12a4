// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTalk
import RiffTesting
import RiffVoice
import Testing

struct NarrationMachineTests {
    typealias Machine = NarrationMachine

    private static func answer(_ time: Double) -> AgentAnswer { AgentAnswer(time: time, .prose("\(time)")) }

    /// A machine that waits for an answer newer than 10, in poll 1.
    private static func polling() -> Machine {
        var machine = Machine()
        _ = machine.handle(.wanted(true))
        _ = machine.handle(.started)
        _ = machine.handle(.began(poll: 1, 10))
        return machine
    }

    /// N6, N7.
    @Test func `an answer is spoken once, and the next poll asks behind it`() {
        var machine = Machine()
        #expect(machine.handle(.started) == [], "it is off unless it is wanted")
        #expect(machine.handle(.wanted(true)) == [.poll(1, after: nil)])
        #expect(machine.handle(.began(poll: 1, 10)) == [])
        #expect(machine.handle(.answered(poll: 1, Self.answer(11))) == [.speak(2, Self.answer(11))])
        #expect(machine.isSpeaking)
        #expect(machine.handle(.spoken(2)) == [.poll(3, after: 11)])
        // A feed that tells what was told is not asked again at once.
        #expect(machine.handle(.answered(poll: 3, Self.answer(11))) == [.wait(poll: 3, .seconds(1))])
        #expect(machine.handle(.waited(poll: 3)) == [.poll(4, after: 11)])
    }

    @Test func `recording silences it and asks nothing; skipping breaks off one answer`() {
        var machine = Self.polling()
        #expect(machine.handle(.recording(true)) == [.cancelPoll(1)])
        #expect(machine.handle(.answered(poll: 1, Self.answer(11))) == [])
        #expect(machine.handle(.recording(false)) == [.poll(2, after: 10)], "it is told again")
        #expect(machine.handle(.answered(poll: 2, Self.answer(12))) == [.speak(3, Self.answer(12))])
        #expect(machine.handle(.skipped) == [.silence(3)])
        #expect(machine.handle(.spoken(3)) == [.poll(4, after: 12)])
        #expect(machine.handle(.skipped) == [])
        _ = machine.handle(.answered(poll: 4, Self.answer(13)))
        #expect(machine.handle(.recording(true)) == [.silence(5)])
        #expect(machine.handle(.spoken(5)) == [])
    }

    @Test func `what was said while it was off or away is not spoken`() {
        for (off, on) in [(Machine.Event.wanted(false), Machine.Event.wanted(true)), (.stopped, .started)] {
            var machine = Self.polling()
            #expect(machine.handle(off) == [.cancelPoll(1)])
            #expect(machine.handle(on) == [.poll(2, after: nil)])
        }
    }

    @Test func `a feed that fails is asked again after longer and longer waits`() {
        var machine = Self.polling()
        for (place, seconds) in [1, 2, 5, 10, 30, 30].enumerated() {
            #expect(machine.handle(.failed(poll: place + 1)) == [.wait(poll: place + 1, .seconds(seconds))])
            #expect(machine.handle(.waited(poll: place + 1)) == [.poll(place + 2, after: 10)])
        }
        _ = machine.handle(.answered(poll: 7, Self.answer(11)))
        #expect(machine.handle(.spoken(8)) == [.poll(9, after: 11)])
        #expect(machine.handle(.failed(poll: 9)) == [.wait(poll: 9, .seconds(1))])
        #expect(machine.handle(.stopped) == [.cancelPoll(9)])
    }

    @Test func `no order of events speaks twice, while somebody records, or after the end`() {
        var generator = SeededGenerator(seed: 11)
        var spoken = 0
        for _ in 0..<10_000 {
            var machine = Machine()
            var (polls, voices, heard): (Set<Int>, Set<Int>, [Double]) = ([], [], [])
            var (isRecording, isOn, isStarted, time) = (false, false, false, 0.0)
            var (isPaused, hasAudio, isAway) = (false, true, false)
            var isThere: Bool { !isPaused && hasAudio && !isAway }
            for _ in 0..<120 {
                time += 1
                let number = (polls.union(voices)).randomElement(using: &generator) ?? 0
                let poll = Bool.random(using: &generator) ? polls.first ?? 0 : number
                let event: Machine.Event
                switch Int.random(in: 0..<14, using: &generator) {
                case 0: (event, isStarted) = (.started, true)
                case 1 where Int.random(in: 0..<3, using: &generator) == 0:
                    (event, isStarted, isPaused, hasAudio) = (.stopped, false, false, true)
                case 11:
                    isPaused = Int.random(in: 0..<3, using: &generator) == 0
                    event = .paused(isPaused)
                case 12:
                    hasAudio = Int.random(in: 0..<3, using: &generator) > 0
                    event = .audio(isActive: hasAudio)
                case 13:
                    isAway = Int.random(in: 0..<3, using: &generator) == 0
                    if !isAway { hasAudio = true }
                    event = .background(isAway)
                case 2:
                    isOn = Int.random(in: 0..<4, using: &generator) > 0
                    event = .wanted(isOn)
                case 3:
                    isRecording = Int.random(in: 0..<3, using: &generator) == 0
                    event = .recording(isRecording)
                case 4: event = .skipped
                case 5: event = .began(poll: poll, time)
                case 6, 7: event = .answered(poll: poll, Self.answer(Bool.random(using: &generator) ? time : time - 5))
                case 8: event = .failed(poll: poll)
                case 9: event = .waited(poll: poll)
                default:
                    event = .spoken(number)
                    voices.remove(number)
                }
                for effect in machine.handle(event) {
                    switch effect {
                    case .poll(let number, _):
                        #expect(voices.isEmpty && isOn && isStarted && !isRecording && isThere)
                        polls = [number]
                    case .cancelPoll(let number): #expect(polls.remove(number) != nil)
                    case .wait(let number, _): #expect(polls.contains(number))
                    case .speak(let number, let answer):
                        spoken += 1
                        #expect(voices.isEmpty && isOn && isStarted && !isRecording && isThere)
                        #expect(heard.allSatisfy { $0 < answer.time } || heard.isEmpty, "\(heard), \(answer.time)")
                        heard.append(answer.time)
                        (polls, voices) = ([], [number])
                    case .resume(let number, let answer):
                        // What was broken off is spoken on; no other answer has come since.
                        #expect(voices.isEmpty && isOn && isStarted && !isRecording && isThere)
                        #expect(heard.last == answer.time)
                        (polls, voices) = ([], [number])
                    case .silence(let number): #expect(voices.contains(number))
                    }
                }
                #expect(machine.isActive == (isOn && isStarted && !isAway))
            }
        }
        #expect(spoken > 1_000, "the test reaches what it is about")
    }
}
