// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import RiffTesting
import Testing

/// Turns that other clients of a kept agent began.
struct OtherTurnsTests {
    private func turn(_ word: String) throws -> OtherTurn { try #require(OtherTurn(word: word)) }

    private func prompt(_ id: JSONValue, session: String) -> JSONValue {
        [
            "jsonrpc": "2.0", "id": id, "method": "session/prompt",
            "params": ["sessionId": .string(session), "prompt": []],
        ]
    }

    @Test(arguments: ["s", "a/b \u{1F600}", String(repeating: "x", count: 64), String(repeating: "x", count: 65)])
    func `what a client says of its prompt is what the others read`(session: String) throws {
        let key = try #require(OtherTurn.key(of: prompt("rA:12", session: session), from: "rA"))
        #expect(key.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D })
        let turn = try turn("rA:\(key.dropFirst())")
        #expect(turn.id == .text("rA:12") && turn.isFrom("rA") && !turn.isFrom("r"))
        #expect(turn.isOf(ACP.SessionID(rawValue: session)) && !turn.isOf("other"))
    }

    @Test func `what is no prompt of its own has no key`() {
        #expect(OtherTurn.key(of: prompt("rB:1", session: "s"), from: "rA") == nil)
        #expect(OtherTurn.key(of: prompt(1, session: "s"), from: "rA") == nil)
        #expect(OtherTurn.key(of: prompt("rA:x", session: "s"), from: "rA") == nil)
        #expect(OtherTurn.key(of: ["id": "rA:1", "method": "session/new"], from: "rA") == nil)
    }

    @Test func `a turn ends by its answer, whichever is known first`() throws {
        let (one, two) = (try turn("rA:1-73"), try turn("rA:2-73"))
        var turns = OtherTurns()
        let news = [turns.began(one), turns.began(one)]
        #expect(news == [true, false])
        let unknown = turns.answered(two.id)
        #expect(unknown == nil)
        let isLateNews = turns.began(two)
        #expect(!isLateNews && turns.running == [one])
        let ended = turns.answered(one.id)
        #expect(ended == one && turns.running.isEmpty)
        // A keeper tells it once more at each attachment.
        let isNewsAgain = turns.began(one)
        #expect(!isNewsAgain)
    }

    @Test func `however many are told, few are kept`() throws {
        var turns = OtherTurns()
        for number in 0..<10_000 { _ = turns.began(try turn("rA:\(number)-73")) }
        #expect(turns.running.count == 64)
        for number in 0..<10_000 { _ = turns.answered(.text("rA:\(number)")) }
        #expect(turns.running.isEmpty)
    }

    // MARK: The chat

    @Test func `another client's turn runs in the chat of its session, and its end is shown`() async throws {
        let conversation = ACPConversation(following: "s", clock: ManualClock())
        let tell = try #require(conversation.handlers.otherTurn)
        await tell(try turn("rA:1-74"), .running)
        #expect(await !conversation.current.isRunning)
        await tell(try turn("rA:1-73"), .running)
        await tell(try turn("rB:1-73"), .running)
        #expect(await conversation.current.isRunning)
        // The second one's prompt was refused: the first one's turn goes on.
        await tell(try turn("rB:1-73"), .ended(.failure(ACP.RPCError.internalError("busy"))))
        #expect(await conversation.current.isRunning)
        await tell(try turn("rA:1-73"), .ended(.success(ACP.PromptResponse(stopReason: .refusal))))
        let chat = await conversation.current
        #expect(chat.transcript.turn == .idle(.refusal) && chat.problem != nil && chat.turnDuration == .zero)
    }

    @Test func `a turn of another client that failed is told, and not offered to be sent again`() async throws {
        let conversation = ACPConversation(following: "s")
        let tell = try #require(conversation.handlers.otherTurn)
        await tell(try turn("rA:1-73"), .running)
        await tell(try turn("rA:1-73"), .ended(.failure(ACP.RPCError.internalError("no \u{1B}[2Jkey"))))
        let problem = try #require(await conversation.current.problem)
        #expect(!problem.canRetry && !problem.message.contains("\u{1B}"))
        // The next one begins without it, and its end is not known.
        await tell(try turn("rA:2-73"), .running)
        #expect(await conversation.current.problem == nil)
        await tell(try turn("rA:2-73"), .ended(nil))
        #expect(await conversation.current.transcript.turn == .idle(nil))
    }
}

extension InTurn {
    /// Another client in the middle of a turn, on this machine.
    @Suite(.enabled(if: KeeperHome.isPossible, "tmux or python3 is missing"), .timeLimit(.minutes(2)))
    struct KeptTurnsOfOthersTests {
        private static let waiting: @Sendable (ACPPermissionQuestion) async throws -> ACP.RequestPermissionOutcome = {
            _ in
            try await EventualValue<Void>().cancellableValue()
            return .cancelled()
        }

        /// Begins a turn that waits for an answer, and leaves.
        private func begin(_ source: ACPAgentSource) async throws {
            let isAsked = EventualValue<Void>()
            var handlers = ACPClient.Handlers()
            handlers.permission = { question in
                isAsked.resolve(())
                return try await Self.waiting(question)
            }
            try await withACPClient(source, handlers: handlers) { client in
                let session = try await client.newSession(in: "/").sessionID
                // Nobody waits for the end of the turn.
                let turn = Task { try await client.prompt("ask 1", in: session) }
                try await isAsked.cancellableValue()
                _ = turn
            }
        }

        @Test func `who attaches in the middle of a turn sees it run, and a prompt waits for its end`() async throws {
            try await KeeperHome.with { home in
                let source = home.keeper.agent("busy", try KeeperHome.command)
                try await begin(source)
                let conversation = ACPConversation(following: "s")
                try await withACPClient(source, handlers: conversation.handlers) { client in
                    try await conversation.follow(on: client)
                    #expect(await conversation.current.isRunning)
                    async let sent: Void = conversation.send("ask 0")
                    for await chat in conversation.updates() {
                        guard let question = chat.questions.first else { continue }
                        #expect(chat.isRunning)
                        await conversation.answer(question, with: question.permission.options[0])
                        break
                    }
                    try await sent
                    let chat = await conversation.current
                    #expect(chat.transcript.turn == .idle(.endTurn) && chat.problem == nil)
                    #expect(chat.groups.last?.prompt?.text == "ask 0")
                    #expect(try await client.extensionRequest("_stats", [:])["refused"] == 0)
                }
                // Whoever comes now finds nothing that runs.
                let later = ACPConversation(following: "s")
                try await withACPClient(source, handlers: later.handlers) { client in
                    try await later.follow(on: client)
                    #expect(await !later.current.isRunning)
                    try await later.send("ask 0")
                    #expect(await later.current.problem == nil)
                }
            }
        }

        @Test func `a turn that another client begins runs here, too`() async throws {
            try await KeeperHome.with { home in
                var handlers = ACPClient.Handlers()
                handlers.permission = { $0.choosing($0.options[0]) }
                let source = home.keeper.agent("both", try KeeperHome.command)
                try await withACPClient(source, handlers: handlers) { other in
                    let session = try await other.newSession(in: "/").sessionID
                    let conversation = ACPConversation(following: session)
                    let channel = try await home.keeper.attach(to: "both")
                    try await withACPClient(.channel(channel), handlers: conversation.handlers) { client in
                        try await conversation.follow(on: client)
                        #expect(await !conversation.current.isRunning)
                        async let turn = other.prompt("count 1", in: session)
                        for await chat in conversation.updates() where chat.isRunning { break }
                        async let sent: Void = conversation.send("ask 0")
                        try other.extensionNotification("_stop", [:])
                        #expect(try await turn.stopReason == .endTurn)
                        try await sent
                        #expect(await conversation.current.transcript.turn == .idle(.endTurn))
                        #expect(try await client.extensionRequest("_stats", [:])["refused"] == 0)
                    }
                }
            }
        }

        @Test func `a prompt that waits fails when the agent ends, and is not sent when it is cancelled`() async throws
        {
            try await KeeperHome.with { home in
                let source = home.keeper.agent("ends", try KeeperHome.command)
                try await begin(source)
                let conversation = ACPConversation(following: "s")
                var handlers = conversation.handlers
                handlers.permission = Self.waiting
                try await withACPClient(source, handlers: handlers) { client in
                    try await conversation.follow(on: client)
                    let given = Task { try await conversation.send("given up") }
                    given.cancel()
                    await #expect(throws: CancellationError.self) { try await given.value }
                    #expect(await conversation.current.isRunning)
                    async let sent: Void = conversation.send("later")
                    try client.extensionNotification("_exit", [:])
                    try await sent
                    let chat = await conversation.current
                    guard case .failed = chat.transcript.turn else {
                        Issue.record("\(chat.transcript.turn)")
                        return
                    }
                    #expect(chat.groups.compactMap(\.prompt?.text) == ["later"])
                }
            }
        }
    }
}
