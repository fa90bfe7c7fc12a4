// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
public import RiffVoice
internal import Synchronization

/// The server half of Riff's voice contract: give it a request, send what it answers. It opens no port.
///
/// - `POST /riff/transcribe-only`: a clip in, `{"transcript"}` out; nothing is kept.
/// - `POST /riff/message`, `POST /riff/audio`, `POST /riff/transcript`: words or a clip in, the agent's answer out.
/// - `GET /riff/conversation`, `GET /riff/sessions`: what was said before.
/// - `POST /riff/register-device`: a device that wants to be told of answers.
/// - `GET /riff/push`, `POST /riff/push`: whether a device is told, and a notification on request.
/// - `POST /riff/upload`: a file in, its path on this machine out.
/// - `GET /riff/narrate-poll?after=<seconds>`: waits for what the agent says after that time; `{"ts", "audio_b64",
///   "chars"}`, or 204 where it said nothing for 25 s.
/// - `GET /riff/health`: `{"status":"ok"}`.
/// - `POST /riff/pair`: gives the secret to a device that knows the code of an open ``PairingWindow``.
///
/// Every other request must be signed (``RiffVoice/SignedRequestField``), also for paths that do not exist; what is
/// wrong is answered as `{"error": "..."}` in a few fixed words that tell nothing of what lies beneath.
public final class VoiceServer: Sendable {
    private let configuration: ServerConfiguration
    private let recognizer: (any SpeechToText)?
    let narration: NarrationService?
    let turns: TurnRunner?
    let clock: any Clock<Duration>
    let wallClock: @Sendable () -> Double
    let report: @Sendable (ServerError) -> Void
    let verifier: RequestVerifier
    let pairing: PairingWindow?
    let uploads: UploadService?
    private let clips = Mutex(0)
    let polls = Mutex(0)

    /// A server.
    ///
    /// - Parameters:
    ///   - configuration: Secret and limits.
    ///   - recognizer: What turns clips into text; it must end soon after cancellation. Without one, clips are answered
    ///     with 503.
    ///   - narration: What speaks the agent's answers; without it, those who ask are answered with 503.
    ///   - conversations: What holds conversations; without it, those who want one are answered with 503.
    ///   - pairing: The window in which devices may ask for the secret; without one, none can.
    ///   - uploads: The folder that takes files; without one, those who send one are answered with 503.
    ///   - clock: Measures the timeouts.
    ///   - report: Told of every request that failed on this side, for the host's log; the message holds no secret and
    ///     no payload, but the cause is whatever the recognizer or the agent threw.
    /// - Throws: ``ServerError`` with `placeholderSecret` when the secret protects nothing and others can reach it.
    public convenience init(
        _ configuration: ServerConfiguration,
        recognizer: (any SpeechToText)?,
        narration: NarrationService? = nil,
        conversations: ConversationService? = nil,
        pairing: PairingWindow? = nil,
        uploads: UploadService? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        report: @escaping @Sendable (ServerError) -> Void = { _ in }
    ) throws(ServerError) {
        try self.init(
            configuration,
            recognizer,
            narration,
            conversations,
            pairing: pairing,
            uploads: uploads,
            clock: clock,
            wallClock: WallClock.now,
            report: report
        )
    }

    /// A server whose time of day is a test's.
    package init(
        _ configuration: ServerConfiguration,
        _ recognizer: (any SpeechToText)?,
        _ narration: NarrationService?,
        _ conversations: ConversationService?,
        pairing: PairingWindow? = nil,
        uploads: UploadService? = nil,
        clock: any Clock<Duration>,
        wallClock: @escaping @Sendable () -> Double,
        report: @escaping @Sendable (ServerError) -> Void
    ) throws(ServerError) {
        try configuration.check()
        self.configuration = configuration
        self.recognizer = recognizer
        self.narration = narration
        self.pairing = pairing
        self.uploads = uploads
        self.clock = clock
        self.wallClock = wallClock
        self.report = report
        verifier = RequestVerifier(configuration, wallClock: wallClock)
        turns = conversations.map { TurnRunner($0, clock: clock, wallClock: wallClock, report: report) }
    }

    /// Answers a request.
    ///
    /// - Parameter request: What came; its body is read here, and only as far as it is allowed to go.
    /// - Returns: What to send. A body that was not read to its end should end the connection.
    /// - Throws: `CancellationError`, and what the body's sequence throws (the client has gone): there is nobody to
    ///   answer.
    public func respond(to request: ServerRequest) async throws -> ServerResponse {
        do {
            if request.path == RiffContract.pairPath, request.method == .post { return try await pair(request) }
            // Nothing of an unsigned request is read, and whoever cannot sign takes no place from those who wait for
            // one.
            let claim = try verifier.claim(of: request)
            if request.path == RiffContract.uploadPath, request.method == .post {
                return try await upload(request, claim)
            }
            let route = Route.all.first { $0.path == request.path && $0.method == request.method }
            let takesClip = route?.takesClip ?? false
            guard !takesClip || takePlace() else { throw RequestVerifier.Refusal.busy }
            defer { if takesClip { clips.withLock { $0 -= 1 } } }
            let limit = takesClip ? RiffContract.audioLimitBytes : RiffContract.messageLimitBytes
            let body = try await body(of: request, claim, limit: limit)
            guard let route else { return Self.noRoute(request.path) }
            return try await route.answer(self, request, body)
        } catch let refusal as RequestVerifier.Refusal {
            return refusal.response
        } catch BodyTooSlow.instance {
            return .failure(.requestTimeout, "body too slow", headerFields: [.connection: "close"])
        }
    }

    private static func noRoute(_ path: String) -> ServerResponse {
        var methods = Route.all.filter { $0.path == path }.map(\.method.rawValue)
        if path == RiffContract.uploadPath { methods = [HTTPRequest.Method.post.rawValue] }
        guard !methods.isEmpty else { return .failure(.notFound, "not found") }
        let fields: HTTPFields = [.allow: methods.joined(separator: ", ")]
        return .failure(.methodNotAllowed, "method not allowed", headerFields: fields)
    }

    private enum BodyTooSlow: Error { case instance }

    private func body(
        of request: ServerRequest,
        _ claim: RequestVerifier.Claim,
        limit: Int
    ) async throws -> SignedBody {
        try await inTime { [verifier] in try await verifier.body(of: request, claim, limit: limit) }
    }

    /// Reads a body, for no longer than a client may take.
    func inTime<Body: Sendable>(_ read: @escaping @Sendable () async throws -> Body) async throws -> Body {
        do {
            return try await withDeadline(configuration.bodyTimeout, clock: clock) { try await read() }
        } catch is DeadlineExceeded { throw BodyTooSlow.instance }
    }

    var secret: RiffSecret { configuration.secret }

    // MARK: Clips

    func transcribe(_ audio: [UInt8], _ fields: HTTPFields) async throws -> ServerResponse {
        switch try await recognize(audio, fields) {
        case .success(let text): .json(["transcript": .string(text)])
        case .failure(let refusal): refusal.response
        }
    }

    /// Why a clip has no text, as it is answered.
    struct Unrecognized: Error {
        let response: ServerResponse
        /// The words for a record, if the recognizer failed; `nil` for a request that was wrong.
        var reason: String?
    }

    /// The text of a clip.
    func recognize(_ audio: [UInt8], _ fields: HTTPFields) async throws -> Result<String, Unrecognized> {
        guard !audio.isEmpty else { return Self.refused(.badRequest, "empty body") }
        guard let encoding = fields[.riffAudioFormat].flatMap(RiffContract.encoding(ofAudioFormat:)) else {
            return Self.refused(.badRequest, "bad audio format")
        }
        for name in [HTTPField.Name.riffDeviceID, .riffSessionID] {
            guard let text = fields[name] else { continue }
            guard RiffIdentifier.isValid(text) else { return Self.refused(.badRequest, "bad \(name.rawName)") }
        }
        guard let recognizer else { return Self.refused(.serviceUnavailable, "no recognizer") }
        do {
            let clip = AudioClip(audio, encoding: encoding)
            let transcript = try await withDeadline(configuration.recognizerTimeout, clock: clock) {
                try await recognizer.transcribe(clip)
            }
            return .success(transcript.spoken.text)
        } catch is DeadlineExceeded {
            let message = "The recognizer took longer than \(configuration.recognizerTimeout)."
            report(ServerError(.recognizerTimeout, message))
            // As the contract has it: 504 is the agent's.
            return Self.refused(.badGateway, "transcription timeout", isFailure: true)
        } catch {
            // A recognizer that gives up by itself has failed; only the request's own end goes on upwards.
            try Task.checkCancellation()
            report(ServerError(.recognizerFailed, "The recognizer failed.", cause: error))
            return Self.refused(.badGateway, "transcription failed", isFailure: true)
        }
    }

    private static func refused(
        _ status: HTTPResponse.Status,
        _ words: String,
        isFailure: Bool = false
    ) -> Result<String, Unrecognized> {
        .failure(Unrecognized(response: .failure(status, words), reason: isFailure ? words : nil))
    }

    private func takePlace() -> Bool {
        clips.withLock { count in
            guard count < configuration.concurrentClips else { return false }
            count += 1
            return true
        }
    }
}

extension ServerErrorCode {
    /// The recognizer threw an error; it is the cause.
    public static let recognizerFailed = ServerError.Code(rawValue: "recognizerFailed")
    /// The recognizer did not end in time.
    public static let recognizerTimeout = ServerError.Code(rawValue: "recognizerTimeout")
}
