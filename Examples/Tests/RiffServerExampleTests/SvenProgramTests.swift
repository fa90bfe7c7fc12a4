// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffTransport
import RiffVoice
import Testing

/// Sven's prompt API from the program itself, over HTTP on loopback.
@Suite(.timeLimit(.minutes(5))) struct SvenProgramTests {
    private static let json: HTTPFields = [.contentType: "application/json"]

    private static func post(
        _ server: ServerProgram,
        _ path: String,
        _ body: HTTPBody
    ) async throws -> ServerProgram.Answer {
        try await server.ask(.post, path, body, fields: json, signing: nil)
    }

    private static func form(_ members: JSONValue) -> HTTPBody { .bytes(members.bytes()) }

    @Test func `a device pairs with the code of the console, asks, and reads the answer`() async throws {
        try await AnsweringAgent.with { _, arguments in
            try await ServerProgram.run(arguments + ["--sven", "--pair"], lines: 2) { server in
                let token = UUID().uuidString
                let sven = SvenClient(server: server.address, token: Secret(token), http: server.http)
                let unknown = await #expect(throws: VoiceError.self) { try await sven.send("hello") }
                #expect(unknown?.code == .unknownDevice)
                let code = try SilentLogTests.code(in: server)
                let pairing = Self.form(["token": .string(token), "code": .string(code), "name": "phone"])
                #expect(try await Self.post(server, "/register", pairing).status == 200)
                #expect(try await Self.post(server, "/register", pairing).status == 401)
                let receipt = try await sven.send("hello")
                #expect(receipt.replies == .messages)
                for try await message in SvenReplies(sven) where message.role == .assistant {
                    #expect(message.content == "hello")
                    break
                }
                // Both contracts are served at one address.
                let health = try await server.client.health()
                #expect(health.status == "ok")
            }
        }
    }

    @Test func `every status of the table is told apart`() async throws {
        try await AnsweringAgent.with { _, arguments in
            // By itself: in a second not every other body comes, where the machine is busy.
            try await ServerProgram.run(arguments + ["--sven", "--body-timeout", "1"]) { server in
                let silent = AsyncThrowingStream<[UInt8], any Error> {
                    try await ContinuousClock().sleep(for: .seconds(60))
                    return nil
                }
                let late = try await Self.post(server, "/prompt", .stream(silent, length: 100))
                #expect(late.status == 408)
            }
            try await ServerProgram.run(arguments + ["--sven", "--pair"], lines: 2) { server in
                let token = UUID().uuidString
                let code = try SilentLogTests.code(in: server)
                let pairing = Self.form(["token": .string(token), "code": .string(code)])
                #expect(try await Self.post(server, "/register", pairing).status == 200)
                func prompt(_ text: String) -> HTTPBody {
                    Self.form(["transcript": .string(text), "token": .string(token)])
                }
                #expect(try await server.ask(.get, "/health", signing: nil).body == #"{"status":"healthy"}"#)
                #expect(try await server.ask(.get, "/", signing: nil).status == 200)
                #expect(try await server.ask(.get, "/nothing", signing: nil).status == 404)
                #expect(try await server.ask(.get, "/tokens", signing: nil).status == 404)
                let method = try await server.ask(.get, "/prompt", signing: nil)
                #expect(method.status == 405 && method.fields[.allow] == "POST")
                #expect(try await Self.post(server, "/prompt", Self.form(["transcript": "x"])).status == 422)
                #expect(try await server.ask(.post, "/prompt", prompt("x"), signing: nil).status == 422)
                #expect(try await Self.post(server, "/prompt", prompt(" \n ")).status == 400)
                let stranger = Self.form(["transcript": "x", "token": "somebody-elses-token"])
                #expect(try await Self.post(server, "/prompt", stranger).status == 401)
                for target in ["/messages", "/messages?token=wrong", "/audio/x"] {
                    #expect(try await server.ask(.get, target, signing: nil).status == 401, "\(target)")
                }
                #expect(try await server.ask(.get, "/audio/..%2Fx?token=\(token)", signing: nil).status == 404)
                let large = HTTPBody.bytes([UInt8](repeating: 0x20, count: 64 * 1024 + 1))
                #expect(try await Self.post(server, "/prompt", large).status == 413)
                // The agent is busy with the first, so that the desk fills; what is refused there counts, too.
                var statuses: [Int] = []
                for _ in 0..<31 { statuses.append(try await Self.post(server, "/prompt", prompt("silence")).status) }
                #expect(statuses.prefix(16).allSatisfy { $0 == 200 })
                #expect(statuses.contains(500))
                #expect(statuses.last == 429)
                let refused = try await Self.post(server, "/prompt", prompt("one more"))
                #expect(refused.status == 429 && refused.fields[.retryAfter] != nil)
                let cleared = try await server.ask(.delete, "/messages?token=\(token)", signing: nil)
                #expect(cleared.status == 200)
            }
        }
    }

    @Test func `a secret that nobody set is made once, kept for this user alone, and given by a pairing`() async throws
    {
        let folder = "/tmp/rs-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }  // Cleanup.
        var secrets: [RiffSecret] = []
        for _ in 0..<2 {
            try await ServerProgram.run(
                ["--records", folder, "--pair"],
                environment: ["RIFF_SHARED_SECRET": nil],
                lines: 2
            ) { server in
                let code = try SilentLogTests.code(in: server)
                secrets.append(
                    try await RiffClient.pair(
                        with: code,
                        at: server.address,
                        http: server.http,
                        timing: ServerProgram.timing
                    )
                )
                let client = server.client(secrets[0])
                #expect(try await client.health().status == "ok")
            }
        }
        #expect(secrets.count == 2 && secrets[0] == secrets[1])
        #expect(!secrets[0].isPlaceholder)
        let file = "\(folder)/secrets/\(RiffContract.secretName)"
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }
}
