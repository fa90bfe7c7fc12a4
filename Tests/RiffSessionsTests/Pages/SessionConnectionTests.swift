// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// How many connections a host's sessions take.
    @Suite(.enabled(if: ManagerLab.isPossible, "needs sshd and tmux")) struct SessionConnectionTests {
        /// One for each of MaxSessions channels, with three besides the sessions': commands, tmux's control client,
        /// files.
        @Test(arguments: [(nil, 20, 3), (2, 6, 5), (1, 5, 8)] as [(Int?, Int, Int)])
        func `sessions share as few connections as the server's MaxSessions allows`(
            _ maxSessions: Int?,
            _ count: Int,
            _ most: Int
        ) async throws {
            try await ManagerLab.with(maxSessions: maxSessions) { lab in
                try await lab.start(["riff"] + (2...count).map { "riff-\($0)" })
                let host = try lab.lab.host()
                let manager = try await lab.manager(on: host)
                func settle(_ count: Int) async throws {
                    try await manager.wait { snapshot in
                        snapshot.pages.count == count && snapshot.pages.allSatisfy { $0.state?.isOpen == true }
                    }
                    #expect(host.link.current.connectionCount <= most)
                }
                try await settle(count)
                // As many again, one after another, with a channel that stays and one for files beside them.
                let control = try await host.files.openChannel("exec cat")
                _ = try await host.files.status(of: "/")
                for _ in 0..<3 {
                    try await manager.close()
                    try await settle(count - 1)
                    try await manager.create(ManagerLab.echo)
                    try await settle(count)
                }
                for _ in 0..<5 { await manager.foreground() }
                try await manager.close()
                try await settle(count - 1)
                #expect(try await lab.clients().count == count - 1)
                await control.close()
            }
        }

        @Test func `commands one after another take one connection, also where one channel is all it has`() async throws
        {
            try await ManagerLab.with(maxSessions: 1) { lab in
                let host = try lab.lab.host()
                for number in 0..<30 {
                    let report = await host.link.report(of: "echo \(number)")
                    guard case .output(let bytes, status: 0) = report.outcome else {
                        throw TestingError(.serverEnded, "\(report.outcome)")
                    }
                    #expect(bytes == Array("\(number)\n".utf8))
                }
                #expect(host.link.current.connectionCount == 1)
            }
        }

        @Test func `commands that were given up do not cost their connections for good`() async throws {
            try await ManagerLab.with(maxSessions: 1) { lab in
                let host = try lab.lab.host()
                for round in 0..<3 {
                    for number in 0..<3 {
                        let pipe = "\(lab.socket)-\(round)-\(number)"
                        _ = try await SystemProgram.run("mkfifo", [pipe])
                        // The server counts it until it ends by itself.
                        let report = await host.link.report(of: "exec cat \(pipe)", timeout: .seconds(1))
                        guard case .timeout = report.outcome else {
                            throw TestingError(.serverEnded, "\(report.outcome)")
                        }
                    }
                    for number in 0..<3 {
                        let pipe = "\(lab.socket)-\(round)-\(number)"
                        _ = try await SystemProgram.run("sh", ["-c", "echo 1<>\(pipe)"])
                    }
                    for _ in 0..<5 { _ = await host.link.report(of: "true") }
                }
                #expect(host.link.current.connectionCount <= 4)
            }
        }
    }
}
