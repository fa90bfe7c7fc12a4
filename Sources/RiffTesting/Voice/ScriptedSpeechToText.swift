// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffVoice
internal import Synchronization

// sample: clip: AudioClip
/// An engine with scripted answers, which keeps the requests that it got.
///
/// ```swift
/// let engine = ScriptedSpeechToText { clip, _ in Transcript(text: clip.bytes.isEmpty ? "" : "hello") }
/// ```
public final class ScriptedSpeechToText: SpeechToText {
    /// A request that was made.
    public struct Request: Sendable, Hashable {
        /// The clip to recognize.
        public let clip: AudioClip
        /// The words to expect.
        public let keyTerms: [String]
    }

    private struct State {
        var requests: [Request] = []
        var running = 0
        var mostAtOnce = 0
    }

    private let answer: @Sendable (AudioClip, Int) async throws -> Transcript
    private let state = Mutex(State())

    /// Creates an engine.
    ///
    /// - Parameter answer: Answers a clip; the number counts them from 0. It may throw, and wait.
    public init(_ answer: @escaping @Sendable (AudioClip, Int) async throws -> Transcript) { self.answer = answer }

    /// Everything that was asked so far.
    public var requests: [Request] { state.withLock { $0.requests } }

    /// The most clips that it was ever given at once.
    public var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }

    /// Answers without words to expect.
    public func transcribe(_ clip: AudioClip) async throws -> Transcript { try await transcribe(clip, expecting: []) }

    /// Keeps the request and answers it; a caller who was cancelled before asks nothing.
    public func transcribe(_ clip: AudioClip, expecting keyTerms: [String]) async throws -> Transcript {
        try Task.checkCancellation()
        let number = state.withLock { state in
            state.requests.append(Request(clip: clip, keyTerms: keyTerms))
            state.running += 1
            state.mostAtOnce = max(state.mostAtOnce, state.running)
            return state.requests.count - 1
        }
        defer { state.withLock { $0.running -= 1 } }
        return try await answer(clip, number)
    }
}
