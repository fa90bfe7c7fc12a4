// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffACP
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// A real hermes-agent with a home of its own, answered by a model server that does what the prompt says.
private struct HermesLab {
    /// The program, such as the `hermes` of `pip install 'hermes-agent[acp]==0.19.0'`.
    static let program = ProcessInfo.processInfo.environment["RIFF_TEST_HERMES"].flatMap { $0.isEmpty ? nil : $0 }
    /// An OpenAI-compatible server: `@tool NAME {json}` calls a tool, `@slow N MS` answers with the words `w0 w1 ...`.
    static let model = ProcessInfo.processInfo.environment["RIFF_TEST_MODEL"].flatMap { $0.isEmpty ? nil : $0 }

    let folder: String
    var project: String { "\(folder)/project" }

    static func with(_ body: (HermesLab) async throws -> Void) async throws {
        let lab = HermesLab(folder: "/tmp/riff-h\(UInt32.random(in: .min ... .max))")
        defer { try? FileManager.default.removeItem(atPath: lab.folder) }  // Cleanup.
        for folder in [lab.project, "\(lab.folder)/.hermes"] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        let model = "default: fake-model, provider: custom, base_url: \(try #require(model))/v1, api_key: fake"
        try "model: {\(model)}\n".write(toFile: "\(lab.folder)/.hermes/config.yaml", atomically: true, encoding: .utf8)
        try await body(lab)
    }

    var source: ACPAgentSource {
        get throws {
            let environment = ["HOME": folder, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
            let command = LocalCommand(
                try #require(Self.program),
                ["acp"],
                environment: environment,
                directory: project
            )
            return .process(command)
        }
    }

    func isThere(_ file: String) -> Bool { FileManager.default.fileExists(atPath: "\(project)/\(file)") }

    func write(_ file: String) -> String {
        #"@tool write_file {"path":"\#(project)/\#(file)","content":"x\n"}"#
    }
}

extension InTurn {
    /// See docs/testing.md for what these need.
    @Suite(
        .enabled(
            if: HermesLab.program != nil && HermesLab.model != nil,
            "set RIFF_TEST_HERMES and RIFF_TEST_MODEL"
        ),
        .timeLimit(.minutes(10))
    )
    struct HermesAgentTests {
        @Test func `hermes runs a tool, obeys the person, is cancelled, and is loaded and resumed`() async throws {
            try await HermesLab.with { lab in
                let questions = Recorder<String>()
                let words = EventualValue<Void>()
                let updates = Recorder<String>()
                var handlers = ACPClient.Handlers()
                handlers.permission = { question in
                    questions.add(question.title)
                    // The person lets it write one file, and not the other.
                    let kind: ACP.PermissionOptionKind = question.title.contains("allowed") ? .allowOnce : .rejectOnce
                    guard let option = question.options.first(where: { $0.kind == kind }) else { return .cancelled() }
                    return question.choosing(option)
                }
                handlers.update = { notification in
                    updates.add(notification.update.summary)
                    if case .agentMessageChunk(let chunk) = notification.update, case .text(let text) = chunk.content,
                        text.text.contains("w3")
                    {
                        words.resolve(())
                    }
                }
                let session = try await withACPClient(lab.source, handlers: handlers) { client in
                    print("hermes: \(client.agent.agentInfo?.version ?? "-")")
                    let session = try await client.newSession(in: lab.project).sessionID
                    // A tool call that needs no permission.
                    let plan = #"@tool todo {"todos":[{"id":"1","content":"read","status":"in_progress"}]}"#
                    #expect(try await client.prompt(plan, in: session).stopReason == .endTurn)
                    #expect(updates.all.contains { $0.hasPrefix("calls todo") })
                    // One allowed, one denied: the agent obeys.
                    #expect(try await client.prompt(lab.write("allowed.txt"), in: session).stopReason == .endTurn)
                    #expect(lab.isThere("allowed.txt"))
                    #expect(try await client.prompt(lab.write("denied.txt"), in: session).stopReason == .endTurn)
                    #expect(!lab.isThere("denied.txt"))
                    #expect(questions.all.count == 2)
                    print("hermes: asked \(questions.all.map { $0.split(separator: "/").last ?? "" })")
                    // Cancelled in the middle of a turn.
                    async let turn = client.prompt("@slow 600 100", in: session)
                    try await words.cancellableValue()
                    client.cancel(session)
                    let reason = try await turn.stopReason
                    print("hermes: a cancelled turn ended \(reason)")
                    #expect(reason == .cancelled)
                    return session
                }
                // Another process finds it again: once with its conversation, once to go on.
                let replayed = Recorder<String>()
                handlers.update = { replayed.add($0.update.summary) }
                try await withACPClient(lab.source, handlers: handlers) { client in
                    let load = ACP.LoadSessionRequest(mcpServers: [], cwd: lab.project, sessionID: session)
                    _ = try await client.loadSession(load)
                    #expect(replayed.all.contains { $0.contains("allowed.txt") })
                    print("hermes: loading sent \(replayed.all.count) updates")
                    let resume = ACP.ResumeSessionRequest(sessionID: session, cwd: lab.project)
                    _ = try await client.resumeSession(resume)
                    #expect(try await client.prompt("hello again", in: session).stopReason == .endTurn)
                    #expect(try await client.listSessions().sessions.map(\.sessionID).contains(session))
                }
            }
        }
    }
}
