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
    /// SSH over what dialers open: memory, a command, another host.
    @Suite struct DialedHostTests {
        /// A server of its own for each connection, which speaks on its standard input and output; the bytes between
        /// go through memory.
        private static func memory(_ lab: SSHLab) throws -> InMemoryDialer {
            let server = try #require(lab.server as? ThrowawaySSHServer)
            let program = try #require(SystemProgram.path("sshd"))
            let arguments = ["-i", "-f", "\(server.folder)/sshd_config", "-E", "\(server.folder)/inetd.log"]
            return InMemoryDialer { _ in try await LocalProcess.start(LocalCommand(program, arguments)) }
        }

        private static func host(
            _ lab: SSHLab,
            _ dialer: any HostDialer,
            clock: any Clock<Duration> = ContinuousClock()
        )
            throws -> SSHHost
        {
            var configuration = try lab.configuration()
            configuration.dialer = dialer
            return lab.host(configuration, clock: clock)
        }

        @Test func `over memory, OpenSSH keeps every rule`() async throws {
            try await SSHLab.with { lab in
                let dialer = try Self.memory(lab)
                let host = try Self.host(lab, dialer)
                try await SSHConformanceTests.runAll(on: lab, by: host, atOnce: 4)
                let files = HostSessionConformance(host, in: "/tmp")
                for check in HostSessionConformance.fileChecks { try await check.run(files) }
                #expect(dialer.dialed.allSatisfy { $0 == host.configuration.address })
                await host.shutdown()
                await dialer.shutdown()
            }
        }

        @Test(.enabled(if: SystemProgram.path("nc") != nil, "needs nc"))
        func `over a command, OpenSSH keeps every rule`() async throws {
            try await SSHLab.with { lab in
                let host = try Self.host(lab, CommandDialer("nc %h %p"))
                try await SSHConformanceTests.runAll(on: lab, by: host, atOnce: 4)
                let files = HostSessionConformance(host, in: "/tmp")
                for check in HostSessionConformance.fileChecks { try await check.run(files) }
            }
        }

        @Test(.enabled(if: SystemProgram.path("nc") != nil, "needs nc"))
        func `a command keeps the contract of a dialer`() async throws {
            // OpenBSD's nc stays when the host has closed, until it is to send something or its own input ends.
            for check in HostDialerConformance.checks where check.name != "endsWithItsPeer" {
                try await check.run(HostDialerConformance(try CommandDialer("nc -N %h %p")))
            }
        }

        @Test func `a host keeps the contract of a dialer, for what lies behind it`() async throws {
            try await SSHLab.with { lab in
                let dialer = try lab.host().dialer
                for check in HostDialerConformance.checks { try await check.run(HostDialerConformance(dialer)) }
                // And a host over it is a jump host by another name.
                #expect(try await Self.host(lab, dialer).run("echo there").text == "there\n")
            }
        }

        @Test func `a cut is a loss like any other: told, and dialed again by the schedule`() async throws {
            try await SSHLab.with { lab in
                let dialer = try Self.memory(lab)
                let clock = ManualClock()
                let host = try Self.host(lab, dialer, clock: clock)
                let session = try await host.terminal("stty -echo; echo ready; cat", name: "cat", size: .standard)
                var output = session.output.makeAsyncIterator()
                var text = ""
                while !text.contains("ready"), let bytes = await output.next() {
                    text += String(decoding: bytes, as: UTF8.self)
                }
                dialer.cut()
                await clock.sleepers(1)
                let problem = try #require(host.current.problem as? TransportError)
                #expect(problem.code == .connectionLost)
                #expect(problem.message.contains("The channel in memory was cut."), "\(problem)")
                clock.advance(by: .seconds(1))
                try await host.connect()
                #expect(dialer.dialed.count == 2)
                #expect(try await host.run("echo there").text == "there\n")
                await session.close()
                await host.shutdown()
                await dialer.shutdown()
            }
        }

        @Test func `a jump host goes over its own dialer`() async throws {
            try await SSHLab.with { lab in
                let dialer = try Self.memory(lab)
                let jump = try Self.host(lab, dialer)
                let host = lab.host(try lab.configuration(jump: jump))
                #expect(try await host.run("echo there").text == "there\n")
                #expect(dialer.dialed.count == 1)
                await host.shutdown()
                await jump.shutdown()
                await dialer.shutdown()
            }
        }

        @Test func `hosts of profiles are dialed by the dialer that they are given, the first one of them`()
            async throws
        {
            struct Asleep: Error {}
            let profiles = HostProfiles(
                settings: RiffSettings(InMemoryKeyValueStore()),
                secrets: InMemorySecretStore()
            )
            for (name, jump) in [("hop", nil), ("box", "hop")] as [(String, String?)] {
                try await profiles.save(
                    HostProfile(
                        id: RiffIdentifier(name),
                        address: HostAddress(name),
                        user: "me",
                        keyID: profiles.addKey(.makeEd25519(comment: name)),
                        jump: jump.map { try RiffIdentifier($0) }
                    )
                )
            }
            let dialer = InMemoryDialer { _ in throw Asleep() }
            let profile = try #require(try await profiles.profile(RiffIdentifier("box")))
            let host = try await SSHHost(
                profile,
                of: profiles,
                trust: .firstUse(InMemoryHostKeyStore()),
                dialer: dialer
            )
            #expect(await transportError { try await host.connect() }?.code == .unreachable)
            await host.shutdown()
            #expect(dialer.dialed.map(\.name) == ["hop"])
        }

        @Test func `a dialer's own error is told, and tried again later`() async throws {
            struct Tailnet: Error, CustomStringConvertible {
                let description = "the tailnet\u{1B}[2J is asleep"
            }
            try await SSHLab.with { lab in
                let host = try Self.host(lab, InMemoryDialer { _ in throw Tailnet() }, clock: ManualClock())
                let error = await transportError { try await host.link.attempt() }
                #expect(error?.code == .unreachable)
                #expect(error?.message.contains("the tailnet[2J is asleep") == true, "\(String(describing: error))")
                #expect(error?.cause is Tailnet)
            }
        }

        /// The contract asks more of it; a host is not to hang for it all the same.
        @Test func `a dialer that keeps no limit and notices no cancellation holds nobody up`() async throws {
            struct Stubborn: HostDialer {
                let release: EventualValue<Void>
                let near: InMemoryByteChannel
                func dial(_ address: HostAddress, within limit: Duration) async throws -> any ByteChannel {
                    await release.value()
                    return near
                }
            }
            try await SSHLab.with { lab in
                let release = EventualValue<Void>()
                let (near, far) = InMemoryByteChannel.makePair()
                var configuration = try lab.configuration()
                configuration.dialer = Stubborn(release: release, near: near)
                let cancelled = lab.host(configuration)
                let connecting = Task { try await cancelled.connect() }
                try await waitUntil { cancelled.current.connection == .connecting }
                await cancelled.shutdown()
                #expect(await connecting.result.isFailure)
                configuration.connectTimeout = .milliseconds(100)
                let error = await transportError { try await lab.host(configuration).connect() }
                #expect(error?.code == .timeout)
                // What it brings at last is closed.
                release.resolve(())
                #expect(try await far.output.collect(upTo: 10).isEmpty)
            }
        }

        // MARK: Commands

        @Test(arguments: [
            ("sh -c 'echo first >&2; echo no route to %h >&2; exit 7'", "ended with status 7: first / no route to"),
            ("riff-no-such-program %h", "ended with status 127: "),
            ("sh -c 'kill -TERM $$'", "ended with signal TERM."),
            ("sh -c 'printf \"\\033]0;x\\007no\\r\\n\" >&2; exit 1'", "ended with status 1: ]0;xno"),
        ])
        func `a command that fails is quoted`(line: String, words: String) async throws {
            try await SSHLab.with { lab in
                let host = try Self.host(lab, CommandDialer(line))
                let error = await transportError { try await host.connect() }
                #expect(error?.code == .connectionLost)
                #expect(
                    error?.message.contains("The way to 127.0.0.1:\(lab.server.port) \(words)") == true,
                    "\(error!)"
                )
            }
        }

        @Test func `a command that floods its standard error before it fails is quoted at its end`() async throws {
            try await SSHLab.with { lab in
                let line = "sh -c 'head -c 3000000 /dev/zero | tr \"\\\\0\" x >&2; echo; echo the end >&2; exit 3'"
                let error = await transportError { try await Self.host(lab, CommandDialer(line)).connect() }
                #expect(error?.message.contains("the end") == true, "\(String(describing: error))")
                #expect((error?.message.utf8.count ?? 0) < 1000)
            }
        }

        @Test(.enabled(if: SystemProgram.path("nc") != nil, "needs nc"))
        func `a command is gone when the host is shut down, and with it what it started`() async throws {
            try await SSHLab.with { lab in
                let server = try #require(lab.server as? ThrowawaySSHServer)
                let file = "\(server.folder)/numbers"
                let line = "sh -c 'sleep 600 & echo $! $$ >\(file); exec nc %h %p'"
                let host = try Self.host(lab, CommandDialer(line))
                #expect(try await host.run("echo there").text == "there\n")
                let numbers = try String(contentsOfFile: file, encoding: .utf8).split(whereSeparator: \.isWhitespace)
                    .compactMap { Int32($0) }
                #expect(numbers.count == 2)
                await host.shutdown()
                // Killed; what it started dies in its own time.
                for number in numbers { try await waitUntil { !Self.runs(number) } }
            }
        }

        /// Programs that do not wait for their proxy commands collect dead processes.
        @Test func `a command that fails leaves no dead process`() async throws {
            try await SSHLab.with { lab in
                let server = try #require(lab.server as? ThrowawaySSHServer)
                let file = "\(server.folder)/numbers"
                for _ in 0..<5 {
                    let host = try Self.host(
                        lab,
                        CommandDialer("sh -c 'echo $$ >>\(file); exit 1'"),
                        clock: ManualClock()
                    )
                    #expect(await transportError { try await host.connect() }?.code == .connectionLost)
                    await host.shutdown()
                }
                let numbers = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
                #expect(numbers.count == 5)
                for number in numbers { #expect(kill(try #require(Int32(number)), 0) == -1) }
            }
        }

        @Test func `a dial over a command that says nothing is cancelled, and its command is gone`() async throws {
            try await SSHLab.with { lab in
                let server = try #require(lab.server as? ThrowawaySSHServer)
                let file = "\(server.folder)/number"
                let host = try Self.host(
                    lab,
                    CommandDialer("sh -c 'echo $$ >\(file).new; mv \(file).new \(file); exec sleep 600'")
                )
                let connecting = Task { try await host.connect() }
                try await waitUntil { FileManager.default.fileExists(atPath: file) }
                let text = try String(contentsOfFile: file, encoding: .utf8)
                let number = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
                #expect(Self.runs(number))
                connecting.cancel()
                await #expect(throws: CancellationError.self) { try await connecting.value }
                await host.shutdown()
                try await waitUntil { !Self.runs(number) }
            }
        }

        @Test(.enabled(if: SystemProgram.path("nc") != nil, "needs nc"))
        func `a command that is killed is a loss that says so`() async throws {
            try await SSHLab.with { lab in
                let server = try #require(lab.server as? ThrowawaySSHServer)
                let file = "\(server.folder)/number"
                let host = try Self.host(
                    lab,
                    CommandDialer("sh -c 'echo $$ >\(file); exec nc %h %p'"),
                    clock: ManualClock()
                )
                let channel = try await host.openChannel("cat")
                let text = try String(contentsOfFile: file, encoding: .utf8)
                let number = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
                kill(number, SIGKILL)
                let error = await transportError { _ = try await channel.output.collect(upTo: 10) }
                #expect(error?.code == .connectionLost)
                #expect(error?.message.contains("ended with signal KILL") == true, "\(String(describing: error))")
            }
        }

        /// Whether a process runs: one that is dead and not yet reaped by whoever inherited it does not.
        private static func runs(_ number: Int32) -> Bool {
            guard kill(number, 0) == 0 else { return false }
            let state = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
            return state?.split(separator: ")").last?.hasPrefix(" Z") != true
        }
    }
}

extension Result {
    fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
