// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffTesting
import Synchronization

/// A gateway with one model behind it, which says the same answer to whatever it is asked.
final class StandInGateway: Sendable {
    static let answer =
        "Some **bold words** to begin with.\n\n1. first\n2. second\n\nAnd that is all there is to say.\n"
    /// Behind so many bytes the first answer is cut off.
    static let cut = 48

    private struct State {
        var asked: [JSONValue] = []
        var chosen: [String] = []
        var clips: [Int] = []
    }

    private let state = Mutex(State())
    /// The first answer stops in its middle until this ends.
    private let gate = AsyncStream.makeStream(of: Never.self)

    /// The models that were chosen.
    var chosen: [String] { state.withLock { $0.chosen } }
    /// How large the recordings were.
    var clips: [Int] { state.withLock { $0.clips } }
    /// What was asked for, oldest first.
    var asked: [JSONValue] { state.withLock { $0.asked } }

    /// Lets the first answer go on, to where it is cut off.
    func goOn() { gate.continuation.finish() }

    /// A gateway on a port of its own for the time of `body`.
    static func with(_ body: (StandInGateway, Int) async throws -> Void) async throws {
        let gateway = StandInGateway()
        defer { gateway.goOn() }
        try await LoopbackWebServer.withServer {
            try gateway.answer($0)
        } body: {
            try await body(gateway, $0.port)
        }
    }

    private func answer(_ request: LoopbackWebServer.Request) throws -> LoopbackWebServer.Answer {
        switch request.head.path?.split(separator: "?").first {
        case "/api/models": .json(#"{"data":[{"id":"small"},{"id":"large"}]}"#)
        case "/api/cost-usage": .json(#"{"totals":{"totalCost":1.25}}"#)
        case "/api/rate-limits":
            .json(#"{"rateLimits":[{"provider":"acme","session":{"used":34,"limit":100}}]}"#)
        case "/api/voice/capabilities":
            .json(#"{"stt":{"available":true,"maxFileSizeMB":1},"tts":{"available":false}}"#)
        case "/api/model-override": try choose(JSONValue(parsing: request.body))
        case "/api/voice/transcribe": transcribe(request.body)
        case "/v1/chat/completions": try complete(JSONValue(parsing: request.body))
        default: .json(#"{"detail":"Not Found"}"#, status: .notFound)
        }
    }

    private func choose(_ asked: JSONValue) -> LoopbackWebServer.Answer {
        state.withLock { $0.chosen.append(asked["model"]?.text ?? "") }
        return .json(#"{"ok":true}"#)
    }

    private func transcribe(_ clip: [UInt8]) -> LoopbackWebServer.Answer {
        state.withLock { $0.clips.append(clip.count) }
        return .json(#"{"text":"what was spoken"}"#)
    }

    private func complete(_ asked: JSONValue) -> LoopbackWebServer.Answer {
        let count = state.withLock { state in
            state.asked.append(asked)
            return state.asked.count
        }
        let words = asked["messages"]?.array?.last?["content"]?.text ?? ""
        let fields = ["HTTP/1.1 200 OK", "content-type: text/event-stream", "transfer-encoding: chunked", "", ""]
        return .raw(Array(fields.joined(separator: "\r\n").utf8)) { [self] connection in
            try await say(to: words, isFirst: count == 1, on: connection)
        }
    }

    /// The answer, or the rest of it from the words between the marks.
    private func say(to words: String, isFirst: Bool, on connection: RawWebConnection) async throws {
        let answer = Array(Self.answer.utf8)
        if isFirst {
            try await Self.say(answer[..<12], on: connection)
            for await _ in gate.stream {}
            return try await Self.say(answer[12..<Self.cut], on: connection)
        }
        let marked = words.split(separator: "<<<").last?.split(separator: ">>>").first.map(String.init)
        let start = marked.flatMap { Self.answer.range(of: $0)?.lowerBound } ?? Self.answer.startIndex
        try await Self.say(Array(Self.answer[start...].utf8)[...], on: connection)
        let end = #"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#
        try await Self.send("data: \(end)\n\ndata: [DONE]\n\n", on: connection)
        try await Self.send("", on: connection)
    }

    private static func say(_ text: ArraySlice<UInt8>, on connection: RawWebConnection) async throws {
        for byte in text {
            let delta: JSONValue = ["index": 0, "delta": ["content": .string(String(decoding: [byte], as: UTF8.self))]]
            let chunk: JSONValue = ["model": "small-2", "choices": [delta]]
            try await send("data: \(String(decoding: chunk.bytes(), as: UTF8.self))\n\n", on: connection)
        }
    }

    /// A chunk of an answer; the empty one ends it (RFC 9112, section 7.1).
    private static func send(_ chunk: String, on connection: RawWebConnection) async throws {
        let size = String(chunk.utf8.count, radix: 16)
        try await connection.send(Array("\(size)\r\n\(chunk)\r\n".utf8))
    }
}
