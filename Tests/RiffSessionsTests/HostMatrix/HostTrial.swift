// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport

/// The main job on one set-up: open, type, paste, scroll, lose the connection, list, make, end. Nothing here records an
/// issue: what is wrong is thrown, to the test that asked for this set-up.
struct HostTrial {
    let setup: HostSetup
    let lab: SSHLab
    let host: SSHHost
    let server: TmuxServer
    /// Cuts the connection.
    let cut: @Sendable () async throws -> Void

    /// Says what it is told, line by line.
    private static let agent = NewSessionSpec(
        harness: .custom(#"exec sh -c 'echo ready; while IFS= read -r line; do echo "heard [$line]"; done'"#)
    )

    static func run(_ setup: HostSetup) async throws {
        try await TmuxSocketFolder.with { socket in
            let home = try await HostHome.make(setup, in: (socket as NSString).deletingLastPathComponent)
            try await SSHLab.with(try home.options()) { lab in
                let usesProxy = lab.server.host == "127.0.0.1"
                let proxy = usesProxy ? try await ChaosProxy.start(target: lab.server.port) : nil
                var configuration = try lab.configuration(port: proxy?.port)
                configuration.reconnect = ReconnectPolicy(delays: [.milliseconds(50)])
                let trial = HostTrial(
                    setup: setup,
                    lab: lab,
                    host: lab.host(configuration),
                    server: TmuxServer(.path(socket))
                ) {
                    if let proxy { try await proxy.resetAll() } else { try await lab.server.restart() }
                }
                let result: Result<Void, any Error>
                do { result = .success(try await trial.run()) } catch { result = .failure(error) }
                await trial.host.shutdown()
                await proxy?.stop()
                try result.get()
            }
        }
    }

    private func run() async throws {
        let readiness = try await host.preflight(harness: .custom("sh"), server: server, timeout: .seconds(30).patient)
        let words = readiness.checks.compactMap { $0.problem?.message }.joined(separator: "\n")
        var configuration = SessionsConfiguration(server: server, base: Self.agent)
        configuration.managementTimeout = configuration.managementTimeout.patient
        let manager = SessionManager(host, size: .standard, configuration: configuration)
        let result: Result<Void, any Error>
        do {
            switch setup.outcome {
            case .works(let warning):
                try require(readiness.isReady, "The preflight says: \(words)")
                try require(warning.isEmpty == words.isEmpty, "The preflight says: \(words)")
                try expect(warning, in: words)
                await manager.start()
                try await doTheJob(manager)
            case .says(let preflight, let page):
                try require(readiness.isReady == preflight.isEmpty, "The preflight says: \(words)")
                try expect(preflight, in: words)
                if !page.isEmpty {
                    await manager.start()
                    try await fail(manager, page)
                }
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await manager.shutdown()
        try result.get()
    }

    // MARK: What does not work

    /// The page never takes keys, and says why.
    private func fail(_ manager: SessionManager, _ words: [String]) async throws {
        for await snapshot in manager.updates() {
            try require(setup.opensFirst || snapshot.active.state?.isOpen != true, "The page is open.")
            guard let problem = snapshot.active.problem else { continue }
            return try expect(words, in: problem.message)
        }
        throw TestingError(.serverEnded, "\(setup.name): the manager ended.")
    }

    // MARK: What works

    private func doTheJob(_ manager: SessionManager) async throws {
        try await manager.waitUntilOpen(.base)
        guard let page = manager.current.active.terminal else {
            throw TestingError(.serverEnded, "\(setup.name): the page has no terminal.")
        }
        var text = TerminalText(page.output)
        try await text.read(through: "ready")
        try await manager.type("one", submit: true)
        try await text.read(through: "heard [one ]")
        try await page.paste("p\u{E4}sted")
        try await page.write(Array("\r".utf8))
        try await text.read(through: "heard [p\u{E4}sted]")
        try await page.scroll(3)
        try await manager.type("two", submit: true)
        try await text.read(through: "heard [two ]")
        let before = try await panes()
        let states = page.updates()
        try await cut()
        for await state in states { if case .reconnecting = state { break } }
        for await state in page.updates() where state.isOpen { break }
        try await manager.type("three", submit: true)
        try await text.read(through: "heard [three ]")
        let name = try await manager.create(Self.agent)
        try await manager.waitUntilOpen(name)
        let both = try await panes()
        try require(Set(both.keys) == ["riff", name.rawValue], "The host lists \(both).")
        try require(both["riff"] == before["riff"], "The agent is another one after the cut.")
        try await manager.close(name)
        let after = try await panes()
        try require(after == before, "After the end of \(name) the host lists \(after).")
    }

    /// The panes' processes by their sessions.
    private func panes() async throws -> [String: String] {
        let line = try TmuxCommand(server.socket, ["list-panes", "-a", "-F", "#{session_name} #{pane_pid}"]).line()
        let (output, status) = try await host.link.report(of: line).outcome.get(host: setup.name)
        try require(status == 0, "tmux could not list its panes.")
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
        return Dictionary(lines.map { (String($0[0]), String($0[1])) }) { first, _ in first }
    }

    private func expect(_ words: [String], in text: String) throws {
        for word in words { try require(text.contains(word), "\"\(word)\" is not in: \(text)") }
    }

    private func require(_ isTrue: Bool, _ message: @autoclosure () -> String) throws {
        guard isTrue else { throw TestingError(.programFailed, "\(setup.name): \(message())") }
    }
}
