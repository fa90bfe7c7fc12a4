// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffACP
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// Agents under the keeper, on this machine.
    @Suite(.enabled(if: KeeperHome.isPossible, "tmux or python3 is missing"), .timeLimit(.minutes(10)))
    struct ACPKeeperTests {
        @Test(arguments: [1, 2, 3] as [UInt64], [.connectionLost, .closed] as [TransportError.Code])
        func `a turn goes on through lost channels, wherever they are cut`(
            seed: UInt64,
            loss: TransportError.Code
        ) async throws {
            try await KeeperHome.with { home in
                // Anywhere from the marker to the stream, and in the middle of messages to the agent.
                let limits = (0..<30).map { number in
                    var generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(number))
                    return Int.random(in: 1...(number % 2 == 0 ? 400 : 20_000), using: &generator)
                }
                let host = CuttingHost(base: home.host, loss: loss) { $0 < limits.count ? limits[$0] : nil }
                let turn = KeptTurn(keeper: ACPKeeper(on: host), command: try KeeperHome.command)
                _ = try await turn.run(interval: 1, until: { host.opened.count > limits.count })
            }
        }

        @Test func `two clients see one question, and the first answer counts`() async throws {
            try await KeeperHome.with { home in
                try await KeptPair(first: home.keeper, second: home.keeper, command: KeeperHome.command).run()
            }
        }

        @Test func `an agent goes on without a client, and the next one finds its question open`() async throws {
            try await KeeperHome.with { home in
                let isAsked = EventualValue<Void>()
                var handlers = ACPClient.Handlers()
                handlers.permission = { _ in
                    isAsked.resolve(())
                    try await EventualValue<Void>().cancellableValue()
                    return .cancelled()
                }
                try await withACPClient(home.keeper.agent("alone", try KeeperHome.command), handlers: handlers) {
                    client in
                    let session = try await client.newSession(in: "/").sessionID
                    // Nobody waits for the end of the turn.
                    let turn = Task { try await client.prompt("ask 1", in: session) }
                    try await isAsked.cancellableValue()
                    _ = turn
                }
                #expect(try await home.keeper.agents().map { "\($0.name) \($0.isRunning)" } == ["alone true"])
                let updates = Recorder<String>()
                let isDone = EventualValue<Void>()
                handlers.permission = { $0.choosing($0.options[0]) }
                handlers.update = {
                    updates.add($0.update.summary)
                    isDone.resolve(())
                }
                try await withACPClient(home.keeper.agent("alone", try KeeperHome.command), handlers: handlers) {
                    client in
                    try await isDone.cancellableValue()
                    #expect(try await client.stats().answers == ["1000": 1])
                }
                #expect(updates.all.count == 1)
            }
        }

        @Test func `its files are private, and gone with it`() async throws {
            try await KeeperHome.with { home in
                try await home.keeper.start("files", try KeeperHome.command)
                // Starting it again changes nothing.
                try await home.keeper.start("files", ["false"])
                let line =
                    "cd \(home.folder)/.local/state/riff && find . -type d ! -perm 0700; find . -type f ! -perm 0600; ls agents"
                #expect(try await home.host.run(line).text == "files\n")
                try await home.keeper.end("files")
                #expect(try await home.keeper.agents().isEmpty)
                #expect(try await home.host.run("ls \(home.folder)/.local/state/riff/agents").text.isEmpty)
                let error = await code { _ = try await home.keeper.attach(to: "files") }
                #expect(error == .agentExited)
            }
        }

        @Test func `an agent that ends says its last words to whoever is attached, and to who comes later`()
            async throws
        {
            try await KeeperHome.with { home in
                let source = home.keeper.agent("ends", try KeeperHome.command)
                try await withACPClient(source) { client in
                    try client.extensionNotification("_exit", [:])
                    let error = try await client.ended() as? ACPError
                    #expect(error?.code == .agentExited)
                    #expect(error?.message.contains("ended with status 7") == true)
                    #expect(error?.message.contains("these are my last words") == true)
                }
                let later = try await home.keeper.attach(to: "ends")
                while try await later.receive() != nil {}
                #expect(try await later.exitStatus() == .exited(7))
                await later.close()
                // Started again it is another one.
                let echoed = try await withACPClient(source) { client in try await client.stats().echoed }
                #expect(echoed.isEmpty)
            }
        }

        @Test func `a host without tmux says so`() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(
                path: "riff-k\(UInt32.random(in: 0 ... .max))"
            )
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }  // Cleanup.
            // A shell that is no login shell and has an empty PATH stands in for such a host.
            let shell = folder.appending(path: "shell")
            let script = "#!/bin/sh\nPATH='\(folder.path)'; export PATH\nshift; eval \"$1\"\n"
            try await SystemProgram.writeScript(script, to: shell.path)
            for tool in ["sh", "mkdir", "cat", "mv", "chmod", "head", "dd"] {
                let path = try #require(SystemProgram.path(tool))
                try FileManager.default.createSymbolicLink(
                    atPath: folder.appending(path: tool).path,
                    withDestinationPath: path
                )
            }
            let host = LocalHostSession(
                shell: "/bin/sh",
                homeDirectory: folder.path,
                environment: ["SHELL": shell.path, "HOME": folder.path, "PATH": "/usr/bin:/bin"]
            )
            let keeper = ACPKeeper(on: host)
            let capability = try await keeper.capability()
            #expect(!capability.isAvailable)
            #expect(capability.missingPrograms.first == "tmux")
            #expect(await code { try await keeper.start("x", ["true"]) } == .keeperUnavailable)
        }
    }
}
