// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffTesting
import RiffTransport
import RiffVoice
import Testing

/// Every status of the contract, from the program itself over HTTP on loopback. 204 is in `RiffServerProgramTests`.
@Suite(.timeLimit(.minutes(5))) struct StatusTests {
    @Test func `what is asked rightly is answered, and what is not is told apart`() async throws {
        try await AnsweringAgent.with { _, arguments in
            // So long that the twelve that are to be there at once are.
            try await ServerProgram.run(arguments + ["--reply-timeout", "15"]) { server in
                let message = #"{"conversation_id":"a","text":"hello","device_id":"d"}"#
                let answer = try await server.post("/riff/message", message)
                #expect(answer.status == 200)
                #expect(try JSONValue(parsing: Array(answer.body.utf8))["reply"] == "hello")
                let told = try await server.ask(.get, "/riff/conversation?conversation_id=a&limit=5000")
                #expect(told.status == 200 && told.body.contains("hello"))
                #expect(try await server.ask(.get, "/riff/sessions").status == 200)
                #expect(try await server.ask(.get, "/riff/health").status == 200)
                #expect(try await server.post("/riff/transcript", #"{"transcript":"hi"}"#).status == 200)
                let device = #"{"device_id":"d","push_token_hex":"00ff","env":"sandbox"}"#
                #expect(try await server.post("/riff/register-device", device).status == 200)

                for (target, body) in [
                    ("/riff/message", #"{"text":"  "}"#), ("/riff/message", "{"), ("/riff/message", ""),
                    ("/riff/message", #"{"text":"x","conversation_id":"../../etc/passwd"}"#),
                    ("/riff/message", #"{"text":"x","conversation_id":"a/b"}"#),
                    ("/riff/message", #"{"text":"x","device_id":"\#(String(repeating: "d", count: 65))"}"#),
                    ("/riff/transcript", #"{"transcript":""}"#), ("/riff/register-device", #"{"device_id":"d"}"#),
                    ("/riff/register-device", #"{"device_id":"..","push_token_hex":"00"}"#),
                ] {
                    #expect(try await server.post(target, body).status == 400, "\(target) \(body)")
                }
                for query in [
                    "conversation?conversation_id=..%2F..%2Fetc", "conversation?conversation_id=%2e%2e",
                    "conversation?conversation_id=", "conversation?limit=0", "conversation?limit=x",
                    "sessions?since=..%2F", "sessions?limit=-1",
                ] {
                    #expect(try await server.ask(.get, "/riff/\(query)").status == 400, "\(query)")
                }
                #expect(try await server.ask(.get, "/riff/nothing").status == 404)
                #expect(try await server.ask(.get, "/riff/../etc/passwd").status == 404)
                let method = try await server.ask(.delete, "/riff/message")
                #expect(method.status == 405 && method.fields[.allow] == "POST")
                #expect(try await server.ask(.get, "/riff/narrate-poll?after=1").status == 503)
                #expect(try await server.speak("/riff/transcribe-only").status == 503)
                #expect(try await server.post("/riff/message", #"{"text":"silence"}"#).status == 504)
                #expect(try await server.post("/riff/transcript", #"{"transcript":"silence"}"#).status == 504)

                let busy = try await withThrowingTaskGroup(of: ServerProgram.Answer.self) { group in
                    for _ in 0..<12 {
                        group.addTask { try await server.post("/riff/message", #"{"text":"silence"}"#) }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(busy.count { $0.status == 503 && $0.fields[.retryAfter] == "2" } == 4)
                #expect(busy.count { $0.status == 504 } == 8)
            }
        }
    }

    private static func spoken(_ status: String, _ body: String) -> [RawHTTPServer.Step] {
        let fields = "Content-Type: application/json\r\nConnection: close\r\nContent-Length: \(body.utf8.count)"
        return [.readHead, .send("HTTP/1.1 \(status)\r\n\(fields)\r\n\r\n\(body)"), .awaitClose]
    }

    @Test(arguments: [
        (StatusTests.spoken("200 OK", #"{"text":"hello"}"#), 200),
        (StatusTests.spoken("500 Internal Server Error", "{}"), 502),
        ([.readHead, .close], 502), ([.readHead, .stopReading], 502),
    ])
    func `a clip is answered as its recognizer answers`(_ script: [RawHTTPServer.Step], _ status: Int) async throws {
        try await RawHTTPServer.withServer(script) { speech in
            try await AnsweringAgent.with { _, arguments in
                // A busy machine must not make a timeout of the others.
                let seconds = script.last == .stopReading ? "2" : "60"
                let recognizer = [
                    "--openai-url", "http://127.0.0.1:\(speech.port)/v1", "--recognizer-timeout", seconds,
                ]
                try await ServerProgram.run(arguments + recognizer) { server in
                    let clip = try await server.speak("/riff/transcribe-only")
                    #expect(clip.status == status)
                    let said = try await server.speak("/riff/audio")
                    #expect(said.status == status)
                    if status == 200 {
                        #expect(clip.body == #"{"transcript":"hello"}"#)
                        #expect(try JSONValue(parsing: Array(said.body.utf8))["reply"] == "hello")
                    }
                    #expect(try await server.speak("/riff/audio", []).status == 400)
                    #expect(try await server.speak("/riff/audio", format: "ogg").status == 400)
                    let name: HTTPFields = [.riffAudioFormat: "wav", .riffConversationID: "../x"]
                    #expect(try await server.post("/riff/audio", "RIFF", fields: name).status == 400)
                }
            }
        }
    }

    @Test func `an agent that cannot be asked is 502, and what cannot be kept 500`() async throws {
        let bridge = ["--bridge", "/dev/null/bridge", "--records"]
        try await ServerProgram.run(bridge + ["/tmp/rs-\(UUID().uuidString)"]) { (server) async throws in
            #expect(try await server.post("/riff/transcript", #"{"transcript":"hi"}"#).status == 502)
        }
        try await ServerProgram.run(bridge + ["/dev/null/records"]) { (server) async throws in
            #expect(try await server.post("/riff/message", #"{"text":"hi"}"#).status == 500)
            #expect(try await server.ask(.get, "/riff/conversation").status == 500)
        }
    }

    @Test(.enabled(if: SystemProgram.path("espeak-ng") != nil, "needs espeak-ng"))
    func `a voice that fails is 502`() async throws {
        let folder = "/tmp/rs-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }  // Cleanup.
        try FileManager.default.createDirectory(atPath: "\(folder)/-work", withIntermediateDirectories: true)
        let stamp = Date(timeIntervalSinceNow: 30).formatted(.iso8601)
        let content = #"[{"type":"text","text":"Done."}]"#
        let message = #"{"stop_reason":"end_turn","content":\#(content)}"#
        let line = #"{"type":"assistant","timestamp":"\#(stamp)","message":\#(message)}"# + "\n"
        try Data(line.utf8).write(to: URL(filePath: "\(folder)/-work/session.jsonl"))
        let program = "\(folder)/espeak-ng"
        try Data("#!/bin/sh\nexit 1\n".utf8).write(to: URL(filePath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        try await ServerProgram.run(
            ["--speak", "--transcripts", folder],
            environment: ["PATH": "\(folder):\(path)"]
        ) { (server) async throws in
            let now = Date().timeIntervalSince1970
            #expect(try await server.ask(.get, "/riff/narrate-poll?after=\(now)").status == 502)
            #expect(try await server.ask(.get, "/riff/narrate-poll?after=x").status == 400)
        }
    }
}
