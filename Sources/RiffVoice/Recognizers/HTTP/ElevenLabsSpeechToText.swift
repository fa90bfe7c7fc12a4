// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
public import RiffCore
public import RiffTransport

/// Recognition by ElevenLabs Scribe, or a service that speaks its `POST /v1/speech-to-text`.
///
/// A clip of raw 16 kHz mono 16-bit samples is sent as such, which the service answers sooner; any other as a file.
/// Source: the API reference of ElevenLabs, "Create transcript".
public struct ElevenLabsSpeechToText: SpeechToText {
    /// What is asked of the service.
    public struct Options: Sendable, Hashable {
        /// The name of the model.
        public var model: String
        /// The model used when the service does not know ``model``; `nil` for none.
        public var fallbackModel: String?
        /// ISO 639 code of the language; `nil` lets the service find it.
        public var language: String?
        /// Words to expect, such as names.
        public var keyterms: [String]
        /// Whether the service may keep the request; `false` needs a plan that allows it.
        public var allowsLogging: Bool

        /// Options; Scribe 2, and Scribe 1 where it is not known, unless said otherwise.
        public init(
            model: String = "scribe_v2",
            fallbackModel: String? = "scribe_v1",
            language: String? = nil,
            keyterms: [String] = [],
            allowsLogging: Bool = true
        ) {
            self.model = model
            self.fallbackModel = fallbackModel
            self.language = language
            self.keyterms = keyterms
            self.allowsLogging = allowsLogging
        }
    }

    /// What is asked of the service.
    package let options: Options

    private let key: Secret
    private let address: ServiceAddress
    private let limitBytes: Int
    private let upload: TranscriptionUpload

    /// Creates a recognizer.
    ///
    /// - Parameters:
    ///   - key: The account's key; sent as `xi-api-key` and nowhere else.
    ///   - options: What is asked of the service.
    ///   - baseURL: The address of the service, with `/v1` at its end or without.
    ///   - limitBytes: The most bytes of audio sent; Scribe itself takes 3 GB.
    ///   - deadlines: How long it may take; Scribe gets 30 s after the upload unless said otherwise.
    ///   - transport: What carries the request.
    /// - Throws: ``VoiceError`` with `serviceAddressInvalid`.
    public init(
        key: Secret,
        options: Options = Options(),
        baseURL: String = "https://api.elevenlabs.io",
        limitBytes: Int = 26_214_400,
        deadlines: HTTPDeadlines = HTTPDeadlines(idle: .seconds(30), total: .seconds(150)),
        transport: any HTTPTransport
    ) throws(VoiceError) {
        self.key = key
        self.options = options
        self.limitBytes = limitBytes
        address = try ServiceAddress(baseURL)
        upload = TranscriptionUpload(service: address.name, transport: transport, deadlines: deadlines)
    }

    /// Sends the clip; an empty one is an empty transcript, and nothing is sent.
    ///
    /// - Throws: ``VoiceError`` with `transcriptionUnauthorized`, `transcriptionQuotaExceeded`,
    ///   `transcriptionRateLimited`, `transcriptionRejected`, `transcriptionTooLarge`, `transcriptionUnavailable` or
    ///   `transcriptionMalformed`; `TransportError` where the connection failed; `CancellationError`.
    public func transcribe(_ clip: AudioClip) async throws -> Transcript { try await transcribe(clip, expecting: []) }

    /// Sends the clip with these words beside those of ``options``; throws as ``transcribe(_:)`` does.
    public func transcribe(_ clip: AudioClip, expecting keyTerms: [String]) async throws -> Transcript {
        guard !clip.bytes.isEmpty else { return Transcript(text: "") }
        let isRaw = clip.encoding == .pcm(.speech)
        let file = try isRaw ? TranscriptionUpload.File(samples: clip.bytes) : TranscriptionUpload.File(clip)
        try upload.check(file, limit: limitBytes)
        var answer = try await send(file, isRaw: isRaw, model: options.model, keyTerms)
        if let fallback = options.fallbackModel, fallback != options.model, saysUnknownModel(answer) {
            // A refused model was not run, so that this is not billed twice.
            answer = try await send(file, isRaw: isRaw, model: fallback, keyTerms)
        }
        guard (200..<300).contains(answer.status) else {
            let word = ElevenLabsErrorAnswer.word(in: answer.body)
            throw upload.failure.error(status: answer.status, word: word, to: answer.request)
        }
        do {
            let result = try JSONDecoder().decode(Answer.self, from: Data(answer.body))
            return Transcript(text: result.text, language: result.languageCode).spoken
        } catch {
            throw upload.failure.malformed(error)
        }
    }

    private func send(
        _ file: TranscriptionUpload.File,
        isRaw: Bool,
        model: String,
        _ keyTerms: [String]
    ) async throws -> (request: HTTPRequest, status: Int, body: [UInt8]) {
        // Events such as "(laughter)" would be typed, so they are switched off.
        var fields = [
            MultipartBody.Field(name: "model_id", value: model), .init(name: "tag_audio_events", value: "false"),
            .init(name: "timestamps_granularity", value: "none"),
            .init(name: "file_format", value: isRaw ? "pcm_s16le_16" : "other"),
        ]
        if let language = options.language { fields.append(.init(name: "language_code", value: language)) }
        let more = keyTerms.filter { !options.keyterms.contains($0) }
        for term in options.keyterms + more { fields.append(.init(name: "keyterms", value: term)) }
        var headers = HTTPFields()
        if let name = HTTPField.Name("xi-api-key") { headers[name] = try upload.failure.headerValue(of: key) }
        let path = "/v1/speech-to-text" + (options.allowsLogging ? "" : "?enable_logging=false")
        let form = MultipartBody(fields: fields, file: file.part)
        return try await upload.send(address.post(path, headers), form)
    }

    private func saysUnknownModel(_ answer: (request: HTTPRequest, status: Int, body: [UInt8])) -> Bool {
        guard [400, 404, 422].contains(answer.status) else { return false }
        return ElevenLabsErrorAnswer.word(in: answer.body)?.contains("model") == true
    }

    // MARK: Wire

    private struct Answer: Decodable {
        let text: String
        let languageCode: String?
        enum CodingKeys: String, CodingKey {
            case text
            case languageCode = "language_code"
        }
    }
}
