// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore
import Testing

struct CodexMachineTests {
    private static func question(_ talk: CodexTalk) throws -> AgentQuestion {
        try #require(talk.machine.status.questions.first)
    }

    // MARK: Finding

    @Test func `nothing is sent before the connection stands, and nothing but initialize before its answer`() throws {
        var talk = CodexTalk()
        try talk.hear(["method": "thread/started", "params": [:]])
        #expect(talk.sent.isEmpty)
        try talk.handle(.opened)
        #expect(talk.sent.map { $0["method"]?.text } == ["initialize"])
        #expect(talk.sent[0]["jsonrpc"] == nil)
    }

    @Test func `the person's conversation in the folder is chosen, titles and helpers are not`() throws {
        var talk = CodexTalk()
        try talk.handle(.opened)
        try talk.answer("initialize", [:])
        try talk.answer("thread/loaded/list", ["data": ["t1", "t2", "t3"]])
        let calls = talk.sent.filter { $0["method"]?.text == "thread/read" }
        let threads = [
            CodexTalk.thread("t1"), CodexTalk.thread("t2", source: "thread_title"),
            CodexTalk.thread("t3", folder: "/elsewhere"),
        ]
        // In any order.
        for (call, thread) in zip(calls, threads).reversed() {
            try talk.hear(["id": call["id"] ?? .null, "result": ["thread": thread]])
        }
        #expect(talk.sent.last?["method"]?.text == "thread/resume")
        #expect(talk.sent.last?["params"]?["threadId"]?.text == "t1")
    }

    @Test func `of several conversations in the folder none is guessed`() throws {
        var talk = CodexTalk()
        try talk.handle(.opened)
        try talk.answer("initialize", [:])
        try talk.answer("thread/loaded/list", ["data": ["t1", "t2"]])
        for (call, id) in zip(talk.sent.filter { $0["method"]?.text == "thread/read" }, ["t1", "t2"]) {
            try talk.hear(["id": call["id"] ?? .null, "result": ["thread": CodexTalk.thread(id)]])
        }
        #expect(talk.machine.status.phase == .severalThreads)
        #expect(talk.machine.status.candidates.map(\.id) == ["t1", "t2"])
        #expect(talk.machine.status.thread == nil)
    }

    @Test func `a second conversation in the folder makes the first one doubtful, and is not prompted`() throws {
        var talk = CodexTalk()
        try talk.join(requests: [CodexTalk.request(0)], turn: "u1")
        // A title is no conversation, and one elsewhere is none of ours.
        for other in [CodexTalk.thread("t8", source: "thread_title"), CodexTalk.thread("t9", folder: "/elsewhere")] {
            try talk.hear(["method": "thread/started", "params": ["thread": other]])
        }
        #expect(talk.machine.status.phase == .joined)
        try talk.hear(["method": "thread/started", "params": ["thread": CodexTalk.thread("t2")]])
        try talk.answer("thread/loaded/list", ["data": ["t1", "t2"]])
        for (call, id) in zip(talk.sent.filter { $0["method"]?.text == "thread/read" }.suffix(2), ["t1", "t2"]) {
            try talk.hear(["id": call["id"] ?? .null, "result": ["thread": CodexTalk.thread(id)]])
        }
        #expect(talk.machine.status.phase == .severalThreads)
        #expect(talk.machine.status.questions.isEmpty && talk.machine.status.turn == nil && talk.losses == 1)
        let count = talk.sent.count
        try talk.perform(talk.machine.request(.start(text: "x", id: "i"), ticket: 1))
        guard case .failed(.noThread, _) = talk.ends[1] else {
            Issue.record("\(talk.ends)")
            return
        }
        #expect(talk.sent.count == count)
    }

    @Test func `before its first prompt a conversation is read, takes a prompt, and is joined after it`() throws {
        var talk = CodexTalk()
        try talk.handle(.opened)
        try talk.answer("initialize", [:])
        try talk.answer("thread/loaded/list", ["data": ["t1"]])
        try talk.answer("thread/read", ["thread": CodexTalk.thread("t1")])
        try talk.refuse("thread/resume")
        try talk.answer("thread/read", ["thread": CodexTalk.thread("t1")])
        #expect(talk.machine.status.phase == .unbegun)
        #expect(talk.timers == [.search])
        try talk.perform(talk.machine.request(.start(text: "hi", id: "mine"), ticket: 7))
        #expect(talk.sent.last?["params"]?["clientUserMessageId"]?.text == "mine")
        try talk.answer("turn/start", ["turn": ["id": "u1"]])
        #expect(talk.ends[7] == .turn("u1", isSteered: false))
        try talk.answer("thread/loaded/list", ["data": ["t1"]])
        try talk.answer("thread/read", ["thread": CodexTalk.thread("t1")])
        #expect(talk.sent.last?["method"]?.text == "thread/resume")
    }

    @Test func `a conversation that is not loaded is looked for again`() throws {
        var talk = CodexTalk()
        try talk.handle(.opened)
        try talk.answer("initialize", [:])
        try talk.answer("thread/loaded/list", ["data": []])
        #expect(talk.machine.status.phase == .noThread)
        try talk.wake(.search)
        #expect(talk.sent.count { $0["method"]?.text == "thread/loaded/list" } == 2)
        // Not while a look is under way.
        try talk.wake(.search)
        #expect(talk.sent.count { $0["method"]?.text == "thread/loaded/list" } == 2)
    }

    @Test func `a conversation that is not loaded is never loaded by a client`() throws {
        var talk = CodexTalk(.id("t9"))
        try talk.handle(.opened)
        try talk.answer("initialize", [:])
        try talk.answer("thread/loaded/list", ["data": ["t1"]])
        #expect(talk.machine.status.phase == .noThread)
        #expect(!talk.sent.contains { $0["method"]?.text == "thread/resume" })
        try talk.wake(.search)
        try talk.answer("thread/loaded/list", ["data": ["t1", "t9"]])
        #expect(talk.sent.last?["params"]?["threadId"]?.text == "t9")
        // It was closed while the link was down.
        try talk.answer("thread/resume", ["thread": CodexTalk.thread("t9")])
        try talk.handle(.lost("cut"))
        try talk.handle(.opened)
        try talk.answer("initialize", [:])
        try talk.answer("thread/loaded/list", ["data": ["t1"]])
        #expect(talk.machine.status.phase == .noThread && talk.machine.status.thread == nil)
    }

    // MARK: Answers

    @Test(arguments: [
        (QuestionAnswer.allow, "accept", "completed", QuestionAnswerResult.taken),
        (.allow, "accept", "declined", .overruled),
        (.deny("no"), "decline", "declined", .taken), (.deny(""), "decline", "completed", .overruled),
        (.cancel, "cancel", "declined", .taken), (.allow, "accept", "failed", .taken),
        (.allow, "accept", "new word", .given),
    ])
    func `an answer is sent once, and its call tells whether it counted`(
        answer: QuestionAnswer,
        decision: String,
        status: String,
        result: QuestionAnswerResult
    ) throws {
        var talk = CodexTalk()
        try talk.join(requests: [CodexTalk.request(0)])
        let question = try Self.question(talk)
        #expect(question.subject == "touch one.txt")
        try talk.perform(talk.machine.answer(question, with: answer, ticket: 1))
        #expect(talk.answers == [["id": 0, "result": ["decision": .string(decision)]]])
        // The same request again over this connection is no reason to send it again.
        try talk.hear(CodexTalk.request(0))
        #expect(talk.answers.count == 1)
        try talk.hear(CodexTalk.resolved(0))
        #expect(talk.ends[1] == nil && talk.machine.status.questions.isEmpty)
        try talk.hear(CodexTalk.completed(status))
        #expect(talk.ends[1] == .answered(result))
    }

    @Test func `a second answer is refused, and one to a question that is over`() throws {
        var talk = CodexTalk()
        try talk.join(requests: [CodexTalk.request(0)])
        let question = try Self.question(talk)
        try talk.perform(talk.machine.answer(question, with: .allow, ticket: 1))
        try talk.perform(talk.machine.answer(question, with: .cancel, ticket: 2))
        guard case .failed(.alreadyAnswered, _) = talk.ends[2] else {
            Issue.record("\(talk.ends)")
            return
        }
        try talk.hear(CodexTalk.resolved(0))
        try talk.hear(CodexTalk.completed("completed"))
        try talk.perform(talk.machine.answer(question, with: .allow, ticket: 3))
        guard case .failed(.questionGone, _) = talk.ends[3] else {
            Issue.record("\(talk.ends)")
            return
        }
        #expect(talk.answers.count == 1)
    }

    @Test func `another request with the same number is another question`() throws {
        var talk = CodexTalk()
        try talk.join(requests: [CodexTalk.request(0)])
        let old = try Self.question(talk)
        // The server began anew.
        try talk.handle(.lost("cut"))
        try talk.join(requests: [CodexTalk.request(0, turn: "u2")])
        try talk.wake(.conclude)
        #expect(talk.machine.status.questions.count == 1)
        try talk.perform(talk.machine.answer(old, with: .allow, ticket: 1))
        guard case .failed(.questionGone, _) = talk.ends[1] else {
            Issue.record("\(talk.ends)")
            return
        }
        #expect(talk.answers.isEmpty)
    }

    @Test func `after a loss the answer goes again only if the question is delivered again`() throws {
        var talk = CodexTalk()
        try talk.join(requests: [CodexTalk.request(0)])
        try talk.perform(talk.machine.answer(try Self.question(talk), with: .allow, ticket: 1))
        for count in 2...4 {
            try talk.handle(.lost("cut"))
            #expect(talk.answers.count == count - 1)
            try talk.join(requests: [CodexTalk.request(0)])
            #expect(talk.answers.count == count)
            #expect(talk.ends[1] == nil)
        }
        // The last one arrived: the question does not come again.
        try talk.handle(.lost("cut"))
        try talk.join()
        #expect(talk.answers.count == 4)
        let turn: JSONValue = ["id": "u1", "status": "completed", "items": [["id": "call_1", "status": "completed"]]]
        try talk.answer("thread/turns/list", ["data": [turn]])
        #expect(talk.ends[1] == .answered(.taken))
        #expect(talk.machine.status.questions.isEmpty)
    }

    @Test func `an answer that is given while the link is down waits for the question`() throws {
        var talk = CodexTalk()
        try talk.join(requests: [CodexTalk.request(0)])
        let question = try Self.question(talk)
        try talk.handle(.lost("cut"))
        try talk.perform(talk.machine.answer(question, with: .allow, ticket: 1))
        #expect(talk.answers.isEmpty && talk.ends.isEmpty)
        try talk.join(requests: [CodexTalk.request(0)])
        #expect(talk.answers.count == 1)
    }

    @Test func `a question that is late after a join is not taken for gone`() throws {
        var talk = CodexTalk()
        try talk.join(requests: [CodexTalk.request(0)])
        try talk.perform(talk.machine.answer(try Self.question(talk), with: .allow, ticket: 1))
        try talk.handle(.lost("cut"))
        try talk.handle(.opened)
        try talk.answer("initialize", [:])
        try talk.answer("thread/loaded/list", ["data": ["t1"]])
        try talk.answer("thread/read", ["thread": CodexTalk.thread("t1")])
        let status: JSONValue = ["type": "active", "activeFlags": ["waitingOnApproval"]]
        try talk.answer("thread/resume", ["thread": CodexTalk.thread("t1", status: status)])
        // The server answers calls in any order.
        try talk.answer("thread/turns/list", ["data": []])
        #expect(talk.timers.contains(.conclude))
        try talk.hear(CodexTalk.request(0))
        #expect(talk.answers.count == 2)
        try talk.wake(.conclude)
        #expect(talk.ends[1] == nil)
    }

    @Test func `the end of a turn is the end of its questions`() throws {
        var talk = CodexTalk()
        try talk.join(requests: [CodexTalk.request(0)])
        try talk.perform(talk.machine.answer(try Self.question(talk), with: .cancel, ticket: 1))
        try talk.hear(["method": "turn/completed", "params": ["threadId": "t1", "turn": ["id": "u1"]]])
        #expect(talk.ends[1] == .answered(.given))
        #expect(talk.machine.status.questions.isEmpty)
    }

    @Test func `the model's questions take one text each`() throws {
        var talk = CodexTalk()
        let request: JSONValue = [
            "method": "item/tool/requestUserInput", "id": "r",
            "params": [
                "threadId": "t1", "turnId": "u1", "itemId": "c",
                "questions": [["id": "color", "question": "Which?", "options": [["label": "Red"]]]],
            ],
        ]
        try talk.join(requests: [request])
        let question = try Self.question(talk)
        #expect(question.kind == .question)
        try talk.perform(talk.machine.answer(question, with: .allow, ticket: 1))
        guard case .failed(.notAnswerable, _) = talk.ends[1] else {
            Issue.record("\(talk.ends)")
            return
        }
        try talk.perform(talk.machine.answer(question, with: .choose(["Red"]), ticket: 2))
        #expect(talk.answers == [["id": "r", "result": ["answers": ["color": ["answers": ["Red"]]]]]])
        try talk.hear(CodexTalk.resolved("r"))
        #expect(talk.ends[2] == .answered(.given))
    }

    @Test func `a question about a change names its files, which the call before it told`() throws {
        var talk = CodexTalk()
        try talk.join()
        try talk.hear([
            "method": "item/started",
            "params": [
                "threadId": "t1", "turnId": "u1",
                "item": [
                    "type": "fileChange", "id": "call_3", "status": "inProgress",
                    "changes": [["path": "/proj/a.txt", "diff": "x"], ["path": "/proj/b\u{1B}.txt", "diff": "y"]],
                ],
            ],
        ])
        try talk.hear([
            "method": "item/fileChange/requestApproval", "id": 1,
            "params": ["threadId": "t1", "turnId": "u1", "itemId": "call_3", "reason": .null],
        ])
        let question = try Self.question(talk)
        #expect(question.tool == "patch" && question.subject.hasPrefix("/proj/a.txt /proj/b"))
        #expect(question.subject.unicodeScalars.allSatisfy { $0.value >= 0x20 })
        try talk.perform(talk.machine.answer(question, with: .deny(), ticket: 1))
        #expect(talk.answers == [["id": 1, "result": ["decision": "decline"]]])
    }

    @Test func `a server that tells much does not have it looked for more often`() throws {
        var talk = CodexTalk()
        try talk.handle(.opened)
        try talk.answer("initialize", [:])
        for _ in 0..<100 {
            try talk.answer("thread/loaded/list", ["data": []])
            try talk.hear(["method": "thread/started", "params": [:]])
        }
        #expect(talk.timers == [.search])
    }

    // MARK: Turns

    @Test func `a prompt while a turn runs is told to be a part of it`() throws {
        var talk = CodexTalk()
        try talk.join(turn: "u1")
        #expect(talk.machine.status.turn == "u1")
        try talk.perform(talk.machine.request(.start(text: "more", id: "m"), ticket: 1))
        try talk.answer("turn/start", ["turn": ["id": "u1"]])
        #expect(talk.ends[1] == .turn("u1", isSteered: true))
        try talk.hear(["method": "turn/completed", "params": ["threadId": "t1", "turn": ["id": "u1"]]])
        #expect(talk.machine.status.turn == nil)
        try talk.perform(talk.machine.request(.interrupt, ticket: 2))
        guard case .failed(.noTurn, _) = talk.ends[2] else {
            Issue.record("\(talk.ends)")
            return
        }
    }

    @Test func `a prompt under way when the link is lost may have arrived, and can be looked for`() throws {
        var talk = CodexTalk()
        try talk.join()
        try talk.perform(talk.machine.request(.start(text: "one", id: "p1"), ticket: 1))
        try talk.handle(.lost("cut"))
        guard case .failed(.serverLost, _) = talk.ends[1] else {
            Issue.record("\(talk.ends)")
            return
        }
        try talk.perform(talk.machine.request(.start(text: "one", id: "p1"), ticket: 2))
        guard case .failed(.notConnected, _) = talk.ends[2] else {
            Issue.record("\(talk.ends)")
            return
        }
        try talk.join()
        try talk.perform(talk.machine.request(.find(id: "p1"), ticket: 3))
        let item: JSONValue = ["type": "userMessage", "clientId": "p1"]
        try talk.answer("thread/turns/list", ["data": [["id": "u9", "items": [item]]]])
        #expect(talk.ends[3] == .found("u9"))
        try talk.perform(talk.machine.request(.find(id: "p2"), ticket: 4))
        try talk.answer("thread/turns/list", ["data": [["id": "u9", "items": [item]]]])
        #expect(talk.ends[4] == .found(nil))
    }

    // MARK: Hostile

    @Test func `what makes no sense is counted, and other conversations' questions are nobody's`() throws {
        var talk = CodexTalk()
        try talk.join()
        let long = String(repeating: "x", count: 300)
        let nonsense: [JSONValue] = [
            .null, [], 7, "text", [:], ["id": 99, "result": [:]], ["id": 99], ["id": [:], "method": "m"],
            ["id": .string(long), "method": "m"], ["method": .string(long)],
            ["id": 1, "method": "item/tool/call", "params": [:]],
            ["id": 1, "method": "item/commandExecution/requestApproval"],
            ["id": 1, "method": "item/commandExecution/requestApproval", "params": ["threadId": "t1", "turnId": 3]],
            ["method": "turn/started", "params": ["threadId": "t1", "turn": 4]],
        ]
        for message in nonsense { try talk.hear(message) }
        #expect(talk.machine.status.ignoredMessages == nonsense.count)
        try talk.hear(CodexTalk.request(5, thread: "t2"))
        #expect(talk.machine.status.questions.isEmpty && talk.answers.isEmpty)
    }

    @Test func `questions and conversations without end are bounded`() throws {
        var talk = CodexTalk()
        try talk.join()
        for number in Int64(0)..<1000 { try talk.hear(CodexTalk.request(.integer(number), call: "call_\(number)")) }
        #expect(talk.machine.status.questions.count == 64)
        var other = CodexTalk()
        try other.handle(.opened)
        try other.answer("initialize", [:])
        let ids = (0..<5000).map { JSONValue.string("t\($0)") }
        try other.answer("thread/loaded/list", ["data": .array(ids), "nextCursor": "again"])
        // The second page has nothing new.
        try other.answer("thread/loaded/list", ["data": .array(ids), "nextCursor": "again"])
        #expect(other.sent.count { $0["method"]?.text == "thread/read" } == 512)
    }

    @Test func `words of the server reach a message harmless`() throws {
        var talk = CodexTalk()
        try talk.join()
        try talk.perform(talk.machine.request(.start(text: "x", id: "i"), ticket: 1))
        let id = talk.sent.last?["id"] ?? .null
        try talk.hear(["id": id, "error": ["code": 1, "message": "\u{1B}[2Jall is\nwell"]])
        guard case .failed(_, let text) = talk.ends[1] else {
            Issue.record("\(talk.ends)")
            return
        }
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
}
