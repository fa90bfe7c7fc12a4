// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
public import RiffTransport

// sample: environment: [String: String], http: any HTTPTransport
/// A self-hosted chat gateway: OpenAI's chat interface, and what gateways offer beside it.
///
/// ```swift
/// let gateway = ChatGateway(try GatewayConfiguration.resolved(environment: environment), http: http)
/// let request = ChatRequest(model: "default", messages: [.user("What changed today?")])
/// let outcome = await gateway.reply(to: request) { delta in
///     if case .content(let text, _) = delta { show(text) }
/// }
/// ```
///
/// Redirects are not followed, so that the token goes where it was meant to go and nowhere else. Where a gateway is
/// asked what it has, and does not know the question, it has nothing; where it is asked to do something that it does
/// not offer, that is an error with the code `unsupported`. A web page with status 200, as many hosts have one for
/// every address, counts as not knowing.
public struct ChatGateway: Sendable {
    /// The time limits of the gateway.
    public struct Timing: Sendable, Hashable {
        /// Until ``ChatGateway/health()`` answers.
        public var health: Duration
        /// Until anything small is answered.
        public var question: Duration
        /// Until a probe, a clip or a spoken text is answered.
        public var work: Duration
        /// For a whole reply.
        public var reply: Duration
        /// The time without any byte while a reply is waited for.
        public var silence: Duration
        /// The time that the first piece of a reply may take; comments, which some gateways send while a request waits
        /// in a queue, do not count.
        public var firstPiece: Duration

        /// 3 s, 5 s, 30 s; 300 s for a reply, with as much silence in it and before its first piece, unless said
        /// otherwise: an agent that works with a tool is silent, and one that is given up and asked again works twice.
        public init(
            health: Duration = .seconds(3),
            question: Duration = .seconds(5),
            work: Duration = .seconds(30),
            reply: Duration = .seconds(300),
            silence: Duration? = nil,
            firstPiece: Duration? = nil
        ) {
            (self.health, self.question, self.work) = (health, question, work)
            (self.reply, self.silence, self.firstPiece) = (reply, silence ?? reply, firstPiece ?? reply)
        }
    }

    /// The configuration of the gateway.
    public let configuration: GatewayConfiguration
    let http: any HTTPTransport
    let timing: Timing
    let limits: ChatReplyReader.Limits
    let clock: any Clock<Duration>

    /// A gateway; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - configuration: Where it is.
    ///   - http: What sends.
    ///   - timing: How long things may take.
    ///   - limits: How large a reply may become.
    ///   - clock: Measures how long the first piece of a reply takes.
    public init(
        _ configuration: GatewayConfiguration,
        http: any HTTPTransport,
        timing: Timing = Timing(),
        limits: ChatReplyReader.Limits = ChatReplyReader.Limits(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.configuration, self.http) = (configuration, http)
        (self.timing, self.limits, self.clock) = (timing, limits, clock)
    }

    // MARK: Requests

    /// A request with everything that this gateway wants to know.
    ///
    /// - Parameters:
    ///   - method: What to do.
    ///   - path: The path with its query; one that begins with `/v1/` is of the chat interface, wherever the address
    ///     says that its version is.
    ///   - session: Which of the gateway's sessions is meant, where one is.
    /// - Returns: The head.
    /// - Throws: ``GatewayError`` with `unauthorized` for a token that cannot stand in a field.
    func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        session: GatewaySession? = nil
    ) throws(GatewayError) -> HTTPRequest {
        var request = configuration.server.interfaceRequest(method, path)
        if let token = configuration.token {
            guard !token.bytes.isEmpty, token.bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                let message = "The gateway's token holds a character that no token has; enter it again in the settings."
                throw GatewayError(.unauthorized, message, recovery: .openSettings(.gatewayToken))
            }
            request.headerFields[.authorization] = "Bearer \(String(decoding: token.bytes, as: UTF8.self))"
        }
        // The host's name has changed; each version reads its own and ignores the other.
        for host in ["moltbot", "openclaw"] {
            if let agent = configuration.agent { request.headerFields[.gateway("x-\(host)-agent-id")] = agent }
            if let session { request.headerFields[.gateway("x-\(host)-session-key")] = session.key.text }
        }
        return request
    }

    /// Sends a request, and reads the whole answer.
    ///
    /// - Throws: ``GatewayError`` with `unreachable`, `timedOut` or `connectionLost`; `CancellationError`.
    func answer(
        to request: HTTPRequest,
        _ body: HTTPBody = .none,
        within time: Duration,
        upTo limit: Int = 4 << 20
    ) async throws -> HTTPAnswer {
        do {
            let deadlines = HTTPDeadlines(connect: time, idle: time, total: time)
            return try await http.answer(to: request, body: body, deadlines: deadlines, upTo: limit)
        } catch let error as TransportError {
            throw GatewayError(error, server: configuration.server)
        }
    }

}

/// A conversation as the gateway's host knows it: the same key means the same session there.
public struct GatewaySession: Sendable, Hashable {
    /// The name of the session.
    public let key: RiffIdentifier

    /// A session of this name: keep it with the conversation, so that it is the same after a restart.
    public init(key: RiffIdentifier) { self.key = key }

    /// A new session.
    public static func random() -> GatewaySession { GatewaySession(key: .random()) }
}

extension HTTPField.Name {
    static func gateway(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("The names are tokens of RFC 9110.") }
        return name
    }
}
