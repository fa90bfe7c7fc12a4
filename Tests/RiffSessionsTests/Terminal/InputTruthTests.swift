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
    /// What becomes of words on connections that break, over a real sshd and a real tmux.
    @Suite(.enabled(if: ManagerLab.isPossible, "needs sshd and tmux"))
    struct InputTruthTests {
        /// How many rounds there are unless `RIFF_INPUT_ROUNDS` says otherwise.
        static let rounds = ProcessInfo.processInfo.environment["RIFF_INPUT_ROUNDS"].flatMap { Int($0) } ?? 20
        static let seed = ProcessInfo.processInfo.environment["RIFF_INPUT_ROUNDS_SEED"].flatMap { UInt64($0) } ?? 1

        /// Writes down each line that it gets, and says it.
        private static let agent = NewSessionSpec(
            harness: .custom(#"exec sh -c 'echo ready; while IFS= read -r line; do echo "heard [$line]"; done'"#)
        )

        /// FE20 and FE3: the connection is reset, and at once, or in the pause before Return, something is typed.
        @Test func `words typed into a connection that breaks never come out on the next one, and no error lies`()
            async throws
        {
            try await PersonalHome.with("") { lab, server in
                let proxy = try await ChaosProxy.start(target: lab.server.port)
                let host = try lab.host(port: proxy.port)
                let session = try await host.session("riff", size: .standard, server: server, spec: Self.agent)
                var text = TerminalText(session.output)
                try await text.read(through: "ready")
                var generator = SeededGenerator(seed: Self.seed)
                var outcomes: [String: Int] = [:]
                for round in 0..<Self.rounds {
                    let token = "word\(round)x"
                    let isInPause = Bool.random(using: &generator)
                    let typing = Task { try await session.type(token, submit: true) }
                    // The moment within the text, the pause and the Return is what is tried, and it is real time's.
                    if isInPause {
                        let moment = Duration.milliseconds(Int.random(in: 0...350, using: &generator))
                        try await ContinuousClock().sleep(for: moment)
                    }
                    let states = session.updates()
                    try await proxy.resetAll()
                    let code = await transportError { try await typing.value }?.code
                    outcomes[code?.rawValue ?? "sent", default: 0] += 1
                    for await state in states { if case .reconnecting = state { break } }
                    for await state in session.updates() where state.isOpen { break }
                    // Clears whatever stands there, and looks at all that was heard.
                    try await session.write([0x15])
                    try await session.type("end\(round)x", submit: true)
                    let heard = try await text.read(through: "heard [end\(round)x ]")
                    let isHeard = heard.contains("heard [\(token) ]")
                    switch code {
                    case nil: #expect(isHeard, "round \(round): told as sent")
                    case .notConnected, .closed, .inputNotDelivered, .textNotSubmitted:
                        #expect(!isHeard, "round \(round): told as \(code?.rawValue ?? "")")
                    case .inputUncertain: break
                    default: Issue.record("round \(round): \(code?.rawValue ?? "")")
                    }
                }
                print("\(Self.rounds) rounds from seed \(Self.seed): \(outcomes.sorted { $0.key < $1.key })")
                await proxy.stop()
            }
        }

        /// FE4.
        @Test func `words for a dead link while tmux's prompt is open are not told as sent`() async throws {
            try await PersonalHome.with("") { lab, server in
                let proxy = try await ChaosProxy.start(target: lab.server.port)
                let host = try lab.host(port: proxy.port)
                let session = try await host.session("riff", size: .standard, server: server, spec: Self.agent)
                var text = TerminalText(session.output)
                try await text.read(through: "ready")
                try await session.type("first", submit: true)
                try await text.read(through: "heard [first ]")
                try await session.steer(Array("\u{2}:".utf8))
                try await proxy.stallAll()
                let error = await transportError { try await session.type("lost?", submit: true) }
                #expect(error != nil)
                #expect([.inputNotDelivered, .inputUncertain, .notConnected].contains(error?.code))
                await proxy.stop()
            }
        }

        // MARK: Starting

        @Test(arguments: ["claude", "mistyped-agent --flag", "/opt/none/agent"])
        func `a program that is not there is told by its name and the PATH that was searched`(_ line: String)
            async throws
        {
            try await PersonalHome.with("") { lab, server in
                let host = try lab.host()
                let spec = NewSessionSpec(harness: Harness(line))
                let error = await #expect(throws: TransportError.self) {
                    try await host.session("riff", size: .standard, server: server, spec: spec)
                }
                #expect(error?.code == .programNotFound)
                let name = line.split(separator: " ")[0].split(separator: "/").last ?? ""
                #expect(error?.message.contains("\(name) was not found on") == true)
                #expect(error?.message.contains("/usr/bin") == true)
                #expect(error?.recovery == .installProgram(String(name)))
                // Nothing was made.
                #expect(try await host.text(of: try server.listSessions().line()).isEmpty)
            }
        }

        @Test func `a start folder that is not there is told before anything starts`() async throws {
            try await PersonalHome.with("") { lab, server in
                let host = try lab.host()
                var spec = Self.agent
                spec.directory = try StartDirectory("~/no such 'folder'")
                let error = await #expect(throws: TransportError.self) {
                    try await host.session("riff", size: .standard, server: server, spec: spec)
                }
                #expect(error?.code == .startDirectoryNotFound)
                #expect(error?.message.contains("/no such 'folder' is not on") == true)
                #expect(error?.recovery == .openSettings(.startDirectory))
                let manager = SessionManager(
                    host,
                    size: .standard,
                    configuration: SessionsConfiguration(server: server, base: Self.agent)
                )
                await manager.start()
                try await manager.waitUntilOpen()
                let refused = await #expect(throws: TransportError.self) { try await manager.create(spec) }
                #expect(refused?.code == .startDirectoryNotFound)
                let missing = await #expect(throws: TransportError.self) {
                    try await manager.create(NewSessionSpec(harness: .custom("not-there")))
                }
                #expect(missing?.code == .programNotFound)
                #expect(manager.current.pages.map(\.name) == [.base])
                await manager.shutdown()
            }
        }

        // MARK: Ends

        @Test func `a client that was moved to another session is left, and nothing is typed there`() async throws {
            try await PersonalHome.with("") { lab, server in
                let host = try lab.host()
                let one = try await host.session("riff-one", size: .standard, server: server, spec: Self.agent)
                let two = try await host.session("riff-two", size: .standard, server: server, spec: Self.agent)
                var (first, second) = (TerminalText(one.output), TerminalText(two.output))
                try await first.read(through: "ready")
                try await second.read(through: "ready")
                for session in [one, two] { try await session.write([0x15]) }
                let client = try await host.text(
                    of: try TmuxCommand(server.socket, ["list-clients", "-t", "=riff-one", "-F", "#{client_name}"])
                        .line()
                )
                let name = client.trimmingCharacters(in: .whitespacesAndNewlines)
                let move = TmuxCommand(server.socket, ["switch-client", "-c", ShellWord(name), "-t", "=riff-two"])
                _ = try await host.text(of: try move.line())
                try? await one.write(Array("stray\r".utf8))
                let closure = await one.closure()
                #expect((closure.error as? TransportError)?.code == .movedToAnotherSession)
                try await two.type("the last", submit: true)
                #expect(!(try await second.read(through: "heard [the last ]")).contains("stray"))
            }
        }

        @Test(arguments: [true, false])
        func `a session that ended while the link was away is told, and no other one is taken for it`(
            _ isReplaced: Bool
        )
            async throws
        {
            try await PersonalHome.with("") { lab, server in
                let proxy = try await ChaosProxy.start(target: lab.server.port)
                let (host, other) = (try lab.host(port: proxy.port), try lab.host())
                let session = try await host.session("riff", size: .standard, server: server, spec: Self.agent)
                let keeper = try await other.session("riff-9", size: .standard, server: server, spec: Self.agent)
                var text = TerminalText(session.output)
                try await text.read(through: "ready")
                try await session.type("a word", submit: true)
                try await text.read(through: "heard [a word ]")
                let states = session.updates()
                try await proxy.refuseConnections()
                try await proxy.cutAll()
                for await state in states { if case .reconnecting = state { break } }
                _ = try await other.text(of: try server.kill(.base).line())
                if isReplaced { _ = try await other.text(of: try server.newDetached(.base, spec: Self.agent).line()) }
                try await proxy.acceptConnections()
                let closure = await session.closure()
                #expect(closure.reason == .exited)
                let code = (closure.error as? TransportError)?.code
                #expect(code == (isReplaced ? .sessionReplaced : .sessionGone))
                await #expect(throws: TransportError.self) { try await session.type("stray", submit: true) }
                #expect(keeper.current.isOpen)
                await proxy.stop()
            }
        }

        @Test func `bindings that a plugin takes away after the check leave nothing in the agent`() async throws {
            let setup = RecordedPane.Setup()
            try await RecordedPane.with(setup) { pane in
                try await pane.session.type("before")
                try await pane.expectTyped("before")
                try await pane.tmux.ask("unbind-key", "-a", "-T", "root")
                try await pane.tmux.ask("unbind-key", "-a", "-T", "copy-mode")
                try await pane.tmux.ask("unbind-key", "-a", "-T", "copy-mode-vi")
                try await pane.tmux.ask("bind-key", "-T", "root", "a", "kill-session")
                for mode in [nil, "copy-mode", "choose-tree", "clock-mode"] {
                    if let mode { try await pane.tmux.ask(mode, "-t", "=riff:") }
                    try await pane.session.write(Array("abc".utf8))
                    try await pane.expect("abc", mode ?? "live")
                }
            }
        }
    }
}
