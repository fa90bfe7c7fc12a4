// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTesting
import Foundation
import HTTPTypes
import RiffCore
import RiffTransport
import RiffVoice
import Testing

/// How the program is started.
@Suite(.timeLimit(.minutes(5))) struct DeploymentTests {
    /// Runs the program to its end, which must be one.
    private static func refusal(
        _ arguments: [String],
        secret: String? = ServerProgram.secret
    ) async throws -> (status: RiffTransport.ExitStatus?, words: String) {
        let program = try BuiltProgram.path("riff-server")
        var environment = ProcessInfo.processInfo.environment
        environment["RIFF_SHARED_SECRET"] = secret
        let command = LocalCommand(
            program,
            ["--port", "0", "--until-input-ends"] + arguments,
            environment: environment
        )
        let process = try await LocalProcess.start(command)
        var words: [UInt8] = []
        for try await bytes in process.diagnostics { words += bytes }
        let status = try await process.exitStatus()
        await process.close()
        return (status, String(decoding: words, as: UTF8.self))
    }

    @Test(arguments: [
        ([], "not hexadecimal", "RIFF_SHARED_SECRET"), ([], "", "RIFF_SHARED_SECRET"),
        (["--bind", "0.0.0.0"], String(repeating: "0", count: 64), "zeros"),
        (["--sven"], ServerProgram.secret, "--bridge"), (["--log-level", "loud"], ServerProgram.secret, "loud"),
        (["--body-timeout", "0"], ServerProgram.secret, "second"),
        (["--env-file", "/nowhere/at/all"], ServerProgram.secret, "/nowhere/at/all"),
        (["--openai-url", "http://x", "--stt-url", "http://y"], ServerProgram.secret, "one of"),
    ])
    func `what cannot be right keeps it from starting, and says why`(
        _ arguments: [String],
        _ secret: String,
        _ words: String
    ) async throws {
        let end = try await Self.refusal(arguments, secret: secret)
        #expect(end.status != nil && end.status != .exited(0))
        #expect(end.words.localizedCaseInsensitiveContains(words), "\(end.words)")
        if secret.count == 64 { #expect(!end.words.contains(secret)) }
    }

    @Test func `a file of variables is read, and the environment itself counts more`() async throws {
        let folder = "/tmp/rs-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // Cleanup.
        let filed = String(repeating: "7c", count: 32)
        let file = "# secrets\nexport RIFF_SHARED_SECRET='\(filed)'\n"
        try Data(file.utf8).write(to: URL(filePath: "\(folder)/env"))
        for (variables, secret) in [(["RIFF_SHARED_SECRET": String?.none], filed), ([:], ServerProgram.secret)] {
            try await ServerProgram.run(["--env-file", "\(folder)/env"], environment: variables) { server in
                let client = server.client(try RiffSecret(hex: secret))
                let health = try await client.health()
                #expect(health.status == "ok")
            }
        }
    }

    @Test func `voice only, it holds no conversations whatever else is said`() async throws {
        try await AnsweringAgent.with { _, arguments in
            try await ServerProgram.run(arguments + ["--voice-only", "--speak"]) { server in
                let refused = await #expect(throws: VoiceError.self) { try await server.client.send("hello") }
                #expect(refused?.code == .replyUnavailable)
                let mute = try await server.ask(.get, "/riff/narrate-poll?after=1")
                #expect(mute.status == 503)
            }
        }
    }
}
