// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffACP
import RiffCore
import RiffTesting
import RiffTransport
import Testing

/// A throw-away host behind a proxy that can be cut, and a keeper on it.
struct KeeperLab: Sendable {
    let server: ThrowawaySSHServer
    let proxy: ChaosProxy
    let host: SSHHost
    /// A second connection to it.
    let otherHost: SSHHost
    /// The same host, not through the proxy.
    let steadyHost: SSHHost

    var keeper: ACPKeeper { ACPKeeper(on: host.files) }
    var otherKeeper: ACPKeeper { ACPKeeper(on: otherHost.files) }
    private var steadyKeeper: ACPKeeper { ACPKeeper(on: steadyHost.files) }

    static func with(
        rules: @escaping @Sendable (Int) -> ChaosRules = { _ in ChaosRules() },
        _ body: (KeeperLab) async throws -> Void
    ) async throws {
        var options = ThrowawaySSHServer.Options()
        // Keeps bash from reading the account's own .bashrc for each command.
        options.variables["SHLVL"] = "2"
        // Dials come quickly one after another.
        options.maxStartups = "100"
        let server = try await ThrowawaySSHServer.start(options)
        let proxy = try await ChaosProxy.start(target: server.port, rules: rules)
        let key = SSHPrivateKey.makeEd25519(comment: "test")
        try server.authorize(try #require(key.publicKey).line)
        let pins = InMemoryHostKeyStore()
        func host(_ port: Int) throws -> SSHHost {
            try SSHHost(server.host, port: port, user: server.user, key: key, trust: .firstUse(pins))
        }
        let lab = KeeperLab(
            server: server,
            proxy: proxy,
            host: try host(proxy.port),
            otherHost: try host(proxy.port),
            steadyHost: try host(server.port)
        )
        let result: Result<Void, any Error>
        do { result = .success(try await body(lab)) } catch { result = .failure(error) }
        await Task {
            // Cleanup: what a failed test left behind.
            for agent in (try? await lab.steadyKeeper.agents()) ?? [] { try? await lab.steadyKeeper.end(agent.name) }
            await lab.host.shutdown()
            await lab.otherHost.shutdown()
            await lab.steadyHost.shutdown()
            await proxy.stop()
            await server.stop()
        }.value
        try result.get()
    }
}
