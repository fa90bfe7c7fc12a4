// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing
import VoiceTestSupport

@Suite(.timeLimit(.minutes(5)))
struct SvenInboxTests {
    static func message(_ id: String, _ time: String) -> SvenMessage {
        SvenMessage(id: id, role: .assistant, content: id, createdAt: time)
    }

    private static func seconds(_ second: Int) -> String { "2026-11-21 03:10:\(second)" }

    @Test func `a second message of the same second is neither lost nor doubled`() {
        var inbox = SvenReplies.Inbox()
        #expect(inbox.since == nil)
        let (a, b) = (Self.message("a", Self.seconds(32)), Self.message("b", Self.seconds(32)))
        let c = Self.message("c", Self.seconds(33))
        #expect(inbox.take([a]) == [a])
        #expect(inbox.since == Self.seconds(31))
        #expect(inbox.take([a]) == [])
        #expect(inbox.take([a, b]) == [b])
        #expect(inbox.take([a, b, c]) == [c])
        #expect(inbox.since == Self.seconds(32))
        #expect(inbox.seen == ["c"])
        // A server that does not look at the time gives everything again.
        #expect(inbox.take([a, b, c]) == [])
    }

    @Test func `an answer in another order, with a message twice, gives each once`() {
        var inbox = SvenReplies.Inbox()
        let (a, b) = (Self.message("a", Self.seconds(32)), Self.message("b", Self.seconds(33)))
        #expect(inbox.take([b, a, b]) == [b, a])
        #expect(inbox.newest == Self.seconds(33))
        #expect(inbox.take([a, b]) == [])
    }

    @Test func `an inbox goes on where another one ended`() {
        var inbox = SvenReplies.Inbox(newest: Self.seconds(32), seen: ["a"])
        let b = Self.message("b", Self.seconds(32))
        #expect(inbox.take([Self.message("a", Self.seconds(32)), b]) == [b])
    }

    @Test func `what is kept is bounded`() {
        var inbox = SvenReplies.Inbox()
        _ = inbox.take((0..<10_000).map { Self.message("\($0)", Self.seconds(32)) })
        #expect(inbox.seen.count == 4096)
        for second in 33..<60 { _ = inbox.take([Self.message("s\(second)", Self.seconds(second))]) }
        #expect(inbox.seen == ["s59"])
    }

    @Test(arguments: [
        ("2026-11-21 03:10:32", "2026-11-21 03:10:31"), ("2026-11-21 03:10:00", "2026-11-21 03:09:59"),
        ("2026-11-21 00:00:00", "2026-11-20 23:59:59"), ("2026-03-01 00:00:00", "2026-02-28 23:59:59"),
        ("2028-03-01 00:00:00", "2028-02-29 23:59:59"), ("2100-03-01 00:00:00", "2100-02-28 23:59:59"),
        ("2000-03-01 00:00:00", "2000-02-29 23:59:59"), ("2027-01-01 00:00:00", "2026-12-31 23:59:59"),
        ("1970-01-01 00:00:00", "1969-12-31 23:59:59"), ("0001-01-01 00:00:00", "0001-01-01 00:00:00"),
        // Other formats go back as they came.
        ("2026-11-21T03:10:32Z", "2026-11-21T03:10:32Z"), ("2026-02-30 00:00:00", "2026-02-30 00:00:00"),
        ("2026-11-21 24:00:00", "2026-11-21 24:00:00"), ("2026-13-01 00:00:00", "2026-13-01 00:00:00"),
        ("2026-11-21 03:10:32.5", "2026-11-21 03:10:32.5"), ("", ""), ("now", "now"),
        ("9999-99-99 99:99:99", "9999-99-99 99:99:99"), ("0000-00-00 00:00:00", "0000-00-00 00:00:00"),
    ])
    func `it asks from one second earlier on`(time: String, earlier: String) {
        #expect(SvenReplies.Inbox(newest: time).since == earlier)
    }

    @Test(arguments: [
        (0.0, "1970-01-01 00:00:00"), (951_782_400, "2000-02-29 00:00:00"), (1_795_229_428.99, "2026-11-21 02:50:28"),
        (-0.5, "1969-12-31 23:59:59"), (.infinity, "9999-12-31 23:59:59"), (-.infinity, "0001-01-01 00:00:00"),
        (.nan, "1970-01-01 00:00:00"),
    ])
    func `a time is written as the public server writes it`(seconds: Double, text: String) {
        #expect(SvenTime(secondsSince1970: seconds).text == text)
        #expect(SvenTime(text)?.text == text)
    }

    @Test func `a query says what it was made of`() {
        let query = SvenQuery([("since", "2026-11-21 03:10:32"), ("no", nil), ("token", "a+b&c=d%é")])
        #expect(query.text == "?since=2026-11-21%2003%3A10%3A32&token=a%2Bb%26c%3Dd%25%C3%A9")
        let read = SvenQuery(parsing: String(query.text.dropFirst()))
        #expect(read["since"] == "2026-11-21 03:10:32")
        #expect(read["token"] == "a+b&c=d%é")
        #expect(read["no"] == nil)
        let odd = SvenQuery(parsing: "a=1+2&&b&=x&c=%zz%4&a=%2b&d=%C3%28")
        #expect(odd["a"] == "+")
        #expect(odd["b"] == "")
        #expect(odd["c"] == "%zz%4")
        #expect(odd["d"] == "\u{FFFD}(")
        #expect(SvenQuery([]).text == "")
        #expect(SvenQuery(parsing: nil)["a"] == nil)
    }

    // MARK: The loop

    private static func answer(_ messages: [SvenMessage]) -> ScriptedHTTPTransport.Reply {
        .json(JSONValue.object(["messages": messages.json]).description)
    }

    @Test func `messages come as they are there, with a pause between the questions`() async throws {
        let clock = ManualClock(advancesItself: true)
        let (a, b) = (Self.message("a", Self.seconds(32)), Self.message("b", Self.seconds(32)))
        let http = ScriptedHTTPTransport([Self.answer([]), Self.answer([a]), Self.answer([a]), Self.answer([a, b])])
        var messages = SvenReplies(try SvenFixtures.client(http), clock: clock).makeAsyncIterator()
        #expect(try await messages.next() == a)
        #expect(try await messages.next() == b)
        #expect(clock.waits == Array(repeating: .seconds(2), count: 3))
        let queries = http.requests.map { $0.head.path?.split(separator: "?").last.map(String.init) }
        let asked = queries.map { SvenQuery(parsing: $0)["since"] }
        #expect(asked == [nil, nil, Self.seconds(31), Self.seconds(31)])
        #expect(messages.inbox.seen == ["a", "b"])
    }

    @Test func `a reader that failed may go on, more slowly each time, and loses nothing`() async throws {
        let clock = ManualClock(advancesItself: true)
        let a = Self.message("a", Self.seconds(32))
        let busy = ScriptedHTTPTransport.Reply.json("", status: .badGateway)
        let http = ScriptedHTTPTransport(Array(repeating: busy, count: 8) + [Self.answer([a]), Self.answer([])])
        var messages = SvenReplies(try SvenFixtures.client(http), clock: clock).makeAsyncIterator()
        var failures = 0
        var got: SvenMessage?
        while got == nil {
            do { got = try await messages.next() } catch is VoiceError { failures += 1 }
        }
        #expect(failures == 8)
        #expect(clock.waits == [2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
    }

    @Test func `a reader that waits ends when it is cancelled`() async throws {
        let clock = ManualClock()
        let http = ScriptedHTTPTransport([Self.answer([])])
        let client = try SvenFixtures.client(http)
        let task = Task {
            for try await _ in SvenReplies(client, clock: clock) {}
        }
        await clock.sleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    // MARK: The window

    @Test func `a window takes so many, refuses more, and does not count those`() {
        var window = SlidingWindow(limit: 2, length: .seconds(60))
        #expect(window.isEmpty(at: .zero))
        let first = [0, 10, 20].map { window.take(at: .seconds($0)) }
        #expect(first == [true, true, false])
        #expect(window.delay(at: .seconds(20)) == .seconds(40))
        let later = [59_999, 60_000, 60_000, 70_000].map { window.take(at: .milliseconds($0)) }
        #expect(later == [false, true, false, true])
        #expect(!window.isEmpty(at: .seconds(129)))
        #expect(window.isEmpty(at: .seconds(130)))
    }
}
