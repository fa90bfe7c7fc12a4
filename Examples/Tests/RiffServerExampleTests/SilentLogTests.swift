// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffTesting
import RiffTransport
import RiffVoice
import Synchronization
import Testing

/// All that the program logs, at its most talkative, while it is used rightly and wrongly.
@Suite(.timeLimit(.minutes(5))) struct SilentLogTests {
    @Test func `no secret, no code, no token and nothing that was said is in the log`() async throws {
        let key = "sk-" + String(repeating: "k7", count: 20)
        let stored = RiffSecret.random()
        let token = UUID().uuidString
        let words = "the words that a person said"
        try await RawHTTPServer.withServer([.readHead, .close]) { speech in
            try await AnsweringAgent.with { _, arguments in
                let more = [
                    "--openai-url", "http://127.0.0.1:\(speech.port)/v1", "--sven", "--pair", "--log-level", "trace",
                    "--reply-timeout", "6", "--allow-v1",
                ]
                let shown = Mutex("")
                let log = try await ServerProgram.run(
                    arguments + more,
                    environment: [
                        "OPENAI_API_KEY": key, "RIFF_SHARED_SECRET": String(decoding: stored.text.bytes, as: UTF8.self),
                    ],
                    lines: 2
                ) { server in
                    let typed = try Self.code(in: server)
                    shown.withLock { $0 = typed }
                    let secret = try await RiffClient.pair(
                        with: typed,
                        at: server.address,
                        http: server.http,
                        timing: ServerProgram.timing
                    )
                    #expect(secret == stored)
                    for version in [RiffClient.SignatureVersion.v2, .v1] {
                        let client = server.client(secret, version)
                        #expect(try await client.send(words).text == words)
                        await #expect(throws: VoiceError.self) { try await client.send("silence \(words)") }
                        await #expect(throws: VoiceError.self) {
                            try await client.transcribe(AudioClip(ServerProgram.clip, encoding: .wav))
                        }
                    }
                    // Signed with another secret, and not at all.
                    #expect(try await server.post("/riff/message", words).status == 401)
                    #expect(try await server.ask(.post, "/riff/pair", .bytes(Array(typed.utf8))).status == 401)
                    let sven = SvenClient(server: server.address, token: Secret(token), http: server.http)
                    await #expect(throws: VoiceError.self) { try await sven.send(words) }
                    #expect(try await server.ask(.get, "/messages?token=\(token)", signing: nil).status == 401)
                    let form = #"{"token":"\#(token)","code":"\#(typed)"}"#
                    let fields: HTTPFields = [.contentType: "application/json"]
                    let register = try await server.ask(
                        .post,
                        "/register",
                        .bytes(Array(form.utf8)),
                        fields: fields,
                        signing: nil
                    )
                    #expect(register.status == 401)
                }
                // It did log.
                #expect(log.contains("a request failed"))
                let hex = String(decoding: stored.text.bytes, as: UTF8.self)
                let code = shown.withLock { $0 }
                #expect(code.count == 14)
                let base64 = Data(stored.key.bytes).base64EncodedString()
                for secret in [hex, hex.uppercased(), base64, key, token, code, code.replacing("-", with: ""), words] {
                    #expect(!log.contains(secret), "\(log.count) bytes of log hold a secret of \(secret.count)")
                }
            }
        }
    }

    /// The code that the console shows.
    static func code(in server: ServerProgram) throws -> String {
        let line = try #require(server.lines.dropFirst().first)
        let code = line.split(separator: " ").first { $0.count == 14 && $0.contains("-") }
        return String(try #require(code, "\(line)"))
    }
}
