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

/// Recognition by OpenAI, or by a server that speaks its `POST /v1/audio/transcriptions`.
///
/// Only the fields that every such server takes are sent: the file as WAV (or AAC where the clip is that), the model,
/// `response_format=json`, and the language and the prompt where they are set. Source: the API reference of OpenAI,
/// "Create transcription".
public struct OpenAISpeechToText: SpeechToText {
    /// What is asked of the service.
    public struct Options: Sendable, Hashable {
        /// The name of the model.
        public var model: String
        /// ISO 639-1 code of the language; `nil` lets the service find it.
        public var language: String?
        /// Words to expect, in a sentence or as a list; `nil` for none.
        public var prompt: String?

        /// Creates options for the service.
        public init(model: String = "gpt-4o-mini-transcribe", language: String? = nil, prompt: String? = nil) {
            self.model = model
            self.language = language
            self.prompt = prompt
        }
    }

    /// The service refuses less audio than this, which holds no word either.
    package static let shortestClip = Duration.milliseconds(100)

    /// What is asked of the service.
    package let options: Options

    private let key: Secret?
    private let address: ServiceAddress
    private let limitBytes: Int
    private let upload: TranscriptionUpload

    /// Creates a recognizer.
    ///
    /// - Parameters:
    ///   - key: The account's key, sent as a bearer token; `nil` for a server that asks for none.
    ///   - options: What is asked of the service.
    ///   - baseURL: The address of the service, with `/v1` at its end or without.
    ///   - limitBytes: The most bytes of a file; 26,214,400 is the service's own limit.
    ///   - deadlines: How long it may take.
    ///   - transport: What carries the request.
    /// - Throws: ``VoiceError`` with `serviceAddressInvalid`.
    public init(
        key: Secret?,
        options: Options = Options(),
        baseURL: String = "https://api.openai.com",
        limitBytes: Int = 26_214_400,
        deadlines: HTTPDeadlines = HTTPDeadlines(total: .seconds(150)),
        transport: any HTTPTransport
    ) throws(VoiceError) {
        self.key = key
        self.options = options
        self.limitBytes = limitBytes
        address = try ServiceAddress(baseURL)
        upload = TranscriptionUpload(service: address.name, transport: transport, deadlines: deadlines)
    }

    /// Sends the clip; one under ``shortestClip`` is an empty transcript, and nothing is sent. So is an answer of
    /// nothing but marks of sounds, as `[BLANK_AUDIO]` and `(music)`.
    ///
    /// - Throws: ``VoiceError`` with `transcriptionUnauthorized`, `transcriptionQuotaExceeded`,
    ///   `transcriptionRateLimited`, `transcriptionRejected`, `transcriptionTooLarge`, `transcriptionUnavailable` or
    ///   `transcriptionMalformed`; `CoreError` for a WAV clip that cannot be read; `TransportError` where the
    ///   connection failed; `CancellationError`.
    public func transcribe(_ clip: AudioClip) async throws -> Transcript { try await transcribe(clip, expecting: []) }

    /// Sends the clip with these words in its prompt, behind that of ``options``; throws as ``transcribe(_:)`` does.
    public func transcribe(_ clip: AudioClip, expecting keyTerms: [String]) async throws -> Transcript {
        let file = try TranscriptionUpload.File(clip)
        try upload.check(file, limit: limitBytes)
        if clip.bytes.isEmpty { return Transcript(text: "") }
        if let duration = try clip.duration(), duration < OpenAISpeechToText.shortestClip {
            return Transcript(text: "")
        }
        var fields = [
            MultipartBody.Field(name: "model", value: options.model), .init(name: "response_format", value: "json"),
        ]
        if let language = options.language { fields.append(.init(name: "language", value: language)) }
        let prompt = [options.prompt, keyTerms.isEmpty ? nil : keyTerms.joined(separator: ", ")].compactMap(\.self)
        if !prompt.isEmpty { fields.append(.init(name: "prompt", value: prompt.joined(separator: " "))) }
        var headers = HTTPFields()
        if let key { headers[.authorization] = try upload.failure.headerValue(of: key, prefix: "Bearer ") }
        let form = MultipartBody(fields: fields, file: file.part)
        let answer = try await upload.send(address.post("/v1/audio/transcriptions", headers), form)
        guard (200..<300).contains(answer.status) else {
            let word = OpenAIErrorAnswer.word(in: answer.body)
            throw upload.failure.error(status: answer.status, word: word, to: answer.request)
        }
        do {
            let result = try JSONDecoder().decode(Answer.self, from: Data(answer.body))
            return Transcript(text: result.text, language: result.language).spoken
        } catch {
            throw upload.failure.malformed(error)
        }
    }

    // MARK: Wire

    private struct Answer: Decodable {
        let text: String
        let language: String?
    }
}
