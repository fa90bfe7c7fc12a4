// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Logging
public import RiffCore

/// An agent written in Swift: what it does with what a client asks. The other half of ``ACPClient``, for tests,
/// examples and agents.
public struct ACPAgentHandlers: Sendable {
    /// The agent's description of its capabilities. Methods that a capability gates are refused where it is not offered
    /// here.
    public var capabilities: ACP.AgentCapabilities
    /// The agent's name and version.
    public var info: ACP.Implementation?
    /// The ways in which a client can sign in.
    public var authMethods: [ACP.AuthMethod] = []

    /// Starts a session.
    public var newSession: @Sendable (ACP.NewSessionRequest, ACPAgentConnection) async throws -> ACP.NewSessionResponse
    /// Runs a turn. Its task is cancelled by the client's `session/cancel`; end it then with the reason `cancelled`: a
    /// `CancellationError` does.
    public var prompt: @Sendable (ACP.PromptRequest, ACPAgentConnection) async throws -> ACP.PromptResponse
    /// Answers every other request: its method, and its parameters as they came. Throw
    /// ``ACP/RPCError/methodNotFound(_:)`` for one that is not known, which is what happens without it.
    public var other: (@Sendable (_ method: String, _ params: JSONValue, ACPAgentConnection) async throws -> JSONValue)?

    /// An agent with the two methods that every agent has.
    public init(
        capabilities: ACP.AgentCapabilities = ACP.AgentCapabilities(),
        info: ACP.Implementation? = nil,
        newSession:
            @escaping @Sendable (ACP.NewSessionRequest, ACPAgentConnection) async throws -> ACP.NewSessionResponse,
        prompt: @escaping @Sendable (ACP.PromptRequest, ACPAgentConnection) async throws -> ACP.PromptResponse
    ) {
        self.capabilities = capabilities
        self.info = info
        self.newSession = newSession
        self.prompt = prompt
    }
}

/// Serves one client until its side ends or the task is cancelled.
///
/// - Parameters:
///   - channel: Where the client is; closed at the end.
///   - handlers: What the agent does.
///   - clock: Measures how long the client may take to answer.
public func serveACPAgent(
    on channel: any ACPChannel,
    handlers: ACPAgentHandlers,
    clock: any Clock<Duration> = ContinuousClock()
) async {
    let peer = ACPPeer(
        name: "The client",
        channel: channel,
        bufferedBytes: 8 * 1024 * 1024,
        clock: clock,
        logger: Logger(label: "riff.acp.agent", factory: { _ in SwiftLogNoOpLogHandler() })
    )
    let role = ACPAgentRole(handlers, peer).role
    await withTaskGroup { group in
        group.addTask { await peer.run(role) }
        group.addTask {
            // Throws when the task is cancelled, or when the client is gone.
            try? await EventualValue<Void>().cancellableValue()
            peer.isClosing.resolve(())
            await channel.close()
        }
        await group.next()
        group.cancelAll()
    }
}
