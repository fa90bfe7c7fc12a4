// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

// sample:
/// Starts an agent, makes the handshake, and gives the connection to a body; when the body has returned or thrown, the
/// agent is ended: its input is closed, and what does not end by itself is ended.
///
/// ```swift
/// try await withACPClient(.process(LocalCommand("hermes", ["acp"]))) { client in
///     let session = try await client.newSession(in: "/home/me/project")
///     let turn = try await client.prompt("Say hello", in: session.sessionID)
///     print(turn.stopReason)
/// }
/// ```
///
/// - Parameters:
///   - source: Where the agent comes from.
///   - configuration: How the client behaves.
///   - handlers: What the client does with what the agent sends, and so what it offers to it.
///   - body: Uses the connection. It goes on when the connection ends; its requests then fail.
/// - Returns: What the body returns.
/// - Throws: What the source and the body throw; ``ACPError`` with `unsupportedVersion`, and of the handshake as of any
///   request.
public func withACPClient<Result: Sendable>(
    _ source: ACPAgentSource,
    configuration: ACPClient.Configuration = ACPClient.Configuration(),
    handlers: ACPClient.Handlers = ACPClient.Handlers(),
    _ body: (ACPClient) async throws -> Result
) async throws -> Result {
    let channel = try await source.open()
    let peer = ACPPeer(
        name: source.name,
        channel: channel,
        bufferedBytes: configuration.bufferedBytes,
        clock: configuration.clock,
        logger: configuration.logger,
        wireObserver: configuration.wireObserver
    )
    let answering = ACPClientRole(handlers, configuration, isGuest: peer.shared?.greeting != nil)
    defer { answering.finish() }
    let role = answering.role
    peer.shared?.observeAnswers { id in peer.withdraw { $0.id == id } }
    peer.shared?.observeTurns { peer.otherTurnBegan($0) }
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await peer.run(role) }
        do {
            let agent = try await shakeHands(peer, handlers, configuration)
            if let keepalive = configuration.keepalive {
                group.addTask { await peer.keepAlive(every: keepalive) }
            }
            let client = ACPClient(peer: peer, role: role, agent: agent, configuration: configuration)
            let result = try await body(client)
            await peer.close(grace: configuration.closeGrace)
            return result
        } catch {
            await peer.close(grace: configuration.closeGrace)
            throw error
        }
    }
}

private func shakeHands(
    _ peer: ACPPeer,
    _ handlers: ACPClient.Handlers,
    _ configuration: ACPClient.Configuration
) async throws -> ACP.InitializeResponse {
    let hello = ACP.InitializeRequest(
        protocolVersion: ACP.version,
        clientCapabilities: handlers.capabilities,
        clientInfo: configuration.info
    )
    let deadline = configuration.deadlines[ACP.InitializeRequest.method]
    let agent: ACP.InitializeResponse
    if let greeting = peer.shared?.greeting {
        do { agent = try ACP.InitializeResponse(json: greeting) } catch {
            throw ACPError(.unexpectedAnswer, "What \(peer.name) said in its handshake cannot be read.", cause: error)
        }
    } else {
        agent = try await peer.ask(hello, deadline: deadline)
        await peer.shared?.keepGreeting(agent.json)
    }
    guard agent.protocolVersion == ACP.version else {
        let message =
            "\(peer.name) speaks version \(agent.protocolVersion) of the protocol, this client \(ACP.version)."
        throw ACPError(.unsupportedVersion, "\(message) Bring the older of them up to date.")
    }
    return agent
}
