// Riff
// SPDX-License-Identifier: Apache-2.0

extension ACPClient {
    /// Starts a session.
    ///
    /// - Parameters:
    ///   - directory: Where the agent works: an absolute path where it runs.
    ///   - servers: MCP servers for the agent to connect to.
    ///   - additionalDirectories: More absolute paths, where the agent takes them.
    /// - Returns: The session's id, and its modes and options.
    /// - Throws: ``ACPError``; `CancellationError`.
    public func newSession(
        in directory: String,
        servers: [ACP.MCPServer] = [],
        additionalDirectories: [String] = []
    ) async throws -> ACP.NewSessionResponse {
        try await request(
            ACP.NewSessionRequest(cwd: directory, mcpServers: servers, additionalDirectories: additionalDirectories)
        )
    }

    /// Opens an earlier session; its conversation comes as updates, all of them handled when this returns.
    public func loadSession(_ request: ACP.LoadSessionRequest) async throws -> ACP.LoadSessionResponse {
        try await self.request(request)
    }

    /// Opens an earlier session without its conversation. Some agents send that all the same.
    public func resumeSession(_ request: ACP.ResumeSessionRequest) async throws -> ACP.ResumeSessionResponse {
        try await self.request(request)
    }

    /// One page of the agent's sessions.
    ///
    /// - Parameters:
    ///   - directory: Only sessions of this directory.
    ///   - cursor: Where the page begins: the page before says it. `nil` is the first page.
    /// - Returns: The page, with a cursor where there is more.
    /// - Throws: ``ACPError``; `CancellationError`.
    public func listSessions(in directory: String? = nil, from cursor: String? = nil) async throws
        -> ACP.ListSessionsResponse
    {
        try await request(ACP.ListSessionsRequest(cwd: directory, cursor: cursor))
    }

    /// Lets go of a session: the agent ends what it does for it.
    public func closeSession(_ session: ACP.SessionID) async throws {
        _ = try await request(ACP.CloseSessionRequest(sessionID: session))
    }

    /// Removes a session from the agent's list; one that is not there is no error.
    public func deleteSession(_ session: ACP.SessionID) async throws {
        _ = try await request(ACP.DeleteSessionRequest(sessionID: session))
    }

    /// Puts a session into one of its modes.
    public func setMode(_ mode: ACP.SessionModeID, of session: ACP.SessionID) async throws {
        _ = try await request(ACP.SetSessionModeRequest(sessionID: session, modeID: mode))
    }

    /// Sets one of a session's options.
    ///
    /// - Returns: All options as they are then; empty where the agent does not say.
    public func setOption(
        _ option: ACP.SessionConfigID,
        to value: ACP.SessionConfigOptionValue,
        of session: ACP.SessionID
    ) async throws -> [ACP.SessionConfigOption] {
        let request = ACP.SetSessionConfigOptionRequest(sessionID: session, configID: option, value: value)
        return try await self.request(request).configOptions
    }

    /// Chooses a session's model, with agents that offered `models` for it instead of an option.
    public func setModel(_ model: ACP.ModelID, of session: ACP.SessionID) async throws {
        _ = try await request(ACP.SetSessionModelRequest(sessionID: session, modelID: model))
    }

    /// Signs in by one of ``ACP/InitializeResponse/authMethods``. A method of type `terminal` is not for this: run the
    /// agent's own command in a terminal, with the method's arguments and environment added.
    public func authenticate(_ method: ACP.AuthMethodID) async throws {
        _ = try await request(ACP.AuthenticateRequest(methodID: method))
    }

    /// Signs out.
    public func logout() async throws { _ = try await request(ACP.LogoutRequest()) }
}
