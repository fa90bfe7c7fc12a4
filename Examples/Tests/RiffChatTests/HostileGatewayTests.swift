// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTesting
import Foundation
import HTTPTypes
import RiffCore
import RiffScreen
import RiffTesting
import RiffTransport
import Testing

/// The program itself, with a gateway that has hostile words in everything that it says.
@Suite(.timeLimit(.minutes(5))) struct HostileGatewayTests {
    /// Controls as they are and as references of markdown, in words that end with an ordinary line.
    private static let answer = HostileWords.text + " &#x1B;[2J&#x9B;2J&#x202E;&rlm; **bold**\n\nThe end.\n"

    private static func answer(_ request: LoopbackWebServer.Request) throws -> LoopbackWebServer.Answer {
        let evil = HostileWords.json
        switch request.head.path?.split(separator: "?").first {
        case "/api/models": return .json(#"{"data":[{"id":\#(evil)}]}"#)
        case "/api/cost-usage": return .json(#"{"totals":{"totalCost":1.25}}"#)
        case "/api/rate-limits":
            return .json(#"{"rateLimits":[{"provider":\#(evil),"session":{"used":34,"limit":100}}]}"#)
        case "/v1/chat/completions":
            let asked = try JSONValue(parsing: request.body)["messages"]?.array?.last?["content"]?.text
            guard asked != "fail" else { return .json(#"{"error":{"message":\#(evil)}}"#, status: .badRequest) }
            let delta: JSONValue = ["index": 0, "delta": ["content": .string(answer)]]
            let chunk: JSONValue = ["model": .string(HostileWords.text), "choices": [delta]]
            let end = #"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#
            let events = "data: \(String(decoding: chunk.bytes(), as: UTF8.self))\n\ndata: \(end)\n\ndata: [DONE]\n\n"
            let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"])
            return .response(head, body: Array(events.utf8))
        default: return .json(#"{"detail":\#(evil)}"#, status: .notFound)
        }
    }

    private static func withCommand(_ body: (LocalCommand) async throws -> Void) async throws {
        try await LoopbackWebServer.withServer {
            try answer($0)
        } body: { server in
            var environment = ProcessInfo.processInfo.environment
            for name in environment.keys where name.hasPrefix("OPENAI_") { environment[name] = nil }
            environment["REMOTECLAW_GATEWAY_URL"] = "http://127.0.0.1:\(server.port)"
            try await body(LocalCommand(try BuiltProgram.path("riff-chat"), environment: environment))
        }
    }

    @Test func `in a pipe, nothing that a gateway says is for a terminal`() async throws {
        try await Self.withCommand { command in
            let process = try await LocalProcess.start(command)
            try await process.write(Array("one\n/model\nfail\n".utf8))
            try await process.finishWriting()
            async let told = process.diagnostics.collect(upTo: 1 << 20)
            let output = try await process.output.collect(upTo: 1 << 20)
            let problem = try await told
            #expect(try await process.exitStatus() == .exited(1))
            await process.close()
            #expect(output.foreign(to: .pipe) == [] && problem.foreign(to: .pipe) == [])
            let text = String(decoding: output, as: UTF8.self)
            #expect(text.hasPrefix(HostileWords.left) && text.contains("The end.\n"), "\(text)")
            // The model's name is a line of its own.
            #expect(text.contains("\n\(HostileWords.left)"), "\(text)")
            #expect(!problem.isEmpty)
        }
    }

    @Test func `on a terminal, nothing that a gateway says is obeyed`() async throws {
        try await Self.withCommand { command in
            let terminal = LocalPTYTerminal(command)
            try await terminal.connect(size: Person.size)
            let person = Person(terminal)
            try await person.sees("session 34 %")
            try await person.type("one\r")
            try await person.sees("The end.")
            try await person.type("/model\r")
            try await person.sees("/model and a number: 1 \(HostileWords.left)")
            try await person.type("fail\r")
            try await person.waits(for: "what went wrong") { screen in
                screen.visibleText.contains("> fail\n") && screen.visibleText.contains("\n! ")
                    && !screen.visibleText.contains("! /model and")
            }
            try await person.type("/quit\r")
            try await person.watchesTheEnd()
            #expect(person.written.foreign(to: .drawing) == [])
            #expect(person.events.isEmpty)
        }
    }
}
