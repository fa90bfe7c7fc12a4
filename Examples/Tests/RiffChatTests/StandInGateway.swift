// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import Logging
import RiffCore
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
        let (ports, report) = AsyncStream.makeStream(of: Int.self)
        var quiet = Logger(label: "stand-in gateway")
        quiet.logLevel = .critical
        let application = Application(
            router: gateway.router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { report.yield($0.localAddress?.port ?? 0) },
            logger: quiet
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            for await port in ports {
                try await body(gateway, port)
                break
            }
            gateway.goOn()
            group.cancelAll()
        }
    }

    private var router: Router<BasicRequestContext> {
        let router = Router()
        router.get("/api/models") { _, _ in Self.json(#"{"data":[{"id":"small"},{"id":"large"}]}"#) }
        router.get("/api/cost-usage") { _, _ in Self.json(#"{"totals":{"totalCost":1.25}}"#) }
        router.get("/api/rate-limits") { _, _ in
            Self.json(#"{"rateLimits":[{"provider":"acme","session":{"used":34,"limit":100}}]}"#)
        }
        router.get("/api/voice/capabilities") { _, _ in
            Self.json(#"{"stt":{"available":true,"maxFileSizeMB":1},"tts":{"available":false}}"#)
        }
        router.post("/api/model-override") { [self] request, _ in
            let model = try await Self.body(of: request)["model"]?.text ?? ""
            state.withLock { $0.chosen.append(model) }
            return Self.json(#"{"ok":true}"#)
        }
        router.post("/api/voice/transcribe") { [self] request, _ in
            let clip = try await request.body.collect(upTo: 1 << 20)
            state.withLock { $0.clips.append(clip.readableBytes) }
            return Self.json(#"{"text":"what was spoken"}"#)
        }
        router.post("/v1/chat/completions") { [self] request, _ in
            let asked = try await Self.body(of: request)
            let count = state.withLock { state in
                state.asked.append(asked)
                return state.asked.count
            }
            let words = asked["messages"]?.array?.last?["content"]?.text ?? ""
            return Response(
                status: .ok,
                headers: [.contentType: "text/event-stream"],
                body: ResponseBody(asyncSequence: said(to: words, isFirst: count == 1))
            )
        }
        return router
    }

    /// The answer, or the rest of it from the words between the marks.
    private func said(to words: String, isFirst: Bool) -> AsyncThrowingStream<ByteBuffer, any Error> {
        AsyncThrowingStream { [self] report in
            let answer = Array(Self.answer.utf8)
            if isFirst {
                Self.say(answer[..<12], report)
                Task {
                    for await _ in gate.stream {}
                    Self.say(answer[12..<Self.cut], report)
                    report.finish(throwing: CancellationError())
                }
                return
            }
            let marked = words.split(separator: "<<<").last?.split(separator: ">>>").first.map(String.init)
            let start = marked.flatMap { Self.answer.range(of: $0)?.lowerBound } ?? Self.answer.startIndex
            Self.say(Array(Self.answer[start...].utf8)[...], report)
            let end = #"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#
            report.yield(ByteBuffer(string: "data: \(end)\n\ndata: [DONE]\n\n"))
            report.finish()
        }
    }

    private static func say(
        _ text: ArraySlice<UInt8>,
        _ report: AsyncThrowingStream<ByteBuffer, any Error>.Continuation
    ) {
        for byte in text {
            let delta: JSONValue = ["index": 0, "delta": ["content": .string(String(decoding: [byte], as: UTF8.self))]]
            let chunk: JSONValue = ["model": "small-2", "choices": [delta]]
            report.yield(ByteBuffer(string: "data: \(String(decoding: chunk.bytes(), as: UTF8.self))\n\n"))
        }
    }

    private static func json(_ text: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    private static func body(of request: Request) async throws -> JSONValue {
        try JSONValue(parsing: Array(try await request.body.collect(upTo: 1 << 20).readableBytesView))
    }
}
