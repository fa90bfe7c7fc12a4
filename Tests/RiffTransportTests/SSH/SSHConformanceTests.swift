// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// The conformance checks of terminals, channels and commands, on real servers.
    @Suite struct SSHConformanceTests {
        enum Kind: CaseIterable {
            case defaults, oneSession, twoSessions, rekeying

            var options: ThrowawaySSHServer.Options {
                var options = ThrowawaySSHServer.Options()
                options.maxStartups = "100"
                switch self {
                case .defaults: break
                case .oneSession: options.maxSessions = 1
                case .twoSessions: options.maxSessions = 2
                case .rekeying: options.rekeyLimit = "1M"
                }
                return options
            }
        }

        @Test(arguments: Kind.allCases)
        func `OpenSSH keeps every rule`(kind: Kind) async throws {
            try await SSHLab.with(kind.options) { try await Self.runAll(on: $0, atOnce: 8) }
        }

        /// The host's own file service, and the commands where it has no way.
        @Test func `files over OpenSSH keep every rule`() async throws {
            try await SSHLab.with { lab in
                let files = HostSessionConformance(try lab.host(), in: "/tmp")
                #expect(HostSessionConformance.fileChecks.count == 12)
                for check in HostSessionConformance.fileChecks { try await check.run(files) }
            }
        }

        /// sshd then closes the channel without a word, and the command goes on: libssh2 calls that a success.
        @Test(.enabled("needs OpenSSH 9.2") { try await hasChannelTimeout() })
        func `a command whose channel is closed without a status has none`() async throws {
            // A server of its own: on a busy machine a shell may take longer than the other one's second.
            try await SSHLab.with { lab in
                let quick = try await lab.host().run("exit 0")
                #expect(quick.exit == .exited(0))
            }
            var options = ThrowawaySSHServer.Options()
            options.extraLines = ["ChannelTimeout session:*=1s"]
            try await SSHLab.with(options) { lab in
                let cut = try await lab.host().run("exec sleep 5", timeout: .seconds(60))
                #expect(cut.exit == nil)
            }
        }

        private static func hasChannelTimeout() async throws -> Bool {
            // "OpenSSH_9.2p1 Debian-2, ..."
            let words = try await LocalHostSession().run("ssh -V 2>&1").text
            let number = words.trimmingPrefix("OpenSSH_").prefix { $0.isNumber || $0 == "." }
            let version = number.split(separator: ".").compactMap { Int($0) }
            return !version.lexicographicallyPrecedes([9, 2])
        }

        /// One check at a time, and not the one with 32 commands at once: dropbear 2022.83 closes channels that were
        /// just opened when others end at the same time, and then may fail an assertion of its own, which is the end of
        /// its connection (common-channel.c, `!channel->sent_close`). A check that met that is run again.
        @Test(.enabled("needs dropbear and root") { await ThrowawayDropbear.isAvailable() })
        func `dropbear keeps every rule`() async throws {
            try await SSHLab.with(try await ThrowawayDropbear.start()) { lab in
                try await Self.runAll(on: lab, atOnce: 1, without: ["command: runsManyAtOnce"])
            }
        }

        /// Runs the checks, a few at a time: most of them wait most of the time.
        static func runAll(
            on lab: SSHLab,
            by given: SSHHost? = nil,
            atOnce count: Int,
            only wanted: Set<String>? = nil,
            without left: [String] = []
        ) async throws {
            let server = lab.server
            let host = try given ?? lab.host()
            let terminals = TerminalTransportConformance { SSHTerminal($0.commandLine, on: host.link) }
            let channels = ByteChannelConformance { try await host.files.openChannel($0) }
            let commands = HostSessionConformance(CommandsOnly(ssh: host.files), in: "/tmp")
            var checks: [(String, @Sendable () async throws -> Void)] = []
            checks += TerminalTransportConformance.checks.map { check in
                ("terminal: \(check)", { try await check.run(terminals) })
            }
            checks += ByteChannelConformance.checks.map { check in
                ("channel: \(check)", { try await check.run(channels) })
            }
            checks += HostSessionConformance.commandChecks.filter { $0.name != "opensChannels" }.map { check in
                ("command: \(check)", { try await check.run(commands) })
            }
            checks.removeAll { left.contains($0.0) }
            if let wanted {
                checks.removeAll { !wanted.contains($0.0) }
                #expect(checks.count == wanted.count)
            }
            try await withThrowingTaskGroup { group in
                var rest = checks[...]
                for _ in 0..<count { if let next = rest.popFirst() { group.addTask { await run(next, on: server) } } }
                while try await group.next() != nil {
                    if let next = rest.popFirst() { group.addTask { await run(next, on: server) } }
                }
            }
        }

        private static func run(
            _ check: (name: String, run: @Sendable () async throws -> Void),
            on server: any ThrowawayServer
        ) async {
            let crashes = { server.log.components(separatedBy: "Failed assertion").count }
            for attempt in 1... {
                let before = crashes()
                do {
                    return try await check.run()
                } catch {
                    guard attempt < 5, crashes() > before else {
                        Issue.record("\(check.name): \(error)\n\(server.log.suffix(2000))")
                        return
                    }
                }
            }
        }
    }
}

/// Commands by SSH, and files by this machine, which is the host.
private struct CommandsOnly: ForwardingHostSession {
    let ssh: SSHHostSession
    let base: any HostSession = LocalHostSession()

    func run(_ command: String, input: [UInt8], outputLimit: Int, timeout: Duration) async throws -> CommandResult {
        try await ssh.run(command, input: input, outputLimit: outputLimit, timeout: timeout)
    }
    func openChannel(_ command: String) async throws -> any ByteChannel { try await ssh.openChannel(command) }
}
