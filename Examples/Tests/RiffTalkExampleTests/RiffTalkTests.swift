// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTesting
import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import RiffVoice
import Testing

/// The program itself, on real parts: sshd, tmux, an agent that writes down what it says as Claude Code does, the
/// offline engine, and a voice.
@Suite(
    .enabled(
        if: ThrowawaySSHServer.isInstalled && SystemProgram.path("tmux") != nil
            && SystemProgram.path("espeak-ng") != nil && MoonshineInstallation.find() != nil,
        "needs sshd, tmux, espeak-ng and the offline speech engine"
    ),
    .timeLimit(.minutes(5))
)
struct RiffTalkTests {
    @Test func `five turns by voice: what was said is submitted, and the answers are files of sound`() async throws {
        let server = try await ThrowawaySSHServer.start()
        let folder = "/tmp/rk-\(UInt32.random(in: 0 ... .max))"
        let result: Result<Void, any Error>
        do { result = .success(try await talk(server, in: folder)) } catch { result = .failure(error) }
        await Task {
            // It may never have started.
            _ = try? await LocalHostSession().run("tmux -S \(folder)/s kill-server")
            await server.stop()
            try? FileManager.default.removeItem(atPath: folder)  // Cleanup.
        }.value
        try result.get()
    }

    private func talk(_ server: ThrowawaySSHServer, in folder: String) async throws {
        try FileManager.default.createDirectory(atPath: "\(folder)/projects/-work", withIntermediateDirectories: true)
        let key = SSHPrivateKey.makeEd25519(comment: "riff-talk test")
        try server.authorize(try #require(key.publicKey).line)
        try write(String(decoding: key.pem.bytes, as: UTF8.self), to: "\(folder)/key")
        let known = "[\(server.host)]:\(server.port) \(try server.hostPublicKeyLine)\n"
        try write(known, to: "\(folder)/known_hosts")
        try write(Self.agent(folder), to: "\(folder)/agent")
        let said = ["cards_001", "goforward", "cards_003", "cards_004", "cards_005"]
        let recordings = try said.flatMap { ["--say", try Self.recording($0)] }
        let path = try BuiltProgram.path("riff-talk")
        let arguments =
            ["\(server.user)@\(server.host)", "--port", "\(server.port)", "--key", "\(folder)/key"]
            + ["--known-hosts", "\(folder)/known_hosts", "--socket", "\(folder)/s", "--run", "exec sh \(folder)/agent"]
            + ["--transcripts", "\(folder)/projects", "--speak-to", folder, "--turns", "5", "--connect-timeout", "60"]
            // The stand-in is no agent whose prompt Riff knows.
            + ["--say-anywhere"]
            + recordings
        let line = try ([path] + arguments).map { try ShellQuoting.quote($0) }.joined(separator: " ")
        let ran = try await LocalHostSession().run(line + " 2>&1", timeout: .seconds(240))
        let output = ran.text
        #expect(ran.exit == .exited(0), "\(output)")
        let lines = try String(contentsOfFile: "\(folder)/lines", encoding: .utf8).lowercased()
        #expect(lines.split(separator: "\n").count == 5, "\(output)")
        #expect(lines.contains("go forward"), "\(lines)")
        for number in 1...5 {
            let file = URL(filePath: "\(folder)/answer-\(number).wav")
            let clip = AudioClip([UInt8](try Data(contentsOf: file)), encoding: .wav)
            #expect(try #require(try clip.duration()) > .milliseconds(800))
        }
        #expect(output.components(separatedBy: "answer to first sound").count == 6, "\(output)")
        #expect(output.hasSuffix("ended\n"), "\(output)")
        for line in output.split(separator: "\n") where line.contains("first sound") { print("riff-talk:", line) }
    }

    private func write(_ text: String, to path: String) throws {
        let isMade = FileManager.default.createFile(
            atPath: path,
            contents: Data(text.utf8),
            attributes: [.posixPermissions: 0o600]
        )
        #expect(isMade)
    }

    private static func recording(_ name: String) throws -> String {
        let tests = URL(filePath: #filePath).appending(path: "../../../../Tests/VoiceTestSupport/Fixtures/audio")
            .standardized
        return tests.appending(path: "\(name).wav").path(percentEncoded: false)
    }

    private static func agent(_ folder: String) -> String {
        #"""
        n=0
        while printf '> ' && IFS= read -r line; do
            n=$((n + 1))
            printf '%s\n' "$line" >>\#(folder)/lines
            stamp="$(date -u +%Y-%m-%dT%H:%M:%S).00${n}Z"
            content='[{"type":"text","text":"Turn '$n' is done. You said: '$line'"}]'
            message='{"stop_reason":"end_turn","content":'$content'}'
            printf '{"type":"assistant","timestamp":"%s","message":%s}\n' "$stamp" "$message" \
                >>\#(folder)/projects/-work/session.jsonl
        done
        """#
    }
}
