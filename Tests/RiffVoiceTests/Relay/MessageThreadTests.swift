// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffVoice
import Testing

struct MessageThreadTests {
    private static let noon = 1_000_000.0

    private static func id(_ text: String) throws -> RiffIdentifier { try RiffIdentifier(text) }

    private static func message(
        _ id: String,
        _ text: String,
        at offset: Double,
        by role: ConversationMessage.Role = .user
    ) throws -> ConversationMessage {
        ConversationMessage(id: try Self.id(id), role: role, text: text, time: noon + offset)
    }

    /// What is shown, in one line for each bubble.
    private static func shown(_ thread: MessageThread) -> [String] {
        thread.entries.map { entry in
            let state =
                switch entry.state {
                case .sending: "..."
                case .sent: entry.serverID.map { "@\($0)" } ?? "ok"
                case .failed(let reason): reason + (entry.mayHaveArrived ? "?" : "!")
                }
            return "\(entry.role == .user ? "I" : "it"): \(entry.text) \(state)"
        }
    }

    // MARK: Events

    @Test func `words are shown at once, then sent, then answered`() throws {
        var thread = MessageThread()
        thread.handle(.sending("hello", id: try Self.id("a"), time: Self.noon))
        #expect(Self.shown(thread) == ["I: hello ..."])
        thread.handle(.sent(try Self.id("a"), reply: try Self.message("r", "hi", at: 3, by: .assistant)))
        #expect(Self.shown(thread) == ["I: hello ok", "it: hi @r"])
        #expect(thread.entries.map(\.id) == [.local(try Self.id("a")), .server(try Self.id("r"))])
        let all = [try Self.message("q", "hello", at: 1), try Self.message("r", "hi", at: 3, by: .assistant)]
        thread.handle(.resync(all))
        #expect(Self.shown(thread) == ["I: hello @q", "it: hi @r"])
        #expect(thread.entries.first?.id == .local(try Self.id("a")), "a bubble keeps its name")
        let before = thread
        thread.handle(.resync(all))
        #expect(thread == before)
    }

    @Test func `after a failure and a retry there is one bubble`() throws {
        var thread = MessageThread()
        let a = try Self.id("a")
        thread.handle(.sending("hello", id: a, time: Self.noon))
        thread.handle(.failed(a, reason: "offline", mayHaveArrived: false))
        #expect(Self.shown(thread) == ["I: hello offline!"])
        #expect(!thread.needsResync)
        thread.handle(.retry(a, time: Self.noon + 600))
        #expect(Self.shown(thread) == ["I: hello ..."])
        thread.handle(.sent(a, reply: try Self.message("r", "hi", at: 605, by: .assistant)))
        thread.handle(
            .resync([try Self.message("q", "hello", at: 601), try Self.message("r", "hi", at: 605, by: .assistant)])
        )
        #expect(Self.shown(thread) == ["I: hello @q", "it: hi @r"])
    }

    @Test func `a 504 whose words arrived is not offered again`() throws {
        var thread = MessageThread()
        let a = try Self.id("a")
        thread.handle(.sending("hello", id: a, time: Self.noon))
        thread.handle(.failed(a, reason: "504", mayHaveArrived: true))
        #expect(thread.needsResync)
        let answer = try Self.message("t", "(timed out)", at: 61, by: .assistant)
        let all = [try Self.message("q", " hello\n", at: 1), answer]
        thread.handle(.resync(all))
        #expect(Self.shown(thread) == ["I:  hello\n @q", "it: (timed out) @t"])
        #expect(!thread.needsResync)
        thread.handle(.retry(a, time: Self.noon + 100))
        thread.handle(.failed(a, reason: "late", mayHaveArrived: true))
        #expect(Self.shown(thread) == ["I:  hello\n @q", "it: (timed out) @t"])
    }

    @Test func `a 504 whose words did not arrive stays, and can be tried again`() throws {
        var thread = MessageThread()
        let a = try Self.id("a")
        thread.handle(.sending("hello", id: a, time: Self.noon))
        thread.handle(.failed(a, reason: "504", mayHaveArrived: true))
        thread.handle(.resync([try Self.message("q", "another", at: 1)]))
        #expect(Self.shown(thread) == ["I: hello 504?", "I: another @q"])
        thread.handle(.retry(a, time: Self.noon + 100))
        thread.handle(.failed(a, reason: "offline", mayHaveArrived: false))
        #expect(Self.shown(thread) == ["I: another @q", "I: hello offline?"], "the first try may have arrived still")
        thread.handle(.resync([try Self.message("q", "another", at: 1), try Self.message("p", "hello", at: 2)]))
        #expect(Self.shown(thread) == ["I: another @q", "I: hello @p"])
    }

    @Test func `a failure that cannot have arrived is never taken for somebody else's words`() throws {
        var thread = MessageThread()
        let a = try Self.id("a")
        thread.handle(.sending("yes", id: a, time: Self.noon))
        thread.handle(.failed(a, reason: "offline", mayHaveArrived: false))
        thread.handle(.resync([try Self.message("q", "yes", at: 1)]))
        #expect(Self.shown(thread) == ["I: yes offline!", "I: yes @q"])
        thread.handle(.retry(a, time: Self.noon + 200))
        thread.handle(.resync([try Self.message("q", "yes", at: 1), try Self.message("p", "yes", at: 50)]))
        #expect(Self.shown(thread) == ["I: yes @q", "I: yes @p", "I: yes ..."], "nor are those before the retry")
        thread.handle(.resync([try Self.message("n", "yes", at: 201)]))
        #expect(Self.shown(thread) == ["I: yes @q", "I: yes @p", "I: yes @n"])
    }

    @Test(arguments: [[0, 1], [1, 0]])
    func `the same words sent twice on purpose stay two`(order: [Int]) throws {
        var thread = MessageThread()
        for (name, offset) in [("a", 0.0), ("b", 10)] {
            thread.handle(.sending("again", id: try Self.id(name), time: Self.noon + offset))
        }
        let all = [try Self.message("x", "again", at: 1), try Self.message("y", "again", at: 11)]
        thread.handle(.resync(order.map { all[$0] }))
        #expect(Self.shown(thread) == ["I: again @x", "I: again @y"])
        #expect(thread.entries.map(\.id) == [.local(try Self.id("a")), .local(try Self.id("b"))])
    }

    @Test func `of two that are the same, the one whose words arrived becomes the message`() throws {
        var thread = MessageThread()
        let (a, b) = (try Self.id("a"), try Self.id("b"))
        thread.handle(.sending("again", id: a, time: Self.noon))
        thread.handle(.failed(a, reason: "timeout", mayHaveArrived: true))
        thread.handle(.sending("again", id: b, time: Self.noon + 100))
        // The answered one has the first choice, also where the other one's time would fit better.
        thread.handle(.sent(b, reply: try Self.message("r", "hi", at: 70, by: .assistant)))
        thread.handle(
            .resync([try Self.message("y", "again", at: 2), try Self.message("r", "hi", at: 70, by: .assistant)])
        )
        #expect(thread.entries.first { $0.id == .local(b) }?.serverID == (try Self.id("y")))
        #expect(thread.entries.first { $0.id == .local(a) }?.mayHaveArrived == true)
        thread.handle(.resync([try Self.message("z", "again", at: 5)]))
        #expect(thread.entries.first { $0.id == .local(a) }?.serverID == (try Self.id("z")))
    }

    @Test(arguments: [
        (-121, false), (-119, true), (0, true), (269, true), (271, false),
    ])
    func `the clocks may differ by so much`(offset: Double, isFound: Bool) throws {
        var thread = MessageThread()
        thread.handle(.sending("hello", id: try Self.id("a"), time: Self.noon))
        thread.handle(.failed(try Self.id("a"), reason: "504", mayHaveArrived: true))
        thread.handle(.resync([try Self.message("q", "hello", at: offset)]))
        #expect(thread.entries.count == (isFound ? 1 : 2))
    }

    @Test(arguments: [-86_400, 86_400])
    func `words that were answered are found however wrong this device's clock is`(error: Double) throws {
        var thread = MessageThread()
        let (a, question) = (try Self.id("a"), try Self.message("q", "hello", at: 1))
        let answer = try Self.message("r", "hi", at: 3, by: .assistant)
        thread.handle(.resync([try Self.message("p", "before", at: 0)]))
        thread.handle(.sending("hello", id: a, time: Self.noon + error))
        #expect(Self.shown(thread) == ["I: before @p", "I: hello ..."])
        thread.handle(.sent(a, reply: answer))
        #expect(Self.shown(thread) == ["I: before @p", "I: hello ok", "it: hi @r"])
        thread.handle(.resync([question, answer]))
        #expect(Self.shown(thread) == ["I: before @p", "I: hello @q", "it: hi @r"])
    }

    @Test func `lists of the server may come in any order, late and in parts`() throws {
        let all = try (0..<6).map { number in
            try Self.message("m\(number)", "\(number)", at: Double(number), by: number % 2 == 0 ? .user : .assistant)
        }
        let expected = ["I: 0 @m0", "it: 1 @m1", "I: 2 @m2", "it: 3 @m3", "I: 4 @m4", "it: 5 @m5"]
        for parts in [[all], [all.reversed()], [Array(all[3...]), Array(all[..<4])], all.reversed().map { [$0] }] {
            var thread = MessageThread()
            for part in parts { thread.handle(.resync(part + part)) }
            #expect(Self.shown(thread) == expected)
        }
    }

    @Test func `messages of one time keep the server's order`() throws {
        let all = try ["d", "a", "c", "b"].map { try Self.message($0, $0, at: 0, by: .assistant) }
        var thread = MessageThread()
        thread.handle(.resync(Array(all[..<2])))
        thread.handle(.resync(all))
        #expect(thread.entries.map(\.text) == ["d", "a", "c", "b"])
    }

    @Test func `what is on its way when the process ends has failed and may have arrived`() throws {
        var thread = MessageThread()
        thread.handle(.resync([try Self.message("p", "before", at: 0)]))
        thread.handle(.sending("hello", id: try Self.id("a"), time: Self.noon + 1))
        thread.handle(.interrupted(reason: "closed"))
        #expect(Self.shown(thread) == ["I: before @p", "I: hello closed?"])
    }

    @Test func `events of nobody change nothing but for the answer that came`() throws {
        var thread = MessageThread()
        let a = try Self.id("a")
        thread.handle(.failed(a, reason: "offline", mayHaveArrived: true))
        thread.handle(.retry(a, time: Self.noon))
        #expect(thread == MessageThread())
        thread.handle(.sent(a, reply: try Self.message("r", "hi", at: 3, by: .assistant)))
        #expect(Self.shown(thread) == ["it: hi @r"])
        thread.handle(.sending("once", id: a, time: Self.noon + 4))
        thread.handle(.sending("twice", id: a, time: Self.noon + 5))
        thread.handle(.retry(a, time: Self.noon + 6))
        #expect(Self.shown(thread) == ["it: hi @r", "I: once ..."])
        thread.handle(.failed(a, reason: "offline", mayHaveArrived: true))
        thread.handle(.sent(a, reply: try Self.message("s", "late", at: 7, by: .assistant)))
        #expect(Self.shown(thread) == ["it: hi @r", "I: once ok", "it: late @s"], "an answer is an answer")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a time that is none does no harm`(time: Double) throws {
        var thread = MessageThread()
        thread.handle(.resync([try Self.message("p", "before", at: 0), try Self.message("n", "none", at: time)]))
        thread.handle(.sending("hello", id: try Self.id("a"), time: time))
        thread.handle(.failed(try Self.id("a"), reason: "offline", mayHaveArrived: true))
        thread.handle(.retry(try Self.id("a"), time: time))
        thread.handle(.sent(try Self.id("a"), reply: try Self.message("r", "hi", at: time, by: .assistant)))
        #expect(Self.shown(thread) == ["I: before @p", "I: hello ok", "it: hi @r"])
    }

    // MARK: The cap

    @Test func `of 501 the newest 500 are kept`() throws {
        var sent = MessageThread()
        for number in 0..<501 {
            sent.handle(.sending("\(number)", id: try Self.id("a\(number)"), time: Self.noon + Double(number)))
        }
        #expect(sent.entries.map(\.text) == (1...500).map(String.init))
        var listed = MessageThread()
        listed.handle(.resync(try (0..<501).map { try Self.message("m\($0)", "\($0)", at: Double($0)) }))
        #expect(listed.entries.map(\.text) == (1...500).map(String.init))
        var few = MessageThread(limit: -1)
        few.handle(.resync(try (0..<3).map { try Self.message("m\($0)", "\($0)", at: Double($0)) }))
        #expect(few.entries.map(\.text) == ["2"])
    }
}
