// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
public import RiffTransport

/// Speech by OpenAI, or by a server that speaks its `POST /v1/audio/speech`.
///
/// The audio is asked for as WAV, which is the form that compatible servers share and that needs no decoder, and is
/// delivered as it arrives. Source: the API reference of OpenAI, "Create speech".
public struct OpenAITextToSpeech: TextToSpeech {
    /// What is asked of the service.
    public struct Options: Sendable, Hashable {
        /// The name of the model.
        public var model: String
        /// The name of the voice.
        public var voice: String
        /// The instructions for the manner of speaking, in words, for models that take them; `nil` for none.
        public var instructions: String?
        /// The speed, 0.25 to 4; `nil` leaves it to the service.
        public var speed: Double?

        /// Creates options for the service.
        public init(
            model: String = "gpt-4o-mini-tts",
            voice: String = "alloy",
            instructions: String? = nil,
            speed: Double? = nil
        ) {
            self.model = model
            self.voice = voice
            self.instructions = instructions
            self.speed = speed
        }
    }

    /// The most characters that the service takes in one request.
    package static let longestText = 4_096

    /// What is asked of the service.
    package let options: Options

    private let key: Secret?
    private let service: SynthesisRequest

    /// Creates a voice.
    ///
    /// - Parameters:
    ///   - key: The account's key, sent as a bearer token; `nil` for a server that asks for none.
    ///   - options: What is asked of the service.
    ///   - baseURL: The address of the service, with `/v1` at its end or without.
    ///   - limitBytes: The most bytes of audio for one text.
    ///   - deadlines: How long it may take; the total includes the time that the listener takes.
    ///   - transport: What carries the request.
    /// - Throws: ``VoiceError`` with `serviceAddressInvalid`.
    public init(
        key: Secret?,
        options: Options = Options(),
        baseURL: String = "https://api.openai.com",
        limitBytes: Int = 64 << 20,
        deadlines: HTTPDeadlines = HTTPDeadlines(idle: .seconds(30)),
        transport: any HTTPTransport
    ) throws(VoiceError) {
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
        var reader = WAVReader()
        let isSent = try await service.send(text, request, body: { body(text) }, word: OpenAIErrorAnswer.word) {
            bytes,
            _ in
            let frames = try read { () throws(CoreError) in try reader.feed(bytes) }
            if let format = reader.format, !frames.isEmpty { try await deliver(frames, format) }
        }
        guard isSent else { return }
        let rest = try read { () throws(CoreError) in try reader.finish() }
        if let format = reader.format, !rest.isEmpty { try await deliver(rest, format) }
        // A cut must not look like the end of what was said.
        if reader.isTruncated { throw service.failure.malformed(nil) }
    }

    private func request() throws(VoiceError) -> HTTPRequest {
        var headers: HTTPFields = [.contentType: "application/json", .accept: "audio/wav"]
        if let key { headers[.authorization] = try service.failure.headerValue(of: key, prefix: "Bearer ") }
        return service.address.post("/v1/audio/speech", headers)
    }

    private func body(_ text: String) -> [UInt8] {
        var members: [(String, JSONValue)] = [
            ("model", .string(options.model)), ("input", .string(text)), ("voice", .string(options.voice)),
            ("response_format", .string("wav")),
        ]
        if let instructions = options.instructions { members.append(("instructions", .string(instructions))) }
        if let speed = options.speed { members.append(("speed", .number(speed))) }
        return JSONValue.object(JSONObject(members)).bytes()
    }

    /// Audio that cannot be read is no audio.
    private func read(_ body: () throws(CoreError) -> [UInt8]) throws(VoiceError) -> [UInt8] {
        do { return try body() } catch { throw service.failure.malformed(error) }
    }
}

extension VoiceErrorCode {
    /// The service does not accept the key.
    public static let synthesisUnauthorized = VoiceError.Code(rawValue: "synthesisUnauthorized")
    /// The account has no credit left; trying again does not help.
    public static let synthesisQuotaExceeded = VoiceError.Code(rawValue: "synthesisQuotaExceeded")
    /// Too many requests at this moment.
    public static let synthesisRateLimited = VoiceError.Code(rawValue: "synthesisRateLimited")
    /// The service cannot answer now.
    public static let synthesisUnavailable = VoiceError.Code(rawValue: "synthesisUnavailable")
    /// The server that answered is not a speech service, or sent audio that cannot be read or was cut.
    public static let synthesisMalformed = VoiceError.Code(rawValue: "synthesisMalformed")
}
