// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffVoice
import Testing

/// Turns on virtual time: what happens when, and when the turn is over.
struct EndpointerTests {
    enum Event: Sendable {
        case text(String, at: Double)
        /// The voice began or fell silent.
        case voice(Bool, at: Double)
    }

    struct Turn: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let policy: EndpointPolicy
        let events: [Event]
        let end: Double?
        let reason: Endpointer.Reason?

        init(_ name: String, _ policy: EndpointPolicy, _ events: [Event], _ end: Double?, _ reason: Endpointer.Reason?)
        {
            (testDescription, self.policy, self.events, self.end, self.reason) = (name, policy, events, end, reason)
        }
    }

    private static func endpointer(_ policy: EndpointPolicy, _ events: [Event]) -> Endpointer {
        var endpointer = Endpointer(policy)
        for event in events {
            switch event {
            case .text(let text, let time): endpointer.heard(text, at: .milliseconds(Int(time * 1000)))
            case .voice(let isSpeaking, let time):
                endpointer.voiceChanged(isSpeaking: isSpeaking, at: .milliseconds(Int(time * 1000)))
            }
        }
        return endpointer
    }

    private func check(_ turn: Turn) {
        let endpointer = Self.endpointer(turn.policy, turn.events)
        guard let end = turn.end else {
            #expect(endpointer.due == nil)
            #expect(endpointer.end == nil)
            #expect(endpointer.reason(at: .seconds(1_000_000)) == nil)
            return
        }
        let due = Duration.milliseconds(Int(end * 1000))
        #expect(endpointer.due == due)
        #expect(endpointer.reason(at: due - .nanoseconds(1)) == nil)
        #expect(endpointer.reason(at: due) == turn.reason)
        #expect(endpointer.reason(at: due + .seconds(100)) == turn.reason)
    }

    // MARK: Riff's call

    static let calls = [
        Turn("nothing", .riffCall, [], nil, nil),
        Turn("an empty text", .riffCall, [.text("", at: 1)], nil, nil),
        Turn("punctuation alone", .riffCall, [.text("...", at: 1)], nil, nil),
        Turn("a whole utterance, no detector", .riffCall, [.text("run the tests", at: 2)], 5, .pause),
        Turn("an open utterance, no detector", .riffCall, [.text("run the", at: 2)], 8, .backstop),
        Turn("a filler", .riffCall, [.text("um", at: 2)], 8, .backstop),
        Turn(
            "the last new word counts",
            .riffCall,
            [.text("run", at: 1), .text("run the", at: 2), .text("run the tests", at: 4.5)],
            7.5,
            .pause
        ),
        Turn(
            "the same text again is no new word",
            .riffCall,
            [.text("run the tests", at: 2), .text("run the tests", at: 4)],
            5,
            .pause
        ),
        Turn(
            "a full stop, capitals and quotes are no new word",
            .riffCall,
            [.text("run the tests", at: 2), .text("\u{201C}Run the tests.\u{201D}", at: 4)],
            5,
            .pause
        ),
        Turn(
            "an ellipsis that comes later is no new word, but opens it",
            .riffCall,
            [.text("run the tests", at: 2), .text("Run the tests...", at: 4)],
            8,
            .backstop
        ),
        Turn(
            "another word in place of the last is a new word",
            .riffCall,
            [.text("run the test", at: 2), .text("run the tests", at: 4)],
            7,
            .pause
        ),
        Turn(
            "a text that is taken back",
            .riffCall,
            [.text("run", at: 2), .text("", at: 3)],
            nil,
            nil
        ),
    ]

    @Test(arguments: calls)
    func `a call ends three seconds behind whole words and six behind open ones`(turn: Turn) { check(turn) }

    static let detected = [
        Turn(
            "silence behind whole words",
            .riffCall,
            [.voice(true, at: 0.5), .text("run the tests", at: 2), .voice(false, at: 2)],
            3,
            .complete
        ),
        Turn(
            "silence behind open words",
            .riffCall,
            [.voice(true, at: 0.5), .text("run the", at: 2), .voice(false, at: 2)],
            8,
            .backstop
        ),
        Turn(
            "the voice goes on for ever",
            .riffCall,
            [.voice(true, at: 0.5), .text("run the tests", at: 2)],
            8,
            .backstop
        ),
        Turn(
            "the voice begins again",
            .riffCall,
            [.voice(true, at: 0.5), .text("run the tests", at: 2), .voice(false, at: 2), .voice(true, at: 2.5)],
            8,
            .backstop
        ),
        Turn(
            "and falls silent again, without a word",
            .riffCall,
            [
                .voice(true, at: 0.5), .text("run the tests", at: 2), .voice(false, at: 2), .voice(true, at: 2.5),
                .voice(false, at: 2.75),
            ],
            3.75,
            .complete
        ),
        Turn(
            "so late that the usual pause is over first",
            .riffCall,
            [.voice(true, at: 0.5), .text("run the tests", at: 2), .voice(false, at: 4.5)],
            5,
            .pause
        ),
        Turn(
            "the recognizer's word comes behind the silence",
            .riffCall,
            [.voice(true, at: 0.5), .text("run the", at: 1.5), .voice(false, at: 2), .text("run the tests", at: 2.25)],
            3,
            .complete
        ),
        Turn(
            "it comes so late that it was spoken later than the silence",
            .riffCall,
            [.voice(true, at: 0.5), .text("run the", at: 1.5), .voice(false, at: 2), .text("run the tests", at: 4)],
            4.5,
            .complete
        ),
        Turn(
            "the detector's word comes late, for an earlier time",
            .riffCall,
            [.voice(true, at: 0.5), .text("run the tests", at: 2.5), .voice(false, at: 2.25)],
            3.25,
            .complete
        ),
        Turn("silence before the first voice", .riffCall, [.voice(false, at: 0.5)], nil, nil),
        Turn(
            "silence that was never broken is no detector",
            .riffCall,
            [.voice(false, at: 0.5), .text("run the tests", at: 2)],
            5,
            .pause
        ),
        Turn(
            "silence told twice begins once",
            .riffCall,
            [.voice(true, at: 0.5), .text("run the tests", at: 2), .voice(false, at: 2), .voice(false, at: 2.5)],
            3,
            .complete
        ),
        Turn("voice without words", .riffCall, [.voice(true, at: 0.5), .voice(false, at: 2)], nil, nil),
    ]

    @Test(arguments: detected)
    func `with a detector a call ends one second behind whole words`(turn: Turn) { check(turn) }

    // MARK: Pauses and the recognizer's lag

    static func adaptive(_ pause: Duration, lag: Duration) -> EndpointPolicy {
        EndpointPolicy(basis: .words, pauseWhenComplete: pause, pause: .seconds(3), recognizerLag: lag)
    }

    static let lagging: [(pause: Double, lag: Double, word: Double, end: Double)] = [
        // Until the last words can have come.
        (0.25, 1.5, 2, 3.5), (0.25, 0, 2, 2.25), (1, 1, 2, 3), (1, 0.5, 2, 3),
        // Words that come within the lag are part of what was spoken before the silence.
        (0.5, 1, 2.5, 3), (0.5, 1, 3, 3), (0.5, 1, 3.5, 3.5), (1, 0, 2.5, 3.5),
    ]

    @Test(arguments: lagging)
    func `the adaptive pause waits for the recognizer's last words`(
        _ row: (pause: Double, lag: Double, word: Double, end: Double)
    ) {
        let policy = Self.adaptive(
            .milliseconds(Int(row.pause * 1000)),
            lag: .milliseconds(Int(row.lag * 1000))
        )
        let events: [Event] = [.voice(true, at: 0.5), .voice(false, at: 2), .text("run the tests", at: row.word)]
        check(Turn("lag", policy, events, row.end, .complete))
    }

    @Test func `what a policy leaves out never ends a turn`() {
        let events: [Event] = [.voice(true, at: 0), .text("run the tests", at: 2)]
        check(Turn("no backstop", Self.adaptive(.seconds(1), lag: .zero), events, nil, nil))
        let words = EndpointPolicy(basis: .words, pauseWhenComplete: .seconds(1))
        check(Turn("no pause, no detector", words, [.text("run the tests", at: 2)], nil, nil))
        check(Turn("no pause", words, events + [.voice(false, at: 2)], 3, .complete))
    }

    // MARK: By the voice

    static let voices = [
        Turn("nothing is limited too", .sven, [], 120, .limit),
        Turn("silence before the first voice", .sven, [.voice(false, at: 1)], 120, .limit),
        Turn("silence behind no words", .sven, [.voice(true, at: 1), .voice(false, at: 4)], 6, .pause),
        Turn(
            "silence behind open words",
            .sven,
            [.voice(true, at: 1), .text("run the", at: 3), .voice(false, at: 4)],
            6,
            .backstop
        ),
        Turn(
            "silence behind whole words",
            .sven,
            [.voice(true, at: 1), .text("run it", at: 3), .voice(false, at: 4)],
            6,
            .complete
        ),
        Turn(
            "words behind the silence count for nothing",
            .sven,
            [.voice(true, at: 1), .voice(false, at: 4), .text("run it", at: 5)],
            6,
            .complete
        ),
        Turn("the voice goes on", .sven, [.voice(true, at: 1), .text("run it", at: 3)], 120, .limit),
        Turn("silence at the limit", .sven, [.voice(true, at: 1), .voice(false, at: 119)], 120, .limit),
        Turn("words without a detector", .sven, [.text("run the", at: 3)], 5, .backstop),

        Turn("nothing", .remoteClaw, [], nil, nil),
        Turn(
            "whole",
            .remoteClaw,
            [.voice(true, at: 1), .text("run it", at: 3), .voice(false, at: 4)],
            5.5,
            .complete
        ),
        Turn("open", .remoteClaw, [.voice(true, at: 1), .text("run the", at: 3), .voice(false, at: 4)], 6, .backstop),
        Turn("no words", .remoteClaw, [.voice(true, at: 1), .voice(false, at: 4)], 6, .pause),
        Turn("the voice goes on", .remoteClaw, [.voice(true, at: 1), .text("run it", at: 3)], nil, nil),

        Turn("nothing", .manual, [], nil, nil),
        Turn("all of it", .manual, [.voice(true, at: 1), .text("run it", at: 3), .voice(false, at: 4)], nil, nil),
        Turn("words", .manual, [.text("run it", at: 3)], nil, nil),
    ]

    @Test(arguments: voices)
    func `the other policies go by the voice`(turn: Turn) { check(turn) }

    @Test func `without rules for the language the usual pause holds`() {
        var endpointer = Endpointer(.riffCall, completeness: UtteranceCompleteness(language: "nl"))
        endpointer.voiceChanged(isSpeaking: true, at: .zero)
        endpointer.heard("en dan", at: .seconds(2))
        endpointer.voiceChanged(isSpeaking: false, at: .seconds(2))
        #expect(endpointer.due == .seconds(5))
        #expect(endpointer.reason(at: .seconds(5)) == .pause)
    }
}
