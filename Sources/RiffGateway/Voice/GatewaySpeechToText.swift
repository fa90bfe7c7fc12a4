// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
internal import RiffTransport
public import RiffVoice

/// Speech to text by a gateway: `POST /api/voice/transcribe`.
///
/// The gateway cuts a clip that is too large without a word and recognizes the rest; it is refused here.
public struct GatewaySpeechToText: SpeechToText {
    /// The result of a gateway for a clip.
    package struct Recognition: Sendable, Hashable {
        /// The text of the clip.
        package let transcript: Transcript
        /// The duration of the clip, by the gateway's account.
        package let duration: Duration?

        /// A recognition; for tests and previews.
        package init(transcript: Transcript, duration: Duration? = nil) {
            (self.transcript, self.duration) = (transcript, duration)
        }
    }

    /// The fewest bytes that a clip can have.
    static let leastBytes = 100

    private let gateway: ChatGateway
    private let offer: VoiceOffer?
    private let language: String

    /// Creates a recognizer.
    ///
    /// - Parameters:
    ///   - gateway: The gateway.
    ///   - offer: What it offers, from ``ChatGateway/voice()``: whether it recognizes speech, and its limits; `nil`
    ///     where it was not asked, and the standard ones hold.
    ///   - language: The language that is spoken, ISO 639-1; the gateway takes English where it is told nothing.
    public init(_ gateway: ChatGateway, offer: VoiceOffer? = nil, language: String = "en") {
        (self.gateway, self.offer, self.language) = (gateway, offer, language)
    }

    /// Sends a clip, as a WAV file where it is raw samples.
    ///
    /// - Throws: As ``recognize(_:)`` does.
    public func transcribe(_ clip: AudioClip) async throws -> Transcript { try await recognize(clip).transcript }

    /// Sends a clip, as a WAV file where it is raw samples, and tells all that the gateway says of it.
    ///
    /// - Parameter clip: The clip. How long AAC, FLAC and MP3 are, only a decoder knows; the gateway judges that.
    /// - Returns: What was said.
    /// - Throws: ``GatewayError``: `audioTooShort`, `audioTooLarge` and `audioTooLong` before anything is sent;
    ///   `voiceUnavailable`, also before, where the offer says so; `rateLimited`, also where it is the service behind
    ///   the gateway that takes no more; `CoreError` for samples of a format that WAV has not, and for a WAV file that
    ///   cannot be read; `CancellationError`.
    package func recognize(_ clip: AudioClip) async throws -> Recognition {
        if let offer, offer.recognition == nil { throw GatewayError.noVoice(status: nil) }
        let file = try clip.asFile()
        try check(file, against: offer?.recognition ?? VoiceOffer.Recognition())
        var form = MultipartBody(
            file: .init(name: "file", filename: file.fileName, type: file.mediaType, bytes: file.bytes)
        )
        form.fields = [.init(name: "language", value: language)]
        var request = try gateway.request(.post, "/api/voice/transcribe")
        request.headerFields[.contentType] = form.contentType
        let answer = try await gateway.answer(to: request, form.body, within: gateway.timing.work)
        guard answer.head.status == .ok else { throw GatewayError(voice: answer, to: request) }
        let json = try gateway.json(of: answer)
        guard let text = json["text"]?.text else { throw gateway.malformed("what was said") }
        let transcript = Transcript(text: text, language: json["language"]?.text)
        return Recognition(transcript: transcript, duration: json["duration"]?.seconds)
    }

    private func check(_ file: AudioClip, against limits: VoiceOffer.Recognition) throws {
        guard file.bytes.count >= Self.leastBytes else {
            throw GatewayError(.audioTooShort, "The recording is empty; record again.")
        }
        guard file.bytes.count <= limits.limitBytes else {
            let message = "The recording is larger than the \(limits.limitBytes / 1_048_576) MB that the gateway takes."
            throw GatewayError(.audioTooLarge, message)
        }
        // What says to be a WAV file is read here, too.
        guard let duration = try file.duration(), duration > limits.longest else { return }
        let seconds = limits.longest.components.seconds
        throw GatewayError(.audioTooLong, "The recording is longer than the \(seconds) seconds that the gateway takes.")
    }
}

extension AudioClip {
    fileprivate var fileName: String {
        switch encoding {
        case .wav, .pcm: "audio.wav"
        case .m4a: "audio.m4a"
        case .flac: "audio.flac"
        case .mp3: "audio.mp3"
        }
    }

    fileprivate var mediaType: String {
        switch encoding {
        case .wav, .pcm: "audio/wav"
        case .m4a: "audio/mp4"
        case .flac: "audio/flac"
        case .mp3: "audio/mpeg"
        }
    }
}

extension GatewayErrorCode {
    /// The recording holds nothing; it was not sent.
    public static let audioTooShort = GatewayError.Code(rawValue: "audioTooShort")
    /// The recording is larger than the gateway takes; it was not sent.
    public static let audioTooLarge = GatewayError.Code(rawValue: "audioTooLarge")
    /// The recording is longer than the gateway takes; it was not sent.
    public static let audioTooLong = GatewayError.Code(rawValue: "audioTooLong")
}
