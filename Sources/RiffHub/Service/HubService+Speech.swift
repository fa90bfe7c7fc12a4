// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffTransport
public import RiffVoice

extension HubService {
    /// Turns a clip into text by the hub's recognizer: `POST /api/transcribe` (from 43321fe on).
    ///
    /// - Parameter clip: Raw samples, which go as WAV, or a file.
    /// - Returns: What was said; empty for less than 100 bytes.
    /// - Throws: ``HubError`` with `unsupported` where the hub is older; `CoreError` for a clip that cannot be made a
    ///   file; `CancellationError`.
    public func transcribe(_ clip: AudioClip) async throws -> Transcript {
        let file = try clip.asFile()
        let type =
            switch file.encoding {
            case .wav, .pcm: "audio/wav"
            case .m4a: "audio/mp4"
            case .flac: "audio/flac"
            case .mp3: "audio/mpeg"
            }
        let answer = try await success(
            .post,
            "/api/transcribe",
            content: (file.bytes, type),
            what: "a transcription",
            within: timing.work
        )
        guard let text = try json(of: answer, "a transcription")["text"]?.text else {
            throw HubError.malformed("a transcription")
        }
        return Transcript(text: text)
    }

    /// Lets the hub speak a text: `POST /api/tts` (from 43321fe on).
    ///
    /// - Parameters:
    ///   - text: The text; not empty.
    ///   - voice: The voice; the hub's own where `nil`.
    /// - Returns: The sound; its kind is told by its first bytes.
    /// - Throws: ``HubError`` with `unsupported` where the hub is older, `refused` for an empty text, `answerMalformed`
    ///   for a sound of an unknown kind; `CancellationError`.
    public func speech(of text: String, voice: HubVoice.ID? = nil) async throws -> AudioClip {
        var json: JSONObject = ["text": .string(text)]
        if let voice { json["voice"] = .string(voice.rawValue) }
        let answer = try await success(.post, "/api/tts", json, what: "speech", within: timing.work, upTo: 64 << 20)
        guard let clip = AudioClip(file: answer.body) else { throw HubError.malformed("a sound") }
        return clip
    }
}
