// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Speech)
internal import Foundation
internal import RiffCore
public import RiffVoice
internal import Speech
internal import Synchronization

/// The system's recognizer, on the device where it can be: one request for each turn, which is one line.
///
/// Its words come about half a second late (`EndpointPolicy.recognizerLag`). A request that lasts a minute is ended by
/// the system, so that a conversation ends its turns before.
public final class SystemSpeechRecognizer: RiffVoice.SpeechRecognizer {
    private let language: String
    private let keyTerms: [String]
    private let turns = Mutex<UInt64>(0)

    /// Creates a recognizer.
    ///
    /// - Parameters:
    ///   - language: The language, as a BCP 47 tag.
    ///   - keyTerms: Words to expect; the first 100 are used.
    public init(language: String, keyTerms: [String] = []) {
        self.language = language
        self.keyTerms = keyTerms
    }

    /// Asks for permission where the person was not asked before, and begins a turn.
    ///
    /// - Returns: The turn.
    /// - Throws: `VoiceError` with `permissionRequired`, `speechEngineUnsupported` or `speechEngineFailed`.
    public func beginTurn() async throws -> any SpeechTurn {
        let status = EventualValue<SFSpeechRecognizerAuthorizationStatus>()
        // It answers on a queue of its own, at once where the person has answered before.
        SFSpeechRecognizer.requestAuthorization { status.resolve($0) }
        guard try await status.cancellableValue() == .authorized else {
            throw VoiceError.permissionRequired(missing: .speechRecognition)
        }
        guard let recognizer = SFSpeechRecognizer(locale: Locale(identifier: language)) else {
            throw VoiceError(.speechEngineUnsupported, "There is no recognizer for \(language).")
        }
        guard recognizer.isAvailable else {
            throw VoiceError(.speechEngineFailed, "The system's recognizer cannot be reached.", recovery: .retry)
        }
        let number = turns.withLock { turns in
            turns += 1
            return turns
        }
        return SystemSpeechTurn(recognizer, keyTerms: Array(keyTerms.prefix(100)), id: .init(rawValue: number))
    }
}
#endif
