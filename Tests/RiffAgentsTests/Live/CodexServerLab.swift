// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffAgents
import RiffCore
import RiffTransport
import Testing

/// The real Codex in its terminal, with the server that it starts behind it.
enum CodexServerLab {
    static let program: String? = {
        let folder = "\(AnswerLab.cache)/riff/codex-0.163.0"
        guard FileManager.default.fileExists(atPath: "\(folder)/complete") else { return nil }
        return "\(folder)/codex_cli_bin/bin/codex"
    }()

    static var isPossible: Bool { program != nil && AnswerLab.isPossible }

    static func with(_ body: (AnswerLab) async throws -> Void) async throws {
        try await AnswerLab.with(model: "RiffTalkTests/Fixtures/codex/model.py", prepare: prepare) { lab in
            try await body(lab)
        }
    }

    private static func prepare(_ folder: String, port: Int) throws -> [String: String] {
        let text = """
            model = "fake-model"
            model_provider = "fake"
            approval_policy = "on-request"
            sandbox_mode = "read-only"
            check_for_update_on_startup = false
            [model_providers.fake]
            name = "fake"
            base_url = "http://127.0.0.1:\(port)/v1"
            wire_api = "responses"
            env_key = "FAKE_KEY"
            request_max_retries = 2
            stream_max_retries = 2
            [projects."\(folder)/proj"]
            trust_level = "trusted"
            [analytics]
            enabled = false
            [tui]
            screen_reader_detection_done = true

            """
        try FileManager.default.createDirectory(atPath: "\(folder)/codex", withIntermediateDirectories: true)
        try text.write(toFile: "\(folder)/codex/config.toml", atomically: true, encoding: .utf8)
        return ["HOME": folder, "CODEX_HOME": "\(folder)/codex", "SHLVL": "2", "LANG": "C.UTF-8"]
    }

    /// Starts Codex in its terminal.
    static func start(in lab: AnswerLab) async throws {
        let variables = [
            "HOME": lab.folder, "CODEX_HOME": "\(lab.folder)/codex", "FAKE_KEY": "x", "LANG": "C.UTF-8",
            "PATH": "/usr/local/bin:/usr/bin:/bin",
        ]
        try await lab.start([try #require(program)], variables: variables)
        try await lab.waitForScreen { $0.contains("fake-model") && $0.contains("›") }
    }

    /// A client over the lab's link.
    static func client(
        of lab: AnswerLab,
        observe: @escaping @Sendable (AgentObservation) async -> Void = { _ in }
    ) throws -> CodexServer {
        let line = try ShellQuoting.join([try #require(program), "app-server", "proxy"])
        let host = lab.host
        return CodexServer(.folder("\(lab.folder)/proj"), observe: observe) { try await host.openChannel(line) }
    }
}
