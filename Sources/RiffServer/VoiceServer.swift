// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
internal import RiffTransport
internal import RiffVoice
internal import Synchronization

/// The server half of Riff's voice contract: give it a request, send what it answers. It opens no port.
///
/// - `POST /riff/transcribe-only`: a clip in, `{"transcript": "..."}` out; nothing is kept.
/// - `GET /riff/narrate-poll?after=<seconds>`: waits for what the agent says after that time; `{"ts", "audio_b64", "chars"}`,
///   or 204 where it said nothing for 25 s.
/// - `GET /riff/health`: `{"status":"ok"}`.
///
/// Every request must be signed (``RequestSignature``), also for paths that do not exist; what is wrong is answered as
/// `{"error": "..."}` in a few fixed words that tell nothing of what lies beneath.
public final class VoiceServer: Sendable {
    private let configuration: ServerConfiguration
    private let recogniser: (any SpeechToText)?
    let narration: NarrationService?
    let clock: any Clock<Duration>
    let report: @Sendable (ServerError) -> Void
    private let clips = Mutex(0)
    let polls = Mutex(0)

    /// A server.
    ///
    /// - Parameters:
    ///   - configuration: Secret and limits.
    ///   - recogniser: What turns clips into text; it must end soon after cancellation. Without one, clips are answered
    ///     with 503.
    ///   - narration: What speaks the agent's answers; without it, those who ask are answered with 503.
    ///   - clock: Measures the timeouts.
    ///   - report: Told of every request that failed on this side, for the host's log; the message holds no secret and
    ///     no payload, but the cause is whatever the recogniser threw.
    /// - Throws: ``ServerError`` with `placeholderSecret` when the secret protects nothing and others can reach it.
    public init(
        _ configuration: ServerConfiguration,
        recogniser: (any SpeechToText)?,
        narration: NarrationService? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        report: @escaping @Sendable (ServerError) -> Void = { _ in }
    ) throws(ServerError) {
        try configuration.check()
        self.configuration = configuration
        self.recogniser = recogniser
        self.narration = narration
        self.clock = clock
        self.report = report
    }

    /// Answers a request.
    ///
    /// - Parameter request: What came; its body is read here, and only as far as it is allowed to go.
    /// - Returns: What to send. A body that was not read to its end should end the connection.
    /// - Throws: `CancellationError`, and what the body's sequence throws (the client has gone): there is nobody to answer.
    public func respond(to request: ServerRequest) async throws -> ServerResponse {
        do {
            guard request.path == RiffContract.transcribePath, request.method == .post else {
                _ = try await body(of: request, limit: RiffContract.messageLimitBytes)
                guard request.path == RiffContract.narratePath, request.method == .get else {
                    return try route(request)
                }
                return try await narrate(request)
            }
            // Whoever cannot sign takes no place from those who can wait for theirs.
            guard request.headerFields[.riffSignature] != nil else { throw SignedBody.Refusal.unsigned }
            guard takePlace() else { return .failure(.serviceUnavailable, "busy", headerFields: [.retryAfter: "2"]) }
            defer { clips.withLock { $0 -= 1 } }
            let audio = try await body(of: request, limit: RiffContract.audioLimitBytes)
            return try await transcribe(audio.bytes, request.headerFields)
        } catch SignedBody.Refusal.unsigned {
            return .failure(.unauthorized, "unauthorized")
        } catch SignedBody.Refusal.tooLarge {
            return .failure(.contentTooLarge, "body too large")
        } catch BodyTooSlow.instance {
            return .failure(.requestTimeout, "body too slow", headerFields: [.connection: "close"])
        }
    }

    private enum BodyTooSlow: Error { case instance }

    private func body(of request: ServerRequest, limit: Int) async throws -> SignedBody {
        do {
            return try await withDeadline(configuration.bodyTimeout, clock: clock) { [secret = configuration.secret] in
                try await SignedBody.read(request, secret: secret, limit: limit)
            }
        } catch is DeadlineExceeded {
            throw BodyTooSlow.instance
        }
    }

    private func route(_ request: ServerRequest) throws -> ServerResponse {
        switch request.path {
        case RiffContract.healthPath where request.method == .get: try .json(RiffHealth(status: "ok"))
        case RiffContract.healthPath, RiffContract.narratePath:
            .failure(.methodNotAllowed, "method not allowed", headerFields: [.allow: "GET"])
        case RiffContract.transcribePath:
            .failure(.methodNotAllowed, "method not allowed", headerFields: [.allow: "POST"])
        default: .failure(.notFound, "not found")
        }
    }

    private func transcribe(_ audio: [UInt8], _ fields: HTTPFields) async throws -> ServerResponse {
        guard !audio.isEmpty else { return .failure(.badRequest, "empty body") }
        guard let encoding = fields[.riffAudioFormat].flatMap(RiffContract.encoding(ofAudioFormat:)) else {
            return .failure(.badRequest, "bad audio format")
        }
        for name in [HTTPField.Name.riffDeviceID, .riffSessionID] {
            guard let text = fields[name] else { continue }
            guard RiffIdentifier.isValid(text) else { return .failure(.badRequest, "bad \(name.rawName)") }
        }
        guard let recogniser else { return .failure(.serviceUnavailable, "no recogniser") }
        do {
            let clip = AudioClip(audio, encoding: encoding)
            let transcript = try await withDeadline(configuration.recogniserTimeout, clock: clock) {
                try await recogniser.transcribe(clip)
            }
            return try .json(TranscribeAnswer(transcript: transcript.text))
        } catch is DeadlineExceeded {
            let message = "The recogniser took longer than \(configuration.recogniserTimeout)."
            report(ServerError(.recogniserTimeout, message))
            return .failure(.gatewayTimeout, "transcription timeout")
        } catch {
            // A recogniser that gives up by itself has failed; only the request's own end goes on upwards.
            try Task.checkCancellation()
            report(ServerError(.recogniserFailed, "The recogniser failed.", cause: error))
            return .failure(.badGateway, "transcription failed")
        }
    }

    private func takePlace() -> Bool {
        clips.withLock { count in
            guard count < configuration.concurrentClips else { return false }
            count += 1
            return true
        }
    }
}

extension ServerError.Code {
    /// The recogniser threw an error; it is the cause.
    public static let recogniserFailed = ServerError.Code(rawValue: "recogniserFailed")
    /// The recogniser did not end in time.
    public static let recogniserTimeout = ServerError.Code(rawValue: "recogniserTimeout")
}
