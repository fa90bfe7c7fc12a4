// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
package import RiffCore
package import RiffTesting
package import RiffTransport
internal import Synchronization
internal import Testing

/// A throwaway server, a key it lets in, and the hosts a test makes to reach it: all ended with the test.
package final class SSHLab: Sendable {
    package let server: any ThrowawayServer
    package let key = SSHPrivateKey.makeEd25519(comment: "test")
    package let pins = InMemoryHostKeyStore()
    private let hosts = Mutex<[SSHHost]>([])

    package static func with(
        _ options: ThrowawaySSHServer.Options = .init(),
        _ body: (SSHLab) async throws -> Void
    ) async throws {
        var options = options
        // Keeps bash from reading the account's own .bashrc for each command, which is neither known nor fast.
        options.variables["SHLVL"] = "2"
        // sshd refuses at random beyond ten connections that are not yet in, and those that a test gave up count for a
        // while.
        if options.maxStartups == nil { options.maxStartups = "100" }
        try await with(try await ThrowawaySSHServer.start(options), body)
    }

    package static func with(_ server: any ThrowawayServer, _ body: (SSHLab) async throws -> Void) async throws {
        let lab = SSHLab(server)
        let result: Result<Void, any Error>
        do {
            try server.authorize(try #require(lab.key.publicKey).line)
            result = .success(try await body(lab))
        } catch {
            result = .failure(error)
        }
        // A test that ran out of time is cancelled, and everything of it ends all the same.
        await Task {
            for host in lab.hosts.withLock({ $0 }) { await host.shutdown() }
            await server.stop()
        }.value
        try result.get()
    }

    private init(_ server: any ThrowawayServer) { self.server = server }

    /// The way to the server, or to a proxy before it.
    package func configuration(
        port: Int? = nil,
        credentials: [SSHCredential]? = nil,
        trust: HostTrust? = nil,
        jump: SSHHost? = nil
    ) throws -> SSHHost.Configuration {
        var configuration = SSHHost.Configuration(
            address: try HostAddress(server.host, port: port ?? server.port),
            user: server.user,
            credentials: credentials ?? [.key(key)],
            trust: trust ?? .firstUse(pins),
            jump: jump
        )
        configuration.connectTimeout = configuration.connectTimeout.patient
        configuration.operationTimeout = configuration.operationTimeout.patient
        configuration.probeTimeout = configuration.probeTimeout.patient
        configuration.keepAliveInterval = configuration.keepAliveInterval.patient
        return configuration
    }

    package func host(_ configuration: SSHHost.Configuration, clock: any Clock<Duration> = ContinuousClock()) -> SSHHost
    {
        let host = SSHHost(configuration, clock: clock)
        hosts.withLock { $0.append(host) }
        return host
    }

    /// The engine: what it can do decides what some tests expect.
    package var engine: SSHEngineInfo { get throws { try SSHEngines.info(of: nil) } }

    package func host(port: Int? = nil, clock: any Clock<Duration> = ContinuousClock()) throws -> SSHHost {
        host(try configuration(port: port), clock: clock)
    }
}

/// What the body throws, as a transport error.
package func transportError(_ body: () async throws -> Void) async -> TransportError? {
    do { try await body() } catch { return error as? TransportError }
    return nil
}

extension SSHHost {
    /// What a command writes.
    package func text(of command: String, within limit: Duration = .seconds(30).patient) async throws -> String {
        try await files.run(command, input: [], outputLimit: 1 << 20, timeout: limit).text
    }
}
