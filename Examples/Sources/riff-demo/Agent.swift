// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting

/// The program that the session runs: an agent that takes a line at a prompt and answers it.
struct Agent: Sendable {
    /// What to call it.
    let name: String
    /// How tmux starts it.
    let harness: Harness
    /// Whether its prompt stands in a terminal's text, and takes a line.
    let isReady: @Sendable (String) -> Bool
    /// Whether a terminal's text holds the whole answer to a line.
    let hasAnswered: @Sendable (_ line: String, _ text: String) -> Bool

    /// The small line-editing program of these examples, built beside this one.
    static func sample() throws -> Agent {
        let path = try BesideThis.path("sample-agent")
        return Agent(
            name: "the sample agent",
            harness: .custom("exec \(try ShellQuoting.quote(path))"),
            isReady: { text in text.split(separator: "\n").contains { $0.filter { $0 != " " } == ">" } },
            hasAnswered: { line, text in
                guard let answer = Words(text).after(Words("You said \(line)")) else { return false }
                // The number of the turn is the last that it says.
                return answer.after(Words("Done, turn"))?.list.first.flatMap { Int($0) } != nil
            }
        )
    }

    /// `claude`, where it is on the PATH and can work in a home that it has never seen: with a key or a token from the
    /// environment. Its screen changes from version to version, so whoever starts it falls back where it shows no
    /// prompt.
    static func claude(home: String) async throws -> Agent? {
        guard let path = SystemProgram.path("claude") else { return nil }
        let variables = variables()
        if let problem = try await ClaudeAccount.problem(variables) {
            Console.note("claude is on the PATH, but \(problem). The sample agent stands in.")
            return nil
        }
        try writeSettings(home: home, key: variables["ANTHROPIC_API_KEY"])
        return Agent(
            name: "claude",
            // Nothing that it wants to do is done unasked.
            harness: .custom("exec \(try ShellQuoting.quote(path)) --permission-mode default"),
            // Its questions at a first start stand behind the same sign, with a number.
            isReady: { text in text.contains("❯") && !text.contains(/❯\s*[0-9]\./) },
            hasAnswered: { line, text in
                guard let asked = text.range(of: "❯ \(line)", options: .backwards) else { return false }
                let answer = text[asked.upperBound...]
                let isWorking = answer.contains("esc to interrupt") || answer.contains("API Error")
                return answer.contains("●") && !isWorking
            }
        )
    }

    /// The variables that sessions of the throw-away host get for it, where this process has them.
    static func variables() -> [String: String] {
        let names = [
            "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY",
        ]
        // sshd_config has no way to write a value with a space or a quote.
        return ProcessInfo.processInfo.environment.filter { name, value in
            names.contains(name) && !value.isEmpty && !value.contains { $0.isWhitespace || $0 == "\"" || $0 == "'" }
        }
    }

    /// What it would ask for at its first start in a new home, answered (as version 2.1 keeps it).
    private static func writeSettings(home: String, key: String?) throws {
        var settings: [String: Any] = [
            "hasCompletedOnboarding": true, "theme": "dark", "projects": [home: ["hasTrustDialogAccepted": true]],
        ]
        if let key { settings["customApiKeyResponses"] = ["approved": [String(key.suffix(20))], "rejected": []] }
        let file = "\(home)/.claude.json"
        try JSONSerialization.data(withJSONObject: settings).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }
}

/// Programs that were built beside this one.
enum BesideThis {
    /// The absolute path of one of them.
    static func path(_ name: String) throws -> String {
        let folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
        guard let path = folder?.appending(path: name).path(percentEncoded: false),
            FileManager.default.isExecutableFile(atPath: path)
        else { throw Failure("\(name) is not beside this program; build it: swift build --product \(name)") }
        return path
    }
}
