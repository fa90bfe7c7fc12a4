// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import Synchronization
import Testing

/// A throwaway server, a key it lets in, and the hosts a test makes to reach it: all ended with the test.
final class SSHLab: Sendable {
    let server: any ThrowawayServer
    let key = SSHPrivateKey.makeEd25519(comment: "test")
    let pins = InMemoryHostKeyStore()
    private let hosts = Mutex<[SSHHost]>([])

    static func with(
        _ options: ThrowawaySSHServer.Options = .init(),
        _ body: (SSHLab) async throws -> Void
    ) async throws {
        var options = options
        // Keeps bash from reading the account's own .bashrc for each command, which is neither known nor fast.
        options.variables["SHLVL"] = "2"
        // sshd refuses at random beyond ten connections that are not yet in, and those that a test gave up count for a while.
        if options.maxStartups == nil { options.maxStartups = "100" }
        try await with(try await ThrowawaySSHServer.start(options), body)
    }

    static func with(_ server: any ThrowawayServer, _ body: (SSHLab) async throws -> Void) async throws {
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
            for host in lab.hosts.withLock({ $0 }) { await host.disconnect() }
            await server.stop()
        }.value
        try result.get()
    }

    private init(_ server: any ThrowawayServer) { self.server = server }

    /// The way to the server, or to a proxy before it.
    func configuration(
        port: Int? = nil,
        credentials: [SSHCredential]? = nil,
        trust: HostTrust? = nil,
        jump: SSHHost? = nil
    ) throws -> HostConfiguration {
        var configuration = HostConfiguration(
            address: try HostAddress(server.host, port: port ?? server.port),
            user: server.user,
            credentials: credentials ?? [.key(key)],
            trust: trust ?? .firstUse(pins),
            jump: jump?.link
        )
        configuration.connectTimeout = configuration.connectTimeout.patient
        configuration.operationTimeout = configuration.operationTimeout.patient
        configuration.probeTimeout = configuration.probeTimeout.patient
        configuration.keepAliveInterval = configuration.keepAliveInterval.patient
        return configuration
    }

    func host(_ configuration: HostConfiguration, clock: any Clock<Duration> = ContinuousClock()) -> SSHHost {
        let host = SSHHost(configuration, clock: clock)
        hosts.withLock { $0.append(host) }
        return host
    }

    /// The library's version, as `0xMMmmpp`: what it can do decides what some tests expect.
    var libssh2Version: Int { SSHEngines.libssh2Version }

    func host(port: Int? = nil, clock: any Clock<Duration> = ContinuousClock()) throws -> SSHHost {
        host(try configuration(port: port), clock: clock)
    }
}

/// Text that a test waits for in a terminal's output.
struct TerminalText {
    private var iterator: TerminalOutput.Iterator
    private(set) var text = ""

    init(_ output: TerminalOutput) { iterator = output.makeAsyncIterator() }

    /// Reads until what was read contains the text; returns all of it, which is then forgotten.
    @discardableResult
    mutating func read(through needle: String) async throws -> String {
        while true {
            if let range = text.range(of: needle) {
                let found = String(text[..<range.upperBound])
                text = String(text[range.upperBound...])
                return found
            }
            guard let bytes = await iterator.next() else {
                Issue.record("the output ended before \"\(needle)\" came, with: \(text.suffix(2000))")
                throw CancellationError()
            }
            text += String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Reads to the end.
    mutating func rest() async -> String {
        while let bytes = await iterator.next() { text += String(decoding: bytes, as: UTF8.self) }
        return text
    }
}

/// What the body throws, as a transport error.
func transportError(_ body: () async throws -> Void) async -> TransportError? {
    do { try await body() } catch { return error as? TransportError }
    return nil
}

extension SSHHost {
    /// What a command writes.
    func text(of command: String, within limit: Duration = .seconds(30).patient) async throws -> String {
        try await files.run(command, input: [], outputLimit: 1 << 20, timeout: limit).text
    }
}
