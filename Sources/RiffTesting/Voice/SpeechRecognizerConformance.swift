// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffVoice

/// The rules of `SpeechRecognizer` and `SpeechTurn`, as checks that any recognizer can run.
public struct SpeechRecognizerConformance: Sendable {
    private let speech: [UInt8]
    private let isRight: @Sendable (String) -> Bool
    private let limit: Duration
    private let make: @Sendable () async throws -> any SpeechRecognizer

    /// Checks of the recognizers that the closure makes.
    ///
    /// - Parameters:
    ///   - speech: One sentence with a pause of a second or more before and after it, samples of `AudioFormat.speech`.
    ///   - limit: How long one check may take.
    ///   - isRight: Whether a text is what is said there.
    ///   - make: Makes a recognizer.
    public init(
        hearing speech: [UInt8],
        limit: Duration = .seconds(60),
        isRight: @escaping @Sendable (String) -> Bool,
        make: @escaping @Sendable () async throws -> any SpeechRecognizer
    ) {
        (self.speech, self.isRight, self.limit, self.make) = (speech, isRight, limit, make)
    }

    /// Every check.
    public static let checks: [ConformanceCheck<SpeechRecognizerConformance>] = [
        .init("recognizes") { try await $0.recognizes() }, .init("takesAnySplit") { try await $0.takesAnySplit() },
        .init("inventsNothing") { try await $0.inventsNothing() },
        .init("keepsTurnsApart") { try await $0.keepsTurnsApart() }, .init("endsOnce") { try await $0.endsOnce() },
        .init("cancels") { try await $0.cancels() }, .init("cancelsAnEnd") { try await $0.cancelsAnEnd() },
    ]

    /// Runs every check.
    ///
    /// - Throws: ``ConformanceFailure`` at the first rule that is not kept; what the closure throws.
    public func runAll() async throws { for check in Self.checks { try await check.run(self) } }

    /// A turn tells when a voice begins and ends, and what it said, as complete lines that lie within the audio.
    public func recognizes() async throws {
        try await bounded(#function, by: limit) { [self] in
            let told = try await Told.by(try await make().beginTurn(), hearing: speech, cut: 640)
            try expect(isRight(told.transcript.text), "the sentence is recognized, not \(told.transcript.text)")
            try expect(told.transcript.isComplete, "the end of a turn completes its lines")
            try expect(told.voices.first == true && told.voices.last == false, "a voice begins, and ends")
            try expect(!zip(told.voices, told.voices.dropFirst()).contains { $0 == $1 }, "it does so by turns")
            let length = Duration.seconds(1) * (speech.count / 2) / AudioFormat.speech.sampleRate
            for line in told.transcript.lines {
                try expect(line.start >= .zero && line.duration > .zero, "a line has a time")
                try expect(line.start + line.duration <= length + .milliseconds(100), "a line lies within the audio")
            }
        }
    }

    /// What is recognized does not depend on how the frames are cut into calls.
    public func takesAnySplit() async throws {
        try await bounded(#function, by: limit) { [self] in
            for cut in [334, 32_000, speech.count] {
                let told = try await Told.by(try await make().beginTurn(), hearing: speech, cut: cut)
                let text = told.transcript.text
                try expect(isRight(text), "in pieces of \(cut) bytes it is the same sentence, not \(text)")
            }
        }
    }

    /// Silence and no audio have no words.
    public func inventsNothing() async throws {
        try await bounded(#function, by: limit) { [self] in
            for count in [0, 64_000] {
                let silence = [UInt8](repeating: 0, count: count)
                let told = try await Told.by(try await make().beginTurn(), hearing: silence, cut: 640)
                try expect(told.transcript.text.isEmpty, "silence says nothing, not \(told.transcript.text)")
            }
        }
    }

    /// Nothing of a turn is heard in the next one, and the ids of its lines are new.
    public func keepsTurnsApart() async throws {
        try await bounded(#function, by: limit) { [self] in
            let recognizer = try await make()
            var ids: Set<TranscriptLine.ID> = []
            for isCut in [true, false, false] {
                let turn = try await recognizer.beginTurn()
                if isCut {
                    // A turn that was given up in the middle of a word.
                    try await turn.hear(Array(speech.prefix(speech.count / 4 * 2)))
                    await turn.cancel()
                    continue
                }
                let told = try await Told.by(turn, hearing: speech, cut: 640)
                try expect(isRight(told.transcript.text), "each turn hears its own, not \(told.transcript.text)")
                let own = Set(told.transcript.lines.map(\.id))
                try expect(ids.isDisjoint(with: own), "the ids of lines are not used again")
                ids.formUnion(own)
            }
        }
    }

    /// After its end a turn hears nothing, and cancelling it does no harm.
    public func endsOnce() async throws {
        try await bounded(#function, by: limit) { [self] in
            let turn = try await make().beginTurn()
            _ = try await Told.by(turn, hearing: speech, cut: 640)
            try await refuses("audio after the end") { try await turn.hear([0, 0]) }
            await turn.cancel()
            await turn.cancel()
        }
    }

    /// Cancelling ends the events, whether something was heard or not, and more than once.
    public func cancels() async throws {
        try await bounded(#function, by: limit) { [self] in
            for part in [0, speech.count / 4 * 2, speech.count] {
                let turn = try await make().beginTurn()
                let reading = Task { try await Told.reading(turn) }
                try await turn.hear(Array(speech.prefix(part)))
                await turn.cancel()
                await turn.cancel()
                _ = try await reading.value
                try await refuses("audio after cancelling") { try await turn.hear([0, 0]) }
            }
        }
    }

    /// A cancelled end is a cancelled turn.
    public func cancelsAnEnd() async throws {
        try await bounded(#function, by: limit) { [self] in
            let turn = try await make().beginTurn()
            let reading = Task { try await Told.reading(turn) }
            try await turn.hear(speech)
            let ending = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await turn.finish()
            }
            do {
                try await ending.value
                throw Violation(message: "a cancelled end must throw")
            } catch is CancellationError {}
            await turn.cancel()
            _ = try await reading.value
        }
    }

    /// The events that a turn delivered.
    private struct Told: Sendable {
        var transcript = TranscriptAccumulator()
        /// Whether a voice began (true) or ended.
        var voices: [Bool] = []

        /// Hears all of it in pieces of some bytes, and ends the turn.
        static func by(_ turn: any SpeechTurn, hearing bytes: [UInt8], cut: Int) async throws -> Told {
            let told = Task { try await reading(turn) }
            for start in stride(from: 0, to: bytes.count, by: max(2, cut)) {
                try await turn.hear(Array(bytes[start..<min(start + cut, bytes.count)]))
            }
            try await turn.finish()
            return try await told.value
        }

        static func reading(_ turn: any SpeechTurn) async throws -> Told {
            var told = Told()
            for try await event in turn.events {
                switch event {
                case .line(let line): told.transcript.update(line)
                case .speechStarted: told.voices.append(true)
                case .speechEnded: told.voices.append(false)
                case .failed(let failure): throw Violation(message: "the engine failed: \(failure.error)")
                }
            }
            return told
        }
    }
}
