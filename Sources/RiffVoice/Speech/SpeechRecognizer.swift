// Riff
// SPDX-License-Identifier: Apache-2.0

/// A seam: recognizes speech while it is spoken, one turn at a time.
///
/// To the implementer: each turn has an engine's request of its own, so that what limits one (a minute on Apple's
/// systems) does not limit a conversation, and nothing of a turn is heard in the next one. Line ids are not used again
/// in another turn of the same recognizer. A person's missing permission is thrown by ``beginTurn()``.
public protocol SpeechRecognizer: Sendable {
    /// Makes the first turn as quick as the others; does nothing where there is nothing to load.
    ///
    /// - Parameter report: Told of each step, as by ``SpeechToText/prepare(_:)``.
    /// - Throws: A ``RiffError`` where it cannot be made ready; `CancellationError`.
    func prepare(_ report: @Sendable (EnginePreparation) -> Void) async throws

    /// Begins a turn. Call ``SpeechTurn/finish()`` or ``SpeechTurn/cancel()`` before dropping it.
    func beginTurn() async throws -> any SpeechTurn
}

/// A seam: one turn of speech, from the first frame to the last line.
///
/// To the implementer: calls come one after another. `events` is single-consumer and bounded; it ends after the last
/// line, or when the turn is cancelled, and throws where the recognizer cannot go on. What fails and is tried again, or
/// fails for one line only, is an event.
public protocol SpeechTurn: Sendable {
    /// What is recognized, as it is.
    var events: any AsyncSequence<RecognitionEvent, any Error> & Sendable { get }

    /// Takes the next frames, whole samples of the format `AudioFormat.speech`. Returns without waiting for the engine.
    func hear(_ frames: [UInt8]) async throws

    /// Ends the audio; returns when all of it is recognized and told. Cancellation cancels the turn.
    func finish() async throws

    /// Ends the turn at once and releases the engine; what is not told yet is dropped. May be called more than once.
    func cancel() async
}

extension SpeechRecognizer {
    /// Ready at once: for recognizers that load nothing.
    public func prepare(_ report: @Sendable (EnginePreparation) -> Void) async throws { report(.ready) }

    /// Recognizes a source in one turn, until it ends: `AudioSource.stop()` is how to end it early. A device that
    /// changes its format meanwhile is heard on.
    ///
    /// - Parameters:
    ///   - source: Started here, and stopped however this returns.
    ///   - body: Told of each event. What it throws ends the turn and is thrown.
    /// - Throws: What the source throws, once all that came before is recognized; what the turn or the body throws;
    ///   `CoreError` where the source's format cannot be converted; `CancellationError`.
    public func recognize(
        _ source: any AudioSource,
        _ body: @Sendable (RecognitionEvent) async throws -> Void
    ) async throws {
        let turn = try await beginTurn()
        do {
            let format = try await source.start()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await Self.feed(source, format, to: turn) }
                do {
                    for try await event in turn.events { try await body(event) }
                    try Task.checkCancellation()
                } catch {
                    // The group waits for the feeding task, which only the end of the source is sure to end.
                    await source.stop()
                    await turn.cancel()
                    throw error
                }
                try await group.waitForAll()
            }
        } catch {
            await source.stop()
            await turn.cancel()
            throw error
        }
        await source.stop()
    }

    private static func feed(_ source: any AudioSource, _ format: AudioFormat, to turn: any SpeechTurn) async throws {
        do {
            var converter = try CaptureConverter(from: format, to: .speech)
            for try await event in source.events { try await turn.hear(converter.convert(event)) }
            try await turn.hear(converter.finish())
            try await turn.finish()
        } catch {
            // What was heard before a capture broke is recognized; where that fails, too, the capture is the cause.
            if !(error is CancellationError) { try? await turn.finish() }
            // Ends the events, so that they are not waited for.
            await turn.cancel()
            throw error
        }
    }
}
