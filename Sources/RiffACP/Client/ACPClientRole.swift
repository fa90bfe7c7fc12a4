// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// The client's side of a connection, which answers the agent.
final class ACPClientRole: Sendable {
    private let live: Mutex<ACPClient.Handlers>
    private let configuration: ACPClient.Configuration
    /// Whether another client made the handshake, and so said what is offered: what this one has no handler for is left
    /// to that one.
    private let isGuest: Bool
    private let titles = Mutex<[String: String]>([:])

    init(_ handlers: ACPClient.Handlers, _ configuration: ACPClient.Configuration, isGuest: Bool = false) {
        self.isGuest = isGuest
        live = Mutex(handlers)
        self.configuration = configuration
    }

    private var handlers: ACPClient.Handlers { live.withLock { $0 } }

    /// Lets go of the handlers: those that ask the agent something hold the client, which holds them.
    func finish() { live.withLock { $0 = ACPClient.Handlers() } }

    var role: ACPPeer.Role {
        ACPPeer.Role(
            orderedRequests: [ACP.RequestPermissionRequest.method, ACP.CreateElicitationRequest.method],
            orderedAnswers: [
                ACP.PromptRequest.method, ACP.LoadSessionRequest.method, ACP.ResumeSessionRequest.method,
            ],
            notify: notify,
            otherTurn: { [self] turn, state in await handlers.otherTurn?(turn, state) },
            answer: answer,
            cancelledAnswer: { inbound in
                switch inbound.method {
                case ACP.RequestPermissionRequest.method:
                    .success(ACP.RequestPermissionResponse(outcome: .cancelled()).json)
                case ACP.CreateElicitationRequest.method:
                    .success(ACP.CreateElicitationResponse(action: .cancel).json)
                default: .failure(.cancelled)
                }
            }
        )
    }

    // MARK: Notifications

    private func notify(_ event: InboundEvent) async {
        switch event {
        case .update(let notification):
            remember(notification)
            await live.withLock(\.update)?(notification)
        case .notification(ACP.CompleteElicitationNotification.method, let params):
            // One that cannot be read is of no use to anybody.
            guard let notification = try? ACP.CompleteElicitationNotification(json: params) else { return }
            await handlers.elicitationCompleted?(notification)
        case .notification(let method, let params): await handlers.extensionNotification?(method, params)
        case .request, .answer, .otherTurn, .otherAnswer: break
        }
    }

    /// Keeps what tool calls are called, for questions that only name them.
    private func remember(_ notification: ACP.SessionNotification) {
        let (id, title): (ACP.ToolCallID, String?) =
            switch notification.update {
            case .toolCall(let call): (call.toolCallID, call.title)
            case .toolCallUpdate(let update): (update.toolCallID, update.title.value)
            default: ("", nil)
            }
        let key = Self.key(notification.sessionID, id)
        guard let title else { return }
        titles.withLock { titles in
            // One that is longer is not kept in part: what is not seen would be allowed as well.
            guard title.utf8.count + key.utf8.count <= 64 * 1024 else { return titles[key] = nil }
            // A question comes soon after its tool call: what is older than hundreds of them is not asked about.
            if titles.count >= 512 { titles = [:] }
            titles[key] = title
        }
    }

    private static func key(_ session: ACP.SessionID, _ call: ACP.ToolCallID) -> String { "\(session)\u{0}\(call)" }

    // MARK: Requests

    private func answer(_ inbound: InboundRequests.Inbound) async throws -> JSONValue {
        switch inbound.method {
        case ACP.RequestPermissionRequest.method: try await answerPermission(read(inbound)).json
        case ACP.ReadTextFileRequest.method: try await offered(handlers.readTextFile, inbound)(read(inbound)).json
        case ACP.WriteTextFileRequest.method: try await offered(handlers.writeTextFile, inbound)(read(inbound)).json
        case ACP.CreateElicitationRequest.method: try await answerElicitation(read(inbound), inbound).json
        case ACP.CreateTerminalRequest.method: try await offered(handlers.terminals, inbound).create(read(inbound)).json
        case ACP.TerminalOutputRequest.method: try await offered(handlers.terminals, inbound).output(read(inbound)).json
        case ACP.WaitForTerminalExitRequest.method:
            try await offered(handlers.terminals, inbound).waitForExit(read(inbound)).json
        case ACP.KillTerminalRequest.method: try await offered(handlers.terminals, inbound).kill(read(inbound)).json
        case ACP.ReleaseTerminalRequest.method:
            try await offered(handlers.terminals, inbound).release(read(inbound)).json
        default: try await offered(handlers.extensionRequest, inbound)(inbound.method, inbound.params)
        }
    }

    private func offered<Handler>(_ handler: Handler?, _ inbound: InboundRequests.Inbound) throws -> Handler {
        guard let handler else {
            if isGuest { throw LeftToOthers() }
            throw ACP.RPCError.methodNotFound(inbound.method)
        }
        return handler
    }

    private func read<Request: ACPRequest>(_ inbound: InboundRequests.Inbound) throws -> Request {
        do { return try Request(json: inbound.params) } catch { throw ACP.RPCError.invalidParams(error.message) }
    }

    private func answerElicitation(
        _ request: ACP.CreateElicitationRequest,
        _ inbound: InboundRequests.Inbound
    ) async throws -> ACP.CreateElicitationResponse {
        let handler = try offered(handlers.elicitation, inbound)
        if case .url = request.mode, !handlers.opensElicitationURLs {
            throw ACP.RPCError.invalidParams("addresses are not opened here")
        }
        return try await handler(request)
    }

    private func answerPermission(_ request: ACP.RequestPermissionRequest) async throws -> ACP.RequestPermissionResponse
    {
        let key = Self.key(request.sessionID, request.toolCall.toolCallID)
        let question = ACPPermissionQuestion(request, announcedTitle: titles.withLock { $0[key] })
        if isGuest, handlers.permission == nil { throw LeftToOthers() }
        guard let ask = handlers.permission else { return ACP.RequestPermissionResponse(outcome: question.denial) }
        do {
            // Left behind where it does not notice: a view that forgets its question must not keep the agent waiting.
            let ask = { @Sendable in try await ask(question) }
            let limit = configuration.permissionDeadline
            let outcome = try await withDeadline(limit, clock: configuration.clock, abandoning: ask)
            return ACP.RequestPermissionResponse(outcome: outcome)
        } catch is DeadlineExceeded {
            return ACP.RequestPermissionResponse(outcome: question.denial)
        }
    }
}
