// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffAgents
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// A board over real sshd and tmux.
@Suite(.enabled(if: BoardLab.isPossible, "needs sshd, tmux, bash"), .timeLimit(.minutes(2)))
struct AgentBoardTests {
    private static func wait(_ board: AgentBoard, _ isMeant: (AgentBoardSnapshot) -> Bool) async throws {
        for await snapshot in board.updates() where isMeant(snapshot) { return }
        throw CancellationError()
    }

    /// Runs a board that never looks by itself after its first look.
    private static func with(
        _ labs: [(name: String, lab: BoardLab)],
        _ body: (AgentBoard) async throws -> Void
    ) async throws {
        let pace = BoardPace(busy: .seconds(3600), rest: .seconds(3600))
        let board = AgentBoard(adapters: [.claude, .codex], pace: pace, clock: ContinuousClock())
        for (name, lab) in labs {
            _ = try await lab.host.text(of: "true")
            await board.add(name, lab.host.files, server: TmuxServer(.path(lab.socket)))
        }
        await board.start()
        let result: Result<Void, any Error>
        do { result = .success(try await body(board)) } catch { result = .failure(error) }
        await board.stop()
        #expect(board.current.hosts.allSatisfy { !$0.isFresh })
        try result.get()
    }

    @Test(arguments: ["sh", "fish", "zsh"])
    func `agents are seen, change and end, with any login shell`(shell: String) async throws {
        guard let path = SystemProgram.path(shell) else { return }
        try await BoardLab.with(shell: path) { lab in
            try await lab.startClaude("one")
            try await lab.startClaude("two", status: "busy")
            try await Self.with([("box", lab)]) { board in
                try await Self.wait(board) { $0.hosts.first?.isFresh == true }
                try await waitUntil {
                    try await board.refresh()
                    return board.current.inPanes.map(\.report.state.name).sorted() == ["ready", "working"]
                }
                let working = try #require(board.current.inPanes.first { $0.report.state == .working })
                #expect(working.place == .pane(session: "two", id: "%1"))
                try lab.write("waiting", to: try #require(working.pid))
                try await board.refresh()
                #expect(board.current.inPanes.map(\.report.state.name).sorted() == ["ready", "waiting"])
                // Killed: its file stays.
                #expect(kill(pid_t(try #require(working.pid)), SIGKILL) == 0)
                try await waitUntil {
                    try await board.refresh()
                    return board.current.inPanes.map(\.report.state.name) == ["ready"]
                }
                #expect(board.current.hosts.count == 1 && board.current.hosts.first?.problem == nil)
            }
        }
    }

    @Test func `a host without tmux tells what it has`() async throws {
        try await BoardLab.with { lab in
            let folder = "\(lab.home)/bin"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for name in ["sh", "awk", "ps", "date", "find", "ls", "cat", "sed", "head", "tail", "stat", "sleep"] {
                guard let path = SystemProgram.path(name) else { continue }
                try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(name)", withDestinationPath: path)
            }
            let profile = "PATH=\(folder); export PATH\n"
            for file in [".profile", ".zprofile", ".bash_profile"] {
                try profile.write(toFile: "\(lab.home)/\(file)", atomically: true, encoding: .utf8)
            }
            // No terminal: as a desktop program starts it.
            let agent = try await LocalProcess.start(LocalCommand("/bin/sleep", ["3600"]))
            try lab.write("busy", to: Int(agent.processID))
            try await Self.with([("box", lab)]) { board in
                try await Self.wait(board) { $0.hosts.first?.isFresh == true }
                #expect(board.current.hosts.first?.lacks == ["no tmux"])
                // The machine may run others.
                let own = board.current.agents.filter { $0.pid == Int(agent.processID) }
                #expect(own.map(\.place) == [.process] && own.map(\.report.state) == [.working])
            }
            await agent.close()
        }
    }

    @Test func `a link that is cut is waited for and never made`() async throws {
        try await BoardLab.with { lab in
            try await lab.startClaude("one")
            try await Self.with([("box", lab)]) { board in
                try await Self.wait(board) { $0.inPanes.count == 1 }
                try await lab.proxy.cutAll()
                try await board.refresh()
                try await Self.wait(board) { $0.hosts.first?.isFresh == true }
                #expect(board.current.inPanes.count == 1)
                await lab.host.shutdown()
                try await board.refresh()
                let host = try #require(board.current.hosts.first)
                #expect(!host.isFresh && host.problem != nil)
                // What was seen stays on the list.
                #expect(board.current.inPanes.count == 1)
            }
        }
    }

    @Test func `twenty agents on two hosts at rest cost little`() async throws {
        try await BoardLab.with { first in
            try await BoardLab.with { second in
                for number in 0..<10 {
                    try await first.startClaude("a\(number)")
                    try await second.startClaude("b\(number)")
                }
                try await Self.with([("first", first), ("second", second)]) { board in
                    try await waitUntil {
                        try await board.refresh()
                        return board.current.inPanes.filter { $0.report.state == .ready }.count == 20
                    }
                    let looks = 90
                    let perMinute = Int(Duration.seconds(60) / BoardPace().rest)
                    let bytes = {
                        [first, second].map(\.proxy.counters).reduce(0) { $0 + $1.bytesToTarget + $1.bytesToClient }
                    }
                    // What was drawn a second ago is looked at once more; then it is rest.
                    try await waitUntil {
                        let before = bytes()
                        try await board.refresh()
                        return bytes() - before <= 2048 / perMinute
                    }
                    let (bytesBefore, ticksBefore) = (bytes(), try first.ticks() + second.ticks())
                    for _ in 0..<looks { try await board.refresh() }
                    let minutes = Double(looks) / Double(perMinute)
                    let bytesEach = Double(bytes() - bytesBefore) / minutes
                    let seconds = Double(try first.ticks() + second.ticks() - ticksBefore) / 100 / minutes
                    print("20 agents on two hosts at rest, a minute: \(bytesEach) bytes, \(seconds) s of CPU")
                    #expect(bytesEach <= 2048)
                    #expect(seconds <= 0.2 * Double(Patience.factor))
                    // The figures are of something.
                    #expect(bytesEach > 100 && seconds > 0)
                }
            }
        }
    }
}
