// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// Each thing that a host may lack, made to be missing on a real one, and answered with its own code, text and
    /// recovery.
    @Suite struct PreflightTests {
        static let isPossible = ["tmux", "bash", "zsh", "fish", "csh"].allSatisfy { SystemProgram.path($0) != nil }

        @Test(.enabled(if: isPossible, "needs tmux, bash, zsh, fish and csh"), arguments: PreflightCase.accounts)
        func `the account has`(case expected: PreflightCase) async throws {
            try await HostLab.with(expected.account) { lab in
                try await lab.authorize()
                let host = try lab.host()
                let readiness = try await host.preflight(
                    harness: expected.harness,
                    server: lab.tmux,
                    timeout: expected.timeout
                )
                try Self.expect(readiness, expected)
                if expected.words == "within 2 seconds" { try await Self.expectNobodyWaits(in: lab) }
            }
        }

        // MARK: On the way to the host

        @Test func `a key that cannot be used is told before anything is dialed`() async throws {
            let path = "/tmp/riff-key-\(UInt32.random(in: .min ... .max))"
            // Cleanup.
            defer { for file in [path, "\(path).pub"] { try? FileManager.default.removeItem(atPath: file) } }
            let line = ["-q", "-t", "rsa", "-b", "2048", "-N", "", "-f", path]
            #expect(try await SystemProgram.run("ssh-keygen", line).status == 0)
            let pem = Secret(try String(contentsOfFile: path, encoding: .utf8))
            let configuration = SSHHost.Configuration(
                address: try HostAddress("riff-no-such-host.invalid"),
                user: "me",
                credentials: [.key(try SSHPrivateKey(pem: pem))],
                trust: .firstUse(InMemoryHostKeyStore())
            )
            let readiness = try await SSHHost(configuration).preflight()
            if try !SSHEngines.info(of: nil).capabilities.contains(.signsRSAWithSHA2) {
                #expect(readiness[.key]?.problem?.stableCode == "transport.keyUnusable")
                #expect(readiness.checks.dropFirst().allSatisfy { !$0.isSatisfied && $0.problem == nil })
            } else {
                #expect(readiness[.network]?.problem?.stableCode == "transport.hostNotFound")
            }
        }

        @Test func `the name is not known`() async throws {
            var configuration = try GreetingServer.configuration(port: 22)
            configuration.address = try HostAddress("riff-no-such-host.invalid")
            try await Self.expect(
                configuration,
                .network,
                "transport.hostNotFound",
                .openSettings(.host),
                "No machine is known by the name riff-no-such-host.invalid"
            )
        }

        @Test func `no way leads to the host`() async throws {
            try await LoopbackPort.withFullBacklog { port in
                var configuration = try GreetingServer.configuration(port: port)
                configuration.connectTimeout = .milliseconds(300)
                try await Self.expect(
                    configuration,
                    .network,
                    "transport.unreachable",
                    .checkNetwork,
                    "Can't reach 127.0.0.1:\(port)"
                )
            }
        }

        @Test func `nothing listens at the port`() async throws {
            try await LoopbackPort.withRefusing { port in
                try await Self.expect(
                    try GreetingServer.configuration(port: port),
                    .network,
                    "transport.connectionRefused",
                    .openSettings(.port),
                    "nothing answers at port \(port)"
                )
            }
        }

        @Test func `what listens is no SSH server`() async throws {
            try await GreetingServer.with(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), closes: true) { port in
                try await Self.expect(
                    try GreetingServer.configuration(port: port),
                    .server,
                    "transport.notSSHServer",
                    .openSettings(.port),
                    "is not an SSH server"
                )
            }
        }

        @Test func `the server has too many new connections`() async throws {
            var options = ThrowawaySSHServer.Options()
            options.maxStartups = "1:100:1"
            try await SSHLab.with(options) { lab in
                let idle = try LoopbackClient(port: lab.server.port)
                _ = try await idle.read(8)
                try await Self.expect(
                    try lab.configuration(),
                    .server,
                    "transport.droppedBeforeBanner",
                    .retry,
                    "MaxStartups"
                )
            }
        }

        @Test func `the server penalises this address`() async throws {
            try await GreetingServer.with(Array("Not allowed at this time\r\n".utf8), closes: true) { port in
                try await Self.expect(
                    try GreetingServer.configuration(port: port),
                    .server,
                    "transport.droppedBeforeBanner",
                    .retry,
                    "refuse this address for a while"
                )
            }
        }

        @Test func `the host's key has changed`() async throws {
            try await SSHLab.with { lab in
                let first = try lab.host()
                try await first.link.connect()
                await first.shutdown()
                try await lab.server.restart(replacingHostKeys: true)
                let configuration = try lab.configuration()
                try await Self.expect(
                    configuration,
                    .hostKey,
                    "core.hostKeyMismatch",
                    .resetHostKey(pin: configuration.pin.id),
                    "Somebody may be in between"
                )
            }
        }

        @Test func `the key is not authorized`() async throws {
            try await SSHLab.with { lab in
                let key = SSHPrivateKey.makeEd25519()
                let command = try #require(key.publicKey).authorizeCommand
                try await Self.expect(
                    try lab.configuration(credentials: [.key(key)]),
                    .authorization,
                    "transport.notAuthorized",
                    .authorizeKey(command: command),
                    "Key not authorized"
                )
            }
        }

        @Test func `the jump host does not let us in`() async throws {
            try await SSHLab.with { lab in
                let jump = lab.host(try lab.configuration(credentials: [.key(.makeEd25519())]))
                let host = lab.host(try lab.configuration(jump: jump))
                let readiness = try await host.preflight()
                #expect(readiness[.jumpHost]?.problem?.stableCode == "transport.notAuthorized")
                #expect(readiness[.key]?.isSatisfied == true)
                #expect(readiness.checks.dropFirst(2).allSatisfy { !$0.isSatisfied && $0.problem == nil })
            }
        }

        // MARK: Links and time

        @Test func `a link that comes back by itself is not waited for`() async throws {
            try await SSHLab.with { lab in
                let host = try lab.host()
                try await host.link.connect()
                try await lab.server.halt()
                for await state in host.link.updates() {
                    if case .reconnecting = state.connection { break }
                }
                let readiness = try await host.preflight()
                #expect(readiness[.network]?.problem?.stableCode == "transport.connectionRefused", "\(readiness)")
                // The link goes on trying.
                guard case .reconnecting = host.link.current.connection else {
                    Issue.record("\(host.link.current)")
                    return
                }
            }
        }

        @Test func `a host that falls silent is told apart from a shell that does not answer`() async throws {
            try await SSHLab.with { lab in
                let proxy = try await ChaosProxy.start(target: lab.server.port)
                var configuration = try lab.configuration(port: proxy.port)
                configuration.probeTimeout = .seconds(1)
                let host = lab.host(configuration)
                try await host.link.connect()
                try await proxy.vanishAll()
                let readiness = try await host.preflight(timeout: .seconds(1))
                #expect(readiness[.loginShell]?.problem?.stableCode == "transport.timeout")
                #expect(readiness[.loginShell]?.problem?.recovery == .retry)
                #expect(readiness[.authorization]?.isSatisfied == true && !readiness.isReady)
                await host.shutdown()
                await proxy.stop()
            }
        }

        @Test(.enabled(if: isPossible, "needs tmux, bash, zsh, fish and csh"))
        func `a cancelled preflight ends, whatever it waits for`() async throws {
            try await HostLab.with(.init(profile: "echo $$ >~/waiting; exec sleep 1000")) { lab in
                try await lab.authorize()
                let host = try lab.host()
                let fifo = "\(lab.home)/waiting"
                #expect(try await SystemProgram.run("mkfifo", [fifo]).status == 0)
                let preflight = Task { try await host.preflight(timeout: .seconds(600)) }
                // Reading ends when the profile has written.
                #expect(try await SystemProgram.run("cat", [fifo]).output.isEmpty == false)
                preflight.cancel()
                await #expect(throws: CancellationError.self) { try await preflight.value }
            }
        }

        // MARK: All is well

        @Test(
            .enabled(if: isPossible, "needs tmux, bash, zsh, fish and csh"),
            arguments: ["/bin/bash", "/bin/zsh", "/usr/bin/fish", "/bin/dash"]
        )
        func `a host with everything is ready, and each step is told`(shell: String) async throws {
            try await HostLab.with(.init(shell: shell)) { lab in
                try await lab.authorize()
                let progress = StateSource(HostReadiness())
                var steps = progress.updates().makeAsyncIterator()
                let host = try lab.host()
                let readiness = try await host.preflight(harness: .custom("sh"), server: lab.tmux, progress: progress)
                progress.finish()
                #expect(readiness.isReady, "\(readiness.failures)")
                #expect(readiness.failures.isEmpty && readiness.warnings.isEmpty, "\(readiness)")
                #expect(readiness[.tmux]?.detail?.hasPrefix("tmux ") == true)
                #expect(readiness[.harness]?.detail?.hasSuffix("/sh") == true)
                #expect(host.link.current.connection == .connected)
                var reached: [Int] = []
                while let step = await steps.next() { reached.append(step.checks.count(where: \.isSatisfied)) }
                #expect(reached == [0, 0, 1, 5, 8])
                // Sessions are listed, none is made, and no server is left behind.
                let list = await host.link.report(of: try lab.tmux.listSessions().line())
                #expect(list.tmuxFailure?.kind == .noServer)
            }
        }

        // MARK: Tools

        private static func expect(_ readiness: HostReadiness, _ expected: PreflightCase) throws {
            let check = try #require(readiness[expected.check])
            let problem = try #require(check.problem, "\(readiness)")
            #expect(problem.stableCode == expected.code)
            #expect(problem.recovery == expected.recovery)
            #expect(problem.message.contains(expected.words), "\(problem.message)")
            #expect(check.detail == expected.detail)
            #expect(check.isSatisfied == expected.isWarning)
            #expect(readiness.isReady == expected.isWarning)
            let programs: [HostCheck.Kind] = [.tmux, .harness]
            let others = readiness.checks.filter { $0.kind != expected.check }
            if expected.code == "core.tmuxHangs" {
                #expect(readiness[.loginShell]?.isSatisfied == true)
                #expect(readiness[.harness]?.isSatisfied == false && readiness[.harness]?.problem == nil)
            } else if expected.isWarning || programs.contains(expected.check) || expected.code == "core.homeMissing" {
                #expect(others.allSatisfy { $0.isSatisfied }, "\(readiness)")
            } else {
                #expect(others.filter { !programs.contains($0.kind) }.allSatisfy { $0.isSatisfied }, "\(readiness)")
                #expect(
                    others.filter { programs.contains($0.kind) }.allSatisfy { !$0.isSatisfied && $0.problem == nil }
                )
            }
        }

        private static func expect(
            _ configuration: SSHHost.Configuration,
            _ kind: HostCheck.Kind,
            _ code: String,
            _ recovery: Recovery,
            _ words: String
        ) async throws {
            let host = SSHHost(configuration)
            let readiness = try await host.preflight()
            await host.shutdown()
            let position = try #require(readiness.checks.firstIndex { $0.kind == kind })
            #expect(readiness.checks[..<position].allSatisfy { $0.isSatisfied }, "\(readiness)")
            #expect(readiness.checks[(position + 1)...].allSatisfy { !$0.isSatisfied && $0.problem == nil })
            let problem = try #require(readiness.failure, "\(readiness)")
            #expect(readiness[kind]?.problem?.stableCode == code, "\(problem)")
            #expect(problem.recovery == recovery)
            #expect(problem.message.contains(words), "\(problem.message)")
            #expect(!readiness.isReady)
        }

        /// The login shell that kept the preflight waiting is gone from the host.
        private static func expectNobodyWaits(in lab: HostLab) async throws {
            let id = try String(contentsOfFile: "\(lab.home)/waiting", encoding: .utf8)
            let shell = id.filter(\.isNumber)
            #expect(!shell.isEmpty)
            #expect(try await SystemProgram.run("sh", ["-c", "kill -0 \(shell)"]).status != 0)
        }
    }
}
