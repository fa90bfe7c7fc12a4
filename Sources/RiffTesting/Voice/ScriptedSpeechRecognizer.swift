// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffVoice
internal import Synchronization

// sample: line: TranscriptLine
/// A recognizer whose turns a test speaks for: it delivers the events that it is given, and keeps the calls that were
/// made to it.
///
/// ```swift
/// let recognizer = ScriptedSpeechRecognizer()
/// let turn = try await recognizer.beginTurn()
/// recognizer.turns[0].tell(.line(line))
/// ```
public final class ScriptedSpeechRecognizer: SpeechRecognizer {
    private let failure: (any Error)?
    private let begun = Mutex<[ScriptedSpeechTurn]>([])

    /// Creates a recognizer.
    ///
    /// - Parameter failure: What beginning a turn throws, such as a missing permission.
    public init(failure: (any Error)? = nil) { self.failure = failure }

    /// The turns so far.
    public var turns: [ScriptedSpeechTurn] { begun.withLock { $0 } }

    /// Begins a turn.
    public func beginTurn() async throws -> any SpeechTurn {
        if let failure { throw failure }
        let turn = ScriptedSpeechTurn()
        begun.withLock { $0.append(turn) }
        return turn
    }
}

/// A turn of a ``ScriptedSpeechRecognizer``; it ends when it is finished or cancelled, or by ``fail(_:)``.
public final class ScriptedSpeechTurn: SpeechTurn {
    /// The way that a turn ended.
    public enum End: Sendable, Hashable {
        /// By `finish()`.
        case finished
        /// By `cancel()`.
        case cancelled
    }

    private let state = Mutex<(heard: [UInt8], end: End?)>(([], nil))
    private let stream: AsyncThrowingStream<RecognitionEvent, any Error>
    private let writer: AsyncThrowingStream<RecognitionEvent, any Error>.Continuation

    init() {
        // A test tells no more than it reads.
        (stream, writer) = AsyncThrowingStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// All of the audio so far.
    public var heard: [UInt8] { state.withLock { $0.heard } }

    /// The way that the turn ended; `nil` while it is under way.
    public var end: End? { state.withLock { $0.end } }

    /// Tells the reader.
    public func tell(_ event: RecognitionEvent) { writer.yield(event) }

    /// Ends the events with an error, as a recognizer does that cannot go on.
    public func fail(_ error: any Error) { writer.finish(throwing: error) }

    /// The events that are delivered.
    public var events: any AsyncSequence<RecognitionEvent, any Error> & Sendable { stream }

    /// Keeps the frames.
    public func hear(_ frames: [UInt8]) async throws {
        try Task.checkCancellation()
        state.withLock { $0.heard += frames }
    }

    /// Ends the events after those that were told.
    public func finish() async throws { end(as: .finished) }

    /// Ends the events.
    public func cancel() async { end(as: .cancelled) }

    private func end(as end: End) {
        state.withLock { $0.end = $0.end ?? end }
        writer.finish()
    }
}
