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
        /// The model.
        public var model: String
        /// ISO 639-1 code of the language; `nil` lets the service find it.
        public var language: String?
        /// Words to expect, in a sentence or as a list; `nil` for none.
        public var prompt: String?

        /// Options.
        public init(model: String = "gpt-4o-mini-transcribe", language: String? = nil, prompt: String? = nil) {
            self.model = model
            self.language = language
            self.prompt = prompt
        }
    }

    /// The service refuses less audio than this, which holds no word either.
    public static let shortestClip = Duration.milliseconds(100)

    /// What is asked of the service.
    public let options: Options

    private let key: Secret?
    private let address: ServiceAddress
    private let limitBytes: Int
    private let upload: TranscriptionUpload

    /// A recogniser.
    ///
    /// - Parameters:
    ///   - key: The account's key, sent as a bearer token; `nil` for a server that asks for none.
    ///   - options: What is asked of the service.
    ///   - baseURL: Where the service is, without `/v1`.
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

    /// Sends the clip; one under ``shortestClip`` is an empty transcript, and nothing is sent.
    ///
    /// - Throws: ``VoiceError`` with `transcriptionUnauthorized`, `transcriptionQuotaExceeded`,
    ///   `transcriptionRateLimited`, `transcriptionRejected`, `transcriptionTooLarge`, `transcriptionUnavailable` or
    ///   `transcriptionMalformed`; `CoreError` for a WAV clip that cannot be read; `TransportError` where the connection
    ///   failed; `CancellationError`.
    public func transcribe(_ clip: AudioClip) async throws -> Transcript {
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
        if let prompt = options.prompt { fields.append(.init(name: "prompt", value: prompt)) }
        var headers = HTTPFields()
        if let key { headers[.authorization] = try upload.headerValue(of: key, prefix: "Bearer ") }
        let form = MultipartBody(fields: fields, file: file.part)
        let answer = try await upload.send(address.post("/v1/audio/transcriptions", headers), form)
        guard (200..<300).contains(answer.status) else {
            throw upload.failure(status: answer.status, word: ErrorAnswer.word(in: answer.body))
        }
        do {
            let result = try JSONDecoder().decode(Answer.self, from: Data(answer.body))
            return Transcript(text: result.text, language: result.language)
        } catch {
            throw upload.malformed(error)
        }
    }

    // MARK: Wire

    private struct Answer: Decodable {
        let text: String
        let language: String?
    }

    /// `{"error":{"message","type","param","code"}}`; compatible servers leave parts of it out.
    private struct ErrorAnswer: Decodable {
        struct Problem: Decodable {
            let type: String?
            let code: String?

            enum CodingKeys: CodingKey { case type, code }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                // Some servers put a number here, which says no more than the status does.
                type = try? container.decode(String.self, forKey: .type)
                code = try? container.decode(String.self, forKey: .code)
            }
        }

        let error: Problem

        /// The service's word for the error; `nil` where the body has none, as from a proxy on the way.
        static func word(in body: [UInt8]) -> String? {
            let answer = try? JSONDecoder().decode(ErrorAnswer.self, from: Data(body))
            return TranscriptionUpload.word(answer?.error.code) ?? TranscriptionUpload.word(answer?.error.type)
        }
    }
}
