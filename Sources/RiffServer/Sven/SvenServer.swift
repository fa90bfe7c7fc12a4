// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
internal import RiffVoice
internal import Synchronization

/// The server half of the Sven prompt API: give it a request, send what it answers. It opens no port.
///
/// - `POST /prompt` `{"transcript", "token", "attestation"?, "message_id"?}`: hands a prompt on.
/// - `GET /messages?since=&token=`, `DELETE /messages?token=` and `GET /audio/{id}?token=`: what was said on both
///   sides, where there is a ``SvenConversation``.
/// - `POST /register` `{"token", "code", "name"?}`: makes a device known while a ``PairingWindow`` is open.
/// - `GET /health`, `GET /`: say that it is there.
///
/// Bodies and statuses are those of the public server, except where it is not safe: here the first device is not taken
/// as known, whoever wants messages or speech must have a token, nobody can list tokens or register one without a code,
/// and no value is sent back in an error. Tokens stand in queries because the clients put them there: log paths without
/// queries.
public final class SvenServer: Sendable {
    let configuration: SvenConfiguration
    let devices: DeviceLedger
    let pairing: PairingWindow?
    let verifier: (any AttestationVerifier)?
    let conversation: SvenConversation?
    let clock: any Clock<Duration>
    let stopwatch: Stopwatch
    let report: @Sendable (ServerError) -> Void
    let sink: PromptSink
    let rate: Mutex<PromptRate>
    let recent: Mutex<RecentPrompts>
    private let wallClock: @Sendable () -> Double

    /// A server.
    ///
    /// - Parameters:
    ///   - configuration: Its limits.
    ///   - devices: The devices that it knows.
    ///   - pairing: The window in which others may become known; without one, none can.
    ///   - verifier: What verifies attestations; with one, a prompt without attestation is refused, without one,
    ///     attestations are not looked at.
    ///   - conversation: What the devices read; without one, answers go another way, and clients are told so.
    ///   - clock: Measures timeouts and counts prompts.
    ///   - wallClock: The time in seconds since 1970; the system's clock unless said otherwise.
    ///   - report: Told of every request that failed on this side, for the host's log; the message holds no secret and
    ///     no prompt, but the cause is whatever the sink, the verifier or the store threw.
    ///   - sink: Takes the prompts.
    public init(
        _ configuration: SvenConfiguration = SvenConfiguration(),
        devices: DeviceLedger,
        pairing: PairingWindow? = nil,
        verifier: (any AttestationVerifier)? = nil,
        conversation: SvenConversation? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        wallClock: (@Sendable () -> Double)? = nil,
        report: @escaping @Sendable (ServerError) -> Void = { _ in },
        sink: @escaping PromptSink
    ) {
        (self.configuration, self.devices, self.pairing, self.verifier) = (configuration, devices, pairing, verifier)
        (self.conversation, self.clock, self.report, self.sink) = (conversation, clock, report, sink)
        self.wallClock = wallClock ?? WallClock.now
        stopwatch = Stopwatch(clock)
        rate = Mutex(PromptRate(limit: configuration.promptsPerWindow, length: configuration.window))
        recent = Mutex(RecentPrompts(limit: configuration.rememberedPrompts))
    }

    /// Answers a request.
    ///
    /// - Parameter request: What came; its body is read here, and only as far as it is allowed to go.
    /// - Returns: What to send. A body that was not read to its end should end the connection.
    /// - Throws: `CancellationError`, and what the body's sequence throws (the client has gone): there is nobody to
    ///   answer.
    public func respond(to request: ServerRequest) async throws -> ServerResponse {
        do {
            return try await route(request)
        } catch let refusal as PromptFields.Refusal {
            return .unprocessable(refusal.faults)
        } catch let refusal as BodyRefusal {
            switch refusal {
            case .tooLarge: return .detail(.contentTooLarge, "Request body too large")
            case .tooSlow: return .detail(.requestTimeout, "Request timeout", headerFields: [.connection: "close"])
            }
        } catch let failure as LedgerFailure {
            let message = "The list of devices cannot be read or written."
            report(ServerError(.devicesUnreadable, message, cause: failure.cause))
            return .detail(.internalServerError, "Internal Server Error")
        }
    }

    private func route(_ request: ServerRequest) async throws -> ServerResponse {
        switch (request.path, request.method) {
        case (SvenContract.promptPath, .post): try await prompt(request)
        case (SvenContract.registerPath, .post): try await register(request)
        case (SvenContract.promptPath, _), (SvenContract.registerPath, _): Self.wrongMethod("POST")
        case (SvenContract.messagesPath, .get): try await messages(request)
        case (SvenContract.messagesPath, .delete): try await clear(request)
        case (SvenContract.messagesPath, _): Self.wrongMethod("GET, DELETE")
        case (SvenContract.healthPath, .get): .sven(["status": "healthy"])
        case ("/", .get): .sven(["status": "ok", "service": "sven-api", "time": .string(time)])
        case (SvenContract.healthPath, _), ("/", _): Self.wrongMethod("GET")
        default: try await audioOrNothing(request)
        }
    }

    private func audioOrNothing(_ request: ServerRequest) async throws -> ServerResponse {
        let parts = request.path.split(byte: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isEmpty, "/\(parts[1])" == SvenContract.audioPath, !parts[2].isEmpty else {
            return .detail(.notFound, "Not Found")
        }
        guard request.method == .get else { return Self.wrongMethod("GET") }
        return try await audio(SvenQuery.decode(parts[2]), request)
    }

    static func wrongMethod(_ allowed: String) -> ServerResponse {
        .detail(.methodNotAllowed, "Method Not Allowed", headerFields: [.allow: allowed])
    }

    private var time: String {
        SvenTime(secondsSince1970: wallClock()).text.split(separator: " ").joined(separator: "T")
    }

    // MARK: What every request may need

    /// The list of devices cannot be read or written.
    struct LedgerFailure: Error {
        let cause: any Error
    }

    private enum BodyRefusal: Error { case tooLarge, tooSlow }

    /// The device of a token, or `nil` where it is not known.
    func device(of token: String?) async throws -> DeviceLedger.Device? {
        guard let token else { return nil }
        do {
            return try await devices.device(of: Secret(token))
        } catch {
            try Task.checkCancellation()
            throw LedgerFailure(cause: error)
        }
    }

    /// Reads a body to its end, never keeping more than the limit and one chunk.
    func body(of request: ServerRequest) async throws -> [UInt8] {
        let limit = configuration.bodyLimitBytes
        if let announced = request.headerFields[.contentLength].flatMap({ Int($0) }), announced > limit {
            throw BodyRefusal.tooLarge
        }
        do {
            return try await withDeadline(configuration.bodyTimeout, clock: clock) {
                var bytes: [UInt8] = []
                for try await chunk in request.body {
                    guard bytes.count + chunk.count <= limit else { throw BodyRefusal.tooLarge }
                    bytes += chunk
                }
                return bytes
            }
        } catch is DeadlineExceeded {
            throw BodyRefusal.tooSlow
        }
    }
}

extension ServerErrorCode {
    /// The list of devices could not be read or written; why is the cause.
    public static let devicesUnreadable = ServerError.Code(rawValue: "devicesUnreadable")
}
