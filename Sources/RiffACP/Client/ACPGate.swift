// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The capabilities that an agent must have reported in the handshake before a method may be called.
enum ACPGate {
    /// Whether the agent offers a method; `nil` where every agent does.
    private static let capabilities: [String: @Sendable (ACP.InitializeResponse) -> Bool] = [
        ACP.LogoutRequest.method: { $0.agentCapabilities.auth.logout != nil },
        ACP.LoadSessionRequest.method: { $0.agentCapabilities.loadSession },
        ACP.ResumeSessionRequest.method: { $0.agentCapabilities.sessionCapabilities.resume != nil },
        ACP.CloseSessionRequest.method: { $0.agentCapabilities.sessionCapabilities.close != nil },
        ACP.ListSessionsRequest.method: { $0.agentCapabilities.sessionCapabilities.list != nil },
        ACP.DeleteSessionRequest.method: { $0.agentCapabilities.sessionCapabilities.delete != nil },
        ACP.ForkSessionRequest.method: { $0.agentCapabilities.sessionCapabilities.fork != nil },
        ACP.ListProvidersRequest.method: { $0.agentCapabilities.providers != nil },
        ACP.SetProviderRequest.method: { $0.agentCapabilities.providers != nil },
        ACP.DisableProviderRequest.method: { $0.agentCapabilities.providers != nil },
        ACP.StartNESRequest.method: { $0.agentCapabilities.nes != nil },
        ACP.SuggestNESRequest.method: { $0.agentCapabilities.nes != nil },
        ACP.CloseNESRequest.method: { $0.agentCapabilities.nes != nil },
        ACP.MessageMCPRequest.method: { $0.agentCapabilities.mcpCapabilities.acp },
        ACP.AcceptNESNotification.method: { $0.agentCapabilities.nes != nil },
        ACP.RejectNESNotification.method: { $0.agentCapabilities.nes != nil },
        ACP.DidOpenDocumentNotification.method: { $0.agentCapabilities.nes?.events?.document?.didOpen != nil },
        ACP.DidChangeDocumentNotification.method: { $0.agentCapabilities.nes?.events?.document?.didChange != nil },
        ACP.DidCloseDocumentNotification.method: { $0.agentCapabilities.nes?.events?.document?.didClose != nil },
        ACP.DidSaveDocumentNotification.method: { $0.agentCapabilities.nes?.events?.document?.didSave != nil },
        ACP.DidFocusDocumentNotification.method: { $0.agentCapabilities.nes?.events?.document?.didFocus != nil },
    ]

    /// Checks a notification before it is sent.
    ///
    /// - Throws: ``ACPError`` with `notOffered`.
    static func check<Notification: ACPNotification>(
        _ notification: Notification,
        _ agent: ACP.InitializeResponse,
        _ name: String
    ) throws(ACPError) {
        guard let isOffered = capabilities[Notification.method], !isOffered(agent) else { return }
        throw ACPError(.notOffered, "\(name) does not take \(Notification.method).")
    }

    /// Checks a request before it is sent.
    ///
    /// - Throws: ``ACPError`` with `notOffered` or `invalidParameter`.
    static func check(_ request: some ACPRequest, _ agent: ACP.InitializeResponse, _ name: String) throws(ACPError) {
        let method = type(of: request).method
        if let isOffered = capabilities[method], !isOffered(agent) {
            throw ACPError(.notOffered, "\(name) does not offer \(method).")
        }
        switch request {
        case let request as ACP.NewSessionRequest:
            try check(request.cwd, request.additionalDirectories, request.mcpServers, agent, name)
        case let request as ACP.LoadSessionRequest:
            try check(request.cwd, request.additionalDirectories, request.mcpServers, agent, name)
        case let request as ACP.ResumeSessionRequest:
            try check(request.cwd, request.additionalDirectories, request.mcpServers, agent, name)
        case let request as ACP.PromptRequest:
            for block in request.prompt { try check(block, agent.agentCapabilities.promptCapabilities, name) }
        default: break
        }
    }

    private static func check(
        _ directory: String,
        _ others: [String],
        _ servers: [ACP.MCPServer],
        _ agent: ACP.InitializeResponse,
        _ name: String
    ) throws(ACPError) {
        for path in [directory] + others where !path.hasPrefix(bytes: "/") {
            throw ACPError(.invalidParameter, "A session's directories are absolute paths; \(path) is not.")
        }
        guard others.isEmpty || agent.agentCapabilities.sessionCapabilities.additionalDirectories != nil else {
            throw ACPError(.notOffered, "\(name) takes no additional directories.")
        }
        let offered = agent.agentCapabilities.mcpCapabilities
        for server in servers {
            let (kind, isOffered): (String, Bool) =
                switch server {
                case .http: ("HTTP", offered.http)
                case .sse: ("SSE", offered.sse)
                case .acp: ("ACP", offered.acp)
                case .stdio, .unknown: ("", true)
                }
            if !isOffered { throw ACPError(.notOffered, "\(name) connects to no MCP servers over \(kind).") }
        }
    }

    private static func check(
        _ block: ACP.ContentBlock,
        _ offered: ACP.PromptCapabilities,
        _ name: String
    ) throws(ACPError) {
        let (kind, isOffered): (String, Bool) =
            switch block {
            case .image: ("pictures", offered.image)
            case .audio: ("sound", offered.audio)
            case .resource: ("embedded resources", offered.embeddedContext)
            case .text, .resourceLink, .unknown: ("", true)
            }
        if !isOffered { throw ACPError(.notOffered, "\(name) takes no \(kind) in a prompt.") }
    }
}
