// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// An agent's connection to its client: the agent sends notifications and asks questions by it.
public final class ACPAgentConnection: Sendable {
    private let peer: ACPPeer
    private let client = EventualValue<ACP.InitializeRequest>()

    init(_ peer: ACPPeer) { self.peer = peer }

    func greeted(by request: ACP.InitializeRequest) { client.resolve(request) }

    /// The capabilities that the client reported; empty before the handshake.
    public var clientCapabilities: ACP.ClientCapabilities {
        client.current?.clientCapabilities ?? ACP.ClientCapabilities()
    }

    /// Sends an update of a session.
    public func update(_ session: ACP.SessionID, _ update: ACP.SessionUpdate) {
        let notification = ACP.SessionNotification(sessionID: session, update: update)
        peer.notify(ACP.SessionNotification.method, notification.json)
    }

    /// Says a piece of the agent's message.
    public func say(_ text: String, in session: ACP.SessionID) {
        update(session, .agentMessageChunk(ACP.ContentChunk(content: .text(ACP.TextContent(text: text)))))
    }

    /// Asks the client with any request of the protocol.
    ///
    /// - Parameters:
    ///   - request: The question: a permission, a file, a terminal.
    ///   - deadline: How long it may take; a person thinks as long as a person does.
    /// - Returns: The answer.
    /// - Throws: ``ACPError``, as a client's requests do.
    public func request<Request: ACPRequest>(
        _ request: Request,
        deadline: Duration? = nil
    ) async throws -> Request.Response {
        try await peer.ask(request, deadline: deadline)
    }

    /// Tells the client something with any notification of the protocol.
    public func notify<Notification: ACPNotification>(_ notification: Notification) {
        peer.notify(Notification.method, notification.json)
    }
}

/// The agent's side of a connection, which answers the client.
final class ACPAgentRole: Sendable {
    private let handlers: ACPAgentHandlers
    private let connection: ACPAgentConnection
    private let peer: ACPPeer

    init(_ handlers: ACPAgentHandlers, _ peer: ACPPeer) {
        self.handlers = handlers
        self.peer = peer
        connection = ACPAgentConnection(peer)
    }

    var role: ACPPeer.Role {
        ACPPeer.Role(
            // A cancellation must not overtake its turn, nor wait for it.
            orderedRequests: [ACP.PromptRequest.method],
            notify: notify,
            answer: answer,
            cancelledAnswer: { inbound in
                guard inbound.method == ACP.PromptRequest.method else { return .failure(.cancelled) }
                return .success(ACP.PromptResponse(stopReason: .cancelled).json)
            }
        )
    }

    private func notify(_ event: InboundEvent) async {
        guard case .notification(ACP.CancelNotification.method, let params) = event else { return }
        peer.cancelInbound(
            where: { $0.method == ACP.PromptRequest.method && $0.params["sessionId"] == params["sessionId"] },
            role
        )
    }

    private func answer(_ inbound: InboundRequests.Inbound) async throws -> JSONValue {
        do {
            switch inbound.method {
            case ACP.InitializeRequest.method:
                let request = try ACP.InitializeRequest(json: inbound.params)
                connection.greeted(by: request)
                return ACP.InitializeResponse(
                    protocolVersion: ACP.version,
                    agentCapabilities: handlers.capabilities,
                    authMethods: handlers.authMethods,
                    agentInfo: handlers.info
                ).json
            case ACP.NewSessionRequest.method:
                return try await handlers.newSession(ACP.NewSessionRequest(json: inbound.params), connection).json
            case ACP.PromptRequest.method:
                let request = try ACP.PromptRequest(json: inbound.params)
                do { return try await handlers.prompt(request, connection).json } catch is CancellationError {
                    return ACP.PromptResponse(stopReason: .cancelled).json
                }
            default:
                guard let other = handlers.other else { throw ACP.RPCError.methodNotFound(inbound.method) }
                return try await other(inbound.method, inbound.params, connection)
            }
        } catch let error as CoreError where error.code == .unexpectedJSON {
            throw ACP.RPCError.invalidParams(error.message)
        }
    }
}
