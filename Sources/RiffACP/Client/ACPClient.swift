// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Logging
public import RiffCore
internal import RiffTransport
internal import Synchronization

/// A client's connection to an agent, from the handshake to the end of ``withACPClient(_:configuration:handlers:_:)``.
///
/// Methods may be called from many tasks at once. Each throws ``ACPError``: `notOffered` where the agent did not say
/// that it does it (nothing is sent then), `answeredWithError` with the agent's own words, `timeout`, `agentExited` or
/// `connectionLost` with what it wrote last, `unexpectedAnswer`; and `CancellationError` when its task is cancelled, of
/// which the agent is told.
public final class ACPClient: Sendable {
    /// The agent's description of itself in the handshake.
    public let agent: ACP.InitializeResponse

    let peer: ACPPeer
    private let configuration: ACPClient.Configuration
    private let role: ACPPeer.Role

    init(peer: ACPPeer, role: ACPPeer.Role, agent: ACP.InitializeResponse, configuration: ACPClient.Configuration) {
        self.peer = peer
        self.role = role
        self.agent = agent
        self.configuration = configuration
    }

    // MARK: Any method

    /// Asks the agent with any request of the protocol, stable or not.
    public func request<Request: ACPRequest>(_ request: Request) async throws -> Request.Response {
        try ACPGate.check(request, agent, peer.name)
        return try await ask(request)
    }

    func ask<Request: ACPRequest>(_ request: Request) async throws -> Request.Response {
        try await peer.ask(
            request,
            deadline: configuration.deadlines[Request.method],
            isOrdered: role.orderedAnswers.contains(Request.method)
        )
    }

    /// Asks the agent something that the protocol does not define.
    ///
    /// - Parameters:
    ///   - method: Its name, which begins with `_`.
    ///   - params: Its parameters.
    /// - Returns: What the agent answers.
    /// - Throws: ``ACPError``; `CancellationError`.
    public func extensionRequest(_ method: String, _ params: JSONValue) async throws -> JSONValue {
        guard method.hasPrefix("_") else { throw Self.notAnExtension(method) }
        return try await peer.request(method, params, deadline: configuration.deadlines[method])
    }

    /// Tells the agent something with any notification of the protocol, stable or not: which document is open, what
    /// became of a suggestion.
    ///
    /// - Throws: ``ACPError`` with `notOffered`. Nobody answers, so nothing else shows.
    public func notify<Notification: ACPNotification>(_ notification: Notification) throws(ACPError) {
        try ACPGate.check(notification, agent, peer.name)
        peer.notify(Notification.method, notification.json)
    }

    /// Tells the agent something that the protocol does not define; its name begins with `_`.
    public func extensionNotification(_ method: String, _ params: JSONValue) throws {
        guard method.hasPrefix("_") else { throw Self.notAnExtension(method) }
        peer.notify(method, params)
    }

    private static func notAnExtension(_ method: String) -> ACPError {
        ACPError(.invalidParameter, "\(method) is no extension: the names of extensions begin with an underscore.")
    }

    // MARK: Turns

    /// Sends a prompt, and waits for the end of the turn, which may take hours. Every update before the end has been
    /// handled when it returns.
    ///
    /// A task that is cancelled cancels the turn as ``cancel(_:)`` does, and does not wait for its end.
    ///
    /// - Parameters:
    ///   - content: What to say. Pictures, sound and embedded resources only where the agent takes them.
    ///   - session: The session.
    /// - Returns: Why the turn ended.
    /// - Throws: ``ACPError``; `CancellationError`.
    public func prompt(_ content: [ACP.ContentBlock], in session: ACP.SessionID) async throws -> ACP.PromptResponse {
        let request = ACP.PromptRequest(sessionID: session, prompt: content)
        try ACPGate.check(request, agent, peer.name)
        do { return try await ask(request) } catch is CancellationError {
            cancel(session)
            throw CancellationError()
        }
    }

    /// Sends a text as a prompt, and waits for the end of the turn.
    public func prompt(_ text: String, in session: ACP.SessionID) async throws -> ACP.PromptResponse {
        try await prompt([.text(ACP.TextContent(text: text))], in: session)
    }

    /// Cancels the turn of a session. Every question about a permission is answered with `cancelled` at once; updates
    /// come until ``prompt(_:in:)`` returns, with `cancelled` as the reason.
    public func cancel(_ session: ACP.SessionID) {
        peer.notify(ACP.CancelNotification.method, ACP.CancelNotification(sessionID: session).json)
        let questions: Set = [ACP.RequestPermissionRequest.method, ACP.CreateElicitationRequest.method]
        peer.cancelInbound(
            where: { questions.contains($0.method) && $0.params["sessionId"] == session.json },
            role
        )
    }

    /// The turns that other clients of a kept agent began, until the conversation was told of their end.
    var otherTurns: [OtherTurn] { peer.otherTurns.withLock(\.running) }

    // MARK: The connection

    /// Holds updates and questions back while the front end cannot show them, and the agent with them once much waits.
    /// Nothing is lost. The time for a permission begins when its question is handed on.
    public func pause() { peer.events.setPaused(true) }

    /// Hands on what was held back, and what comes.
    public func resume() { peer.events.setPaused(false) }

    /// The last lines of the agent's standard error, oldest first, without control characters.
    public var diagnostics: [String] { peer.diagnostics.lines }

    /// The last lines of its standard output that were no messages.
    public var noise: [String] { peer.noise.lines }

    /// Suspends until the connection has ended, and tells why.
    ///
    /// - Throws: `CancellationError`.
    public func ended() async throws -> any Error { try await peer.ended.cancellableValue() }
}

extension ACPPeer {
    /// Asks with a typed request.
    func ask<Request: ACPRequest>(
        _ request: Request,
        deadline: Duration?,
        isOrdered: Bool = false
    ) async throws -> Request.Response {
        let json = try await self.request(Request.method, request.json, deadline: deadline, isOrdered: isOrdered)
        // Some agents answer null where nothing is to be said.
        do { return try Request.Response(json: json == .null ? [:] : json) } catch {
            let reason = "\(name) answered \(Request.method) with something else than it should: \(error.message)."
            throw ACPError(.unexpectedAnswer, reason, cause: error)
        }
    }
}
