// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// What the labs of agents that are answered share: a host whose link can be cut, a model server that notes what it is
/// asked, and a terminal that nobody of ours is attached to.
struct AnswerLab: Sendable {
    /// The agent's home.
    let folder: String
    let proxy: ChaosProxy
    let host: SSHHost
    let tmux: String

    /// How many times the link is cut: a few, or as many as RIFF_ANSWER_CUTS says.
    static let cuts = ProcessInfo.processInfo.environment["RIFF_ANSWER_CUTS"].flatMap { Int($0) } ?? 4

    static var isPossible: Bool {
        ThrowawaySSHServer.isInstalled && ["tmux", "python3"].allSatisfy { SystemProgram.path($0) != nil }
    }

    static var cache: String {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"].map { "\($0)/.cache" } ?? "/nowhere"
        return environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
    }

    /// Runs a body in a lab, and ends all that it started.
    ///
    /// - Parameters:
    ///   - file: The model server, below the folder of the tests.
    ///   - prepare: Makes the agent's home for a model server's port; returns the variables of the host's commands.
    ///   - body: The body.
    /// - Throws: What the body throws, and what keeps the lab from being made.
    static func with(
        model file: String,
        prepare: (_ folder: String, _ port: Int) throws -> [String: String],
        _ body: (AnswerLab) async throws -> Void
    ) async throws {
        // Not in /tmp: there Codex refuses its own helpers.
        let folder = "\(cache)/riff/answers-\(UInt32.random(in: 0 ... .max))"
        let tmux = "/tmp/riff-q\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: "\(folder)/proj", withIntermediateDirectories: true)
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let model = try await LocalProcess.start(
            LocalCommand(
                try #require(SystemProgram.path("python3")),
                ["-I", tests.appending(path: file).path, "\(folder)/asked"]
            )
        )
        let result: Result<Void, any Error>
        do {
            var options = ThrowawaySSHServer.Options()
            options.variables = try prepare(folder, try await port(of: model))
            let server = try await ThrowawaySSHServer.start(options)
            let proxy = try await ChaosProxy.start(target: server.port)
            let identity = SSHPrivateKey.makeEd25519(comment: "test")
            try server.authorize(try #require(identity.publicKey).line)
            let host = try SSHHost(
                server.host,
                port: proxy.port,
                user: server.user,
                key: identity,
                trust: .firstUse(InMemoryHostKeyStore())
            )
            let lab = AnswerLab(folder: folder, proxy: proxy, host: host, tmux: tmux)
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(lab)) } catch { outcome = .failure(error) }
            await Task {
                await host.shutdown()
                // Cleanup: it may not have started.
                _ = try? await SystemProgram.run("tmux", ["-S", tmux, "kill-server"])
                await proxy.stop()
                await server.stop()
            }.value
            result = outcome
        } catch {
            result = .failure(error)
        }
        await Task {
            await model.close()
            await endAll(of: folder, tmux)
        }.value
        try result.get()
    }

    /// Ends what an agent left behind, which is all processes whose program or working folder lies in the lab's folder,
    /// and removes that once nobody writes into it any more.
    private static func endAll(of folder: String, _ socket: String) async {
        let line = """
            for turn in 1 2 3 4 5 6 7 8 9 10; do
                left=
                for process in /proc/[0-9]*; do
                    case $(readlink "$process/exe") in "$1"/*) left="$left ${process#/proc/}" ;; esac
                    case $(readlink "$process/cwd") in "$1"/*) left="$left ${process#/proc/}" ;; esac
                done
                [ -n "$left" ] || break
                kill $left
                sleep 0.3
            done
            rm -rf "$1" "$2"
            """
        // Cleanup: some end by themselves in the meantime.
        _ = try? await SystemProgram.run("sh", ["-c", line, "sh", folder, socket])
    }

    private static func port(of model: LocalProcess) async throws -> Int {
        var line = ""
        for try await bytes in model.output {
            line += String(decoding: bytes, as: UTF8.self)
            if line.contains("\n") { break }
        }
        return try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    // MARK: Terminal

    /// Starts a program in a terminal of its own.
    func start(_ program: [String], variables: [String: String]) async throws {
        let words = ["env", "-i"] + variables.map { "\($0)=\($1)" } + program
        let line = try ShellQuoting.join(words)
        let size = ["-x", "100", "-y", "40"]
        let arguments = ["-f", "/dev/null", "-S", tmux, "new-session", "-d", "-c", "\(folder)/proj"] + size + [line]
        #expect(try await SystemProgram.run("tmux", arguments).status == 0)
    }

    /// What the terminal shows, looked at ten times a second.
    func screen() async throws -> String {
        let line = "sleep 0.1; exec tmux -S \(tmux) capture-pane -p"
        return try await SystemProgram.run("sh", ["-c", line]).output
    }

    func waitForScreen(_ isMeant: (String) -> Bool) async throws {
        while !isMeant(try await screen()) { try Task.checkCancellation() }
    }

    func press(_ keys: String...) async throws {
        #expect(try await SystemProgram.run("tmux", ["-S", tmux, "send-keys"] + keys).status == 0)
    }

    /// Presses a key as a person does: again while the terminal shows what it is to end. A dialog takes no keys in its
    /// first moment.
    func press(_ key: String, while words: String) async throws {
        for _ in 0..<10 where try await screen().contains(words) {
            try await press(key)
            // A deadline is no fault: the key is pressed again.
            _ = try? await withDeadline(.seconds(5), clock: ContinuousClock()) {
                try await waitForScreen { !$0.contains(words) }
            }
        }
    }

    // MARK: Truth

    /// What the model server noted, a line each.
    var asked: [String] {
        let text = (try? String(contentsOfFile: "\(folder)/asked", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    func exists(_ file: String) -> Bool { FileManager.default.fileExists(atPath: "\(folder)/proj/\(file)") }

    /// Waits until the model was told how a command went.
    func waitUntilAsked(_ isMeant: (String) -> Bool) async throws {
        while !asked.contains(where: isMeant) {
            try Task.checkCancellation()
            _ = try await screen()
        }
    }
}
