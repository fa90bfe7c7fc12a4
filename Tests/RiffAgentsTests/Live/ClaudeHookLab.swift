// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffAgents
import RiffCore
import RiffSessions
import Testing

/// The real Claude Code in its terminal, with the host kit's settings.
enum ClaudeHookLab {
    static let program: String? = {
        let folder = "\(AnswerLab.cache)/riff/claude-2.1.331"
        guard FileManager.default.fileExists(atPath: "\(folder)/complete") else { return nil }
        return "\(folder)/bin/claude"
    }()

    static var isPossible: Bool { program != nil && AnswerLab.isPossible }
    private static let key = "key-without-a-meaning"
    private static let portFile = "port"

    static func with(_ body: (AnswerLab) async throws -> Void) async throws {
        try await AnswerLab.with(model: "RiffAgentsTests/Fixtures/models/claude.py", prepare: prepare) { lab in
            try await body(lab)
        }
    }

    /// What it would ask for at its first start, answered.
    private static func prepare(_ folder: String, port: Int) throws -> [String: String] {
        let state: JSONValue = [
            "hasCompletedOnboarding": true, "theme": "dark",
            "customApiKeyResponses": ["approved": [.string(String(key.suffix(20)))], "rejected": []],
            "projects": .object(JSONObject([("\(folder)/proj", JSONValue.object(["hasTrustDialogAccepted": true]))])),
        ]
        try Data(state.bytes()).write(to: URL(filePath: "\(folder)/.claude.json"))
        try "\(port)".write(toFile: "\(folder)/\(portFile)", atomically: true, encoding: .utf8)
        return ["HOME": folder, "SHLVL": "2", "LANG": "C.UTF-8"]
    }

    /// Installs the kit, and starts Claude with its settings.
    ///
    /// - Returns: The host's questions.
    static func start(in lab: AnswerLab) async throws -> ClaudeQuestions {
        let kit = HostKit(on: lab.host, parts: [.hook, .claudeSettings])
        let status = try await kit.install(try await kit.plan().consent())
        let port = try String(contentsOfFile: "\(lab.folder)/\(portFile)", encoding: .utf8)
        let variables = [
            "HOME": lab.folder, "LANG": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin",
            "ANTHROPIC_BASE_URL": "http://127.0.0.1:\(port)", "ANTHROPIC_API_KEY": key, "DISABLE_TELEMETRY": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
        ]
        let arguments = status.claudeArguments + ["--permission-mode", "manual"]
        try await lab.start([try #require(program)] + arguments, variables: variables)
        try await waitForComposer(of: lab)
        return ClaudeQuestions(on: lab.host, kit: status.folder)
    }

    static func waitForComposer(of lab: AnswerLab) async throws {
        try await lab.waitForScreen { screen in
            screen.split(separator: "\n").contains { $0 == "❯" || $0.hasPrefix("❯\u{A0}") && !$0.contains("%") }
        }
    }

    /// Gives a prompt as a person does: all of it at once, and Return once it is shown.
    static func submit(_ prompt: String, in lab: AnswerLab) async throws {
        try await lab.press("-l", "--", prompt)
        try await lab.waitForScreen { $0.contains("❯\u{A0}\(prompt)") }
        try await lab.press("Enter")
    }
}
