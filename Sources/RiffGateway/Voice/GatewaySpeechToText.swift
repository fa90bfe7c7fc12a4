// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
internal import RiffTransport

/// Speech to text by a gateway: `POST /api/voice/transcribe`.
///
/// The gateway cuts a clip that is too large without a word and recognises the rest; it is refused here.
public struct GatewaySpeechToText: SpeechToText {
    /// The fewest bytes that a clip can have.
    static let leastBytes = 100

    private let gateway: ChatGateway
    private let offer: VoiceOffer.Recognition?
    private let language: String

    /// A recogniser.
    ///
    /// - Parameters:
    ///   - gateway: The gateway.
    ///   - offer: What it offers, from ``ChatGateway/voice()``: its limits.
    ///   - language: The language that is spoken, ISO 639-1; the gateway takes English where it is told nothing.
    public init(_ gateway: ChatGateway, offer: VoiceOffer.Recognition? = nil, language: String = "en") {
        (self.gateway, self.offer, self.language) = (gateway, offer, language)
    }

    /// Sends a clip, as a WAV file where it is raw samples.
    ///
    /// - Throws: ``GatewayError``: `audioTooShort` and `audioTooLarge` before anything is sent; `voiceUnavailable`;
    ///   `CoreError` for samples of a format that WAV has not; `CancellationError`.
    public func transcribe(_ clip: AudioClip) async throws -> Transcript {
        let file = try clip.asFile()
        guard file.bytes.count >= Self.leastBytes else {
            throw GatewayError(.audioTooShort, "The recording is empty; record again.")
        }
        let limit = offer?.limitBytes ?? 25 * 1_048_576
        guard file.bytes.count <= limit else {
            let message = "The recording is larger than the \(limit / 1_048_576) MB that the gateway takes."
            throw GatewayError(.audioTooLarge, message)
        }
        var form = MultipartBody(
            file: .init(name: "file", filename: file.fileName, type: file.mediaType, bytes: file.bytes)
        )
        form.fields = [.init(name: "language", value: language)]
        var request = try gateway.request(.post, "/api/voice/transcribe")
        request.headerFields[.contentType] = form.contentType
        let answer = try await gateway.answer(to: request, form.body, within: gateway.timing.work)
        guard answer.head.status == .ok else { throw GatewayError(voice: answer) }
        guard let json = try? JSONValue(parsing: answer.body), let text = json["text"]?.text else {
            throw gateway.malformed("what was said")
        }
        return Transcript(text: text, language: json["language"]?.text)
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

extension GatewayError {
    /// What an answer without success to speech means.
    init(voice answer: HTTPAnswer) {
        let refusal = GatewayError(refusal: answer.head, body: answer.body)
        guard answer.head.status == .serviceUnavailable else {
            self = refusal
            return
        }
        self.init(
            .voiceUnavailable,
            "The gateway has nothing for speech (503); set its provider there.",
            answer: refusal.answer,
            status: 503
        )
    }
}

extension GatewayError.Code {
    /// The recording holds nothing; it was not sent.
    public static let audioTooShort = GatewayError.Code(rawValue: "audioTooShort")
    /// The recording is larger than the gateway takes; it was not sent.
    public static let audioTooLarge = GatewayError.Code(rawValue: "audioTooLarge")
    /// The gateway has no provider for speech (503).
    public static let voiceUnavailable = GatewayError.Code(rawValue: "voiceUnavailable")
}
