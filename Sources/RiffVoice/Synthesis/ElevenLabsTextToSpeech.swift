// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
public import RiffTransport

/// Speech by ElevenLabs, or a service that speaks its `POST /v1/text-to-speech/{voice}/stream`.
///
/// The audio is asked for as raw samples, which needs no decoder, and is delivered as it arrives. Source: the API
/// reference of ElevenLabs, "Stream speech".
public struct ElevenLabsTextToSpeech: TextToSpeech {
    /// What is asked of the service.
    public struct Options: Sendable, Hashable {
        /// The voice, by its id.
        public var voice: String
        /// The name of the model.
        public var model: String
        /// ISO 639-1 code of the language, for models that take one; `nil` lets the service find it.
        public var language: String?
        /// Samples a second: 16,000, 22,050 or 24,000; 44,100 needs a plan that allows it.
        public var sampleRate: Int

        /// Options; the voice and the model that Riff's server uses, unless said otherwise.
        public init(
            voice: String = "21m00Tcm4TlvDq8ikWAM",
            model: String = "eleven_multilingual_v2",
            language: String? = nil,
            sampleRate: Int = 24_000
        ) {
            self.voice = voice
            self.model = model
            self.language = language
            self.sampleRate = sampleRate
        }
    }

    /// The most characters of one request.
    package static let longestText = 10_000

    /// What is asked of the service.
    package let options: Options

    private let key: Secret
    private let service: SynthesisRequest

    /// Creates a voice.
    ///
    /// - Parameters:
    ///   - key: The account's key; sent as `xi-api-key` and nowhere else.
    ///   - options: What is asked of the service.
    ///   - baseURL: The address of the service, with `/v1` at its end or without.
    ///   - limitBytes: The most bytes of audio for one text.
    ///   - deadlines: How long it may take; the total includes the time that the listener takes.
    ///   - transport: What carries the request.
    /// - Throws: ``VoiceError`` with `serviceAddressInvalid`, also for a voice or a rate that cannot be part of an
    ///   address.
    public init(
        key: Secret,
        options: Options = Options(),
        baseURL: String = "https://api.elevenlabs.io",
        limitBytes: Int = 64 << 20,
        deadlines: HTTPDeadlines = HTTPDeadlines(idle: .seconds(30)),
        transport: any HTTPTransport
    ) throws(VoiceError) {
        let isName = options.voice.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || "_-".utf8.contains($0)
        }
        guard isName, !options.voice.isEmpty, options.sampleRate > 0 else {
            throw VoiceError(
                .serviceAddressInvalid,
                "A voice is named by its id, of letters, digits, - and _, and its sample rate is above 0.",
                recovery: .openSettings(.voice)
            )
        }
        self.key = key
        self.options = options
        service = SynthesisRequest(
            address: try ServiceAddress(baseURL),
            transport: transport,
            deadlines: deadlines,
            longestText: Self.longestText,
            limitBytes: limitBytes
        )
    }

    /// Sends the text, and delivers the audio as it comes; one of more than ``longestText`` characters is not sent.
    ///
    /// - Throws: ``VoiceError`` with `synthesisUnauthorized`, `synthesisQuotaExceeded`, `synthesisRateLimited`,
    ///   `synthesisRejected`, `synthesisTooLarge`, `synthesisUnavailable` or `synthesisMalformed`; `TransportError`
    ///   where the connection failed, also within the audio; what `deliver` throws; `CancellationError`.
    public func synthesize(
        _ text: String,
        _ deliver: @Sendable ([UInt8], AudioFormat) async throws -> Void
    ) async throws {
        let format = AudioFormat(sampleRate: options.sampleRate)
        var (held, isEmpty): ([UInt8], Bool) = ([], true)
        let isSent = try await service.send(text, request, body: { body(text) }, word: ElevenLabsErrorAnswer.word) {
            bytes,
            head in
            let type = head.headerFields[.contentType] ?? "audio/pcm"
            guard type.hasPrefix("audio/") || type == "application/octet-stream" else {
                throw service.failure.malformed(nil)
            }
            held += bytes
            let whole = Array(held.prefix(held.count / 2 * 2))
            held.removeFirst(whole.count)
            guard !whole.isEmpty else { return }
            isEmpty = false
            try await deliver(whole, format)
        }
        // Nothing, and half a sample, are not what was asked for.
        if isSent, isEmpty || !held.isEmpty { throw service.failure.malformed(nil) }
    }

    private func request() throws(VoiceError) -> HTTPRequest {
        var headers: HTTPFields = [.contentType: "application/json", .accept: "audio/*"]
        if let name = HTTPField.Name("xi-api-key") { headers[name] = try service.failure.headerValue(of: key) }
        let path = "/v1/text-to-speech/\(options.voice)/stream?output_format=pcm_\(options.sampleRate)"
        return service.address.post(path, headers)
    }

    private func body(_ text: String) -> [UInt8] {
        var members: [(String, JSONValue)] = [("text", .string(text)), ("model_id", .string(options.model))]
        if let language = options.language { members.append(("language_code", .string(language))) }
        return JSONValue.object(JSONObject(members)).bytes()
    }
}
