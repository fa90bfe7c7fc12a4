// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffGateway
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

/// Replies over a gateway, as recorded and as they break.
@Suite(.timeLimit(.minutes(5))) struct ChatExchangeTests {
    private static let question = ChatRequest(model: "m", messages: [.user("hello there")])

    private static func text(_ outcome: ChatOutcome) -> String? { outcome.reply.choices.first?.content }

    @Test(arguments: [
        ("stream_hello", "You said: hello there (agent remoteclaw)"),
        ("stream_silent", "You said: silent (agent remoteclaw)"),
        ("stream_include_usage_ignored", nil), ("stream_long", nil), ("stream_utf8", nil),
    ])
    func `a stream is complete, and its pieces are its text`(_ name: String, _ text: String?) async throws {
        let (gateway, http) = try GatewayFixtures.gateway([name])
        let session = GatewaySession(key: try RiffIdentifier("talk-1"))
        let pieces = Mutex("")
        let outcome = await gateway.reply(to: Self.question, in: session) { delta in
            if case .content(let piece, choice: 0) = delta { pieces.withLock { $0 += piece } }
        }
        guard case .complete(let reply) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reply.choices.first?.content == pieces.withLock { $0 })
        #expect(reply.choices.first?.content.isEmpty == false)
        if let text { #expect(reply.choices.first?.content == text) }
        let head = try #require(http.requests.first?.head)
        #expect(head.headerFields[try #require(HTTPField.Name("x-moltbot-session-key"))] == "talk-1")
        #expect(head.headerFields[try #require(HTTPField.Name("x-openclaw-session-key"))] == "talk-1")
        #expect(head.path == "/v1/chat/completions" && head.headerFields[.accept] == "text/event-stream")
    }

    @Test func `a whole reply is taken too, and every refusal has its words`() async throws {
        let (gateway, _) = try GatewayFixtures.gateway(["chat_nonstream"])
        let outcome = await gateway.reply(to: Self.question, streaming: false)
        #expect(Self.text(outcome) == "You said: hi (agent main)" && outcome.error == nil)
        for (name, code, words) in [
            ("chat_no_user", GatewayError.Code.requestRefused, "Missing user message in `messages`."),
            ("chat_over_1MiB", .requestRefused, "payload too large"), ("chat_get", .unsupported, nil),
            ("chat_error_nonstream", .gatewayFailed, "agent failed"),
        ] {
            let (gateway, _) = try GatewayFixtures.gateway([name])
            let outcome = await gateway.reply(to: Self.question)
            guard case .failed(_, let error) = outcome else {
                Issue.record("\(name): \(outcome)")
                continue
            }
            #expect(error.code == code && error.answer?.message == words, "\(name)")
        }
    }

    @Test func `an error that comes as an answer is suspected, a cut one is truncated with what came`() async throws {
        let (gateway, _) = try GatewayFixtures.gateway(["stream_error", "stream_cut"])
        let error = await gateway.reply(to: Self.question)
        #expect(error.error == nil && error.reply.suspectedError)
        let cut = await gateway.reply(to: Self.question)
        guard case .truncated(let reply, let reason) = cut else {
            Issue.record("\(cut)")
            return
        }
        #expect(reply.choices.first?.content.hasPrefix("You ") == true)
        #expect(reason.code == .chatTruncated && (reason.cause as? GatewayError)?.code == .connectionLost)
        #expect(!reply.suspectedError)
    }

    @Test(arguments: ["stream_noreply", "stream_heartbeat"])
    func `what says nothing is neither shown nor kept`(_ name: String) async throws {
        let (gateway, _) = try GatewayFixtures.gateway([name])
        let chat = ChatConversation(gateway)
        await chat.ask("ping")
        #expect(chat.current.entries.map(\.text) == ["ping"])
    }

    @Test(arguments: [
        ("NO_REPLY", ""), (" NO_REPL\n", ""), ("HEARTBEAT_OK done", ""), ("HEART of gold", "HEART of gold"),
        ("NO", "NO"), ("", ""), (" \n", ""), ("NOT so", "NOT so"), ("hello NO_REPLY", "hello NO_REPLY"),
    ])
    func `the words are found however they are cut`(_ text: String, _ shown: String) {
        let pieces = text.map(String.init)
        for size in 1...max(1, pieces.count) {
            var sentinel = ReplySentinel()
            var seen = ""
            for start in stride(from: 0, to: pieces.count, by: size) {
                seen += sentinel.append(pieces[start..<min(start + size, pieces.count)].joined())
            }
            seen += sentinel.finish()
            #expect(seen == shown)
            #expect(sentinel.isSilent == shown.isEmpty)
        }
        #expect(ReplySentinel.isSilent(text) == shown.isEmpty)
    }

    @Test func `a gateway that only says that it is alive is given up`() async throws {
        let clock = ManualClock()
        let (stream, writer) = ByteStream.makeStream()
        let http = HeldReply(stream)
        let gateway = try GatewayFixtures.gateway(http, timing: .init(firstPiece: .seconds(10)), clock: clock)
        async let outcome = gateway.reply(to: Self.question)
        try await writer.write(Array(": OPENROUTER PROCESSING\n\n".utf8))
        await http.sent.value
        clock.advance(by: .seconds(10))
        try await writer.write(Array(": OPENROUTER PROCESSING\n\n".utf8))
        guard case .truncated(_, let error) = await outcome else {
            Issue.record("not truncated")
            return
        }
        #expect((error.cause as? GatewayError)?.code == .timedOut)
    }

    @Test func `silence that the transport gives up truncates the reply, and is its cause`() async throws {
        let silence = TransportError(.timeout, "It took longer than its idle deadline.")
        let http = ScriptedHTTPTransport([ChatScript.stream([#"{"content":"par"}"#], failure: silence)])
        let outcome = await (try GatewayFixtures.gateway(http)).reply(to: Self.question)
        guard case .truncated(let reply, let error) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reply.content == "par" && error.code == .chatTruncated)
        let cause = error.cause as? GatewayError
        #expect(cause?.code == .timedOut && (cause?.cause as? TransportError)?.code == .timeout)
    }

    @Test func `an agent may be silent for as long as a reply may take, unless said otherwise`() async throws {
        let replies = Array(repeating: ChatScript.stream([#"{"content":"x"}"#]), count: 2)
        let http = ScriptedHTTPTransport(replies)
        await (try GatewayFixtures.gateway(http)).reply(to: Self.question)
        await (try GatewayFixtures.gateway(http, timing: .init(silence: .seconds(7)))).reply(to: Self.question)
        #expect(http.requests.map(\.deadlines.idle) == [.seconds(300), .seconds(7)])
        #expect(http.requests.map(\.deadlines.total) == [.seconds(300), .seconds(300)])
    }

    @Test func `white space without an end is looked at once`() {
        var sentinel = ReplySentinel()
        var shown = ""
        for _ in 0..<200_000 { shown += sentinel.append(" \n ") }
        #expect(shown.isEmpty && sentinel.isSilent)
        shown += sentinel.append("x")
        #expect(shown.utf8.count == 600_001 && !sentinel.isSilent && !sentinel.isMatched)
    }

    @Test func `what says how to answer stays in its place`() {
        var request = ChatRequest(
            model: "m",
            messages: [.system("a"), .user("1"), .assistant("2"), .system("b"), .user("3")]
        )
        #expect(request.limited() == request)
        #expect(request.limited(toHistory: 2).messages == [.system("a"), .assistant("2"), .system("b"), .user("3")])
        #expect(request.limited(toHistory: 1).messages == [.system("a"), .system("b"), .user("3")])
        let call = ChatToolCall(id: "c", name: "ls", arguments: "{}")
        request.messages = [
            .user("1"), ChatMessage(.assistant, content: [], toolCalls: [call]), .system("b"),
            .tool("x", answering: call),
            .user("3"),
        ]
        #expect(request.limited(toHistory: 2).messages == [.system("b"), .user("3")])
        request.messages = [.system("a")]
        #expect(request.limited() == request)
    }

    @Test func `a cancelled request closes the connection and keeps what came`() async throws {
        let (stream, writer) = ByteStream.makeStream()
        let gateway = try GatewayFixtures.gateway(HeldReply(stream))
        let came = EventualValue<Void>()
        let task = Task {
            await gateway.reply(to: Self.question) { _ in came.resolve(()) }
        }
        try await writer.write(Array(#"data: {"choices":[{"delta":{"content":"par"}}]}"#.utf8 + [0x0A, 0x0A]))
        try await came.cancellableValue()
        task.cancel()
        let outcome = await task.value
        #expect(Self.text(outcome) == "par" && outcome.error?.cause is CancellationError)
    }

    @Test func `no more is sent than is wanted and fits`() {
        var request = ChatRequest(model: "m", messages: [.system("rule")])
        for number in 0..<200 {
            request.messages += [.user("question \(number)"), .assistant(String(repeating: "a", count: 1000))]
        }
        request.messages.append(.user("last"))
        #expect(request.limited().messages.count == 51)
        #expect(request.limited().messages.first?.role == .system)
        let small = request.limited(bytes: 5_000)
        #expect(small.body(streaming: true).count <= 5_000)
        #expect(small.messages.first?.role == .system && small.messages.last == .user("last"))
        #expect(small.messages.count > 3)
        #expect(request.limited(bytes: 1).messages.map(\.role) == [.system, .user])
    }
}

/// One answer, whose body a test writes.
final class HeldReply: HTTPTransport {
    let sent = Signal()
    private let body: ByteStream

    init(_ body: ByteStream) { self.body = body }

    func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
        await sent.give()
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"])
        return HTTPReply(head: head, body: self.body)
    }

    /// Happens once.
    actor Signal {
        private var isGiven = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        var value: Void {
            get async {
                if isGiven { return }
                await withCheckedContinuation { waiting.append($0) }
            }
        }

        func give() {
            isGiven = true
            for waiter in waiting { waiter.resume() }
            waiting = []
        }
    }
}
