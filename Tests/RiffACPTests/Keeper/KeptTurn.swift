// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffACP
import RiffCore
import RiffTesting
import RiffTransport
import Testing

/// A long turn of the counting agent, with a question that stays open meanwhile, and requests all the time.
struct KeptTurn {
    let keeper: ACPKeeper
    let command: [String]

    /// Lives through the turn. Every update must come once and in order, every request arrive once, the question be
    /// answered once, and the agent be the same process at the end.
    ///
    /// - Parameters:
    ///   - interval: Milliseconds between two numbers.
    ///   - begun: Told when the turn runs and the question is open.
    ///   - isOver: Whether enough has gone wrong.
    /// - Returns: How many updates and requests there were.
    /// - Throws: What ended the conversation.
    func run(
        interval: Int,
        begun: () async throws -> Void = {},
        until isOver: () async throws -> Bool
    ) async throws -> (updates: Int, requests: Int) {
        let text = Recorder<String>()
        let isAsked = EventualValue<Void>()
        let answer = EventualValue<ACP.RequestPermissionOutcome>()
        var handlers = ACPClient.Handlers()
        handlers.update = { notification in
            if case .agentMessageChunk(let chunk) = notification.update, case .text(let part) = chunk.content {
                text.add(part.text)
            }
        }
        handlers.permission = { _ in
            isAsked.resolve(())
            return try await answer.cancellableValue()
        }
        let source = keeper.agent("turn", command)
        let requests = try await withACPClient(source, handlers: handlers) { client in
            let session = try await client.newSession(in: "/").sessionID
            let pid = try await client.stats().pid
            async let turn = client.prompt("count \(interval)", in: session)
            try await isAsked.cancellableValue()
            try await begun()
            var sent: Int64 = 0
            while try await !isOver() {
                let echo = try await client.extensionRequest("_echo", ["number": .integer(sent)])
                #expect(echo["number"] == .integer(sent))
                sent += 1
            }
            answer.resolve(.selected(ACP.SelectedPermissionOutcome(optionID: "yes")))
            try client.extensionNotification("_stop", [:])
            #expect(try await turn.stopReason == .endTurn)
            let stats = try await client.stats()
            #expect(stats.pid == pid)
            #expect(stats.answers == ["1": 1])
            #expect(stats.echoed == Array(0..<sent))
            return Int(sent)
        }
        let numbers = text.all.joined().split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        #expect(numbers == Array(0..<numbers.count))
        return (numbers.count, requests)
    }
}

extension ACPClient {
    /// What the agent of the tests has got so far.
    func stats() async throws -> (pid: Int64?, answers: JSONValue, echoed: [Int64]) {
        let stats = try await extensionRequest("_stats", [:])
        let echoed = stats["echoed"]?.array?.compactMap(\.integer) ?? []
        return (stats["pid"]?.integer, stats["answers"] ?? .null, echoed)
    }
}

/// The agent of these tests, and a home on this machine to keep it in.
struct KeeperHome: Sendable {
    /// Not the first on the PATH: that may be a script that depends on the home directory.
    static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    static var isPossible: Bool { python != nil && SystemProgram.path("tmux") != nil }

    static var command: [String] {
        get throws {
            let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "../Fixtures/kept_agent.py"
            )
            return [try #require(python), script.standardized.path]
        }
    }

    let folder: String
    let host: LocalHostSession
    var keeper: ACPKeeper { ACPKeeper(on: host) }

    static func with(_ body: (KeeperHome) async throws -> Void) async throws {
        let folder = "/tmp/riff-k\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let host = LocalHostSession(
            shell: "/bin/sh",
            homeDirectory: folder,
            environment: ["HOME": folder, "SHELL": "/bin/sh", "PATH": path]
        )
        let home = KeeperHome(folder: folder, host: host)
        let result: Result<Void, any Error>
        do { result = .success(try await body(home)) } catch { result = .failure(error) }
        await Task {
            // Cleanup: what a failed test left behind.
            for agent in (try? await home.keeper.agents()) ?? [] { try? await home.keeper.end(agent.name) }
            try? FileManager.default.removeItem(atPath: folder)
        }.value
        try result.get()
    }
}
