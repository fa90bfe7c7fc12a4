// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffTransport
import TestSupport
import Testing

/// The rules of design/streaming.md, section 1.2.
@Suite struct ServerSentEventMachineEndsTests {
    // MARK: Redirects

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect is followed, and a new connection begins at the first address again`(status: Int) {
        var run = MachineRun()
        run.take(.start)
        #expect(
            run.take(.head(status, nil, [.location: "/b"])) == ["close", "GET https://a.example/b"]
        )
        run.take(.stream, .bytes("data: a\n\n"), .ended)
        #expect(run.take(.timerFired) == [MachineRun.line])
    }

    @Test func `redirects that go on for ever are a failure`() {
        var run = MachineRun(policy: ServerSentEventStream.Policy(redirects: 2))
        run.take(.start)
        let next = ServerSentEventMachine.Input.head(302, nil, [.location: "/events"])
        run.take(next, next)
        #expect(run.take(next) == ["close", "failed eventStreamRefused"])
        var nowhere = MachineRun()
        nowhere.take(.start)
        #expect(nowhere.take(.head(302)) == ["close", "failed eventStreamRefused"])
    }

    @Test func `a body is not sent on where a redirect makes a GET of it`() {
        for (status, expected) in [
            (303, "GET https://a.example/b bare"), (302, "GET https://a.example/b bare"),
            (307, "POST https://a.example/b"),
        ] {
            var run = MachineRun(MachineRun.request(.post))
            run.take(.start)
            #expect(run.take(.head(status, nil, [.location: "/b"])) == ["close", expected])
        }
    }

    // MARK: Stopping and waiting

    @Test func `who stops gets nothing more`() {
        var idle = MachineRun()
        #expect(idle.take(.stop, .start) == ["stopped"])
        var connecting = MachineRun()
        #expect(connecting.take(.start, .stop, .stream) == [MachineRun.line, "close", "stopped"])
        var open = MachineRun()
        #expect(open.take(.start, .stream, .stop, .bytes("data: a\n\n")) == [MachineRun.line, "close", "stopped"])
        var waiting = MachineRun()
        #expect(
            waiting.take(.start, .stream, .ended, .stop, .timerFired)
                == [MachineRun.line, "timer 3.0 seconds", "cancel", "stopped"]
        )
    }

    @Test func `comments are signs of life, but no event`() {
        var run = MachineRun(policy: ServerSentEventStream.Policy(firstEvent: .seconds(20)))
        #expect(run.take(.start) == [MachineRun.line, "timer 20.0 seconds"])
        #expect(run.take(.stream, .bytes(": queued\n\n")) == ["comment queued"])
        #expect(run.take(.timerFired) == ["close", "timer 3.0 seconds"])
        run.take(.timerFired, .stream)
        #expect(run.take(.bytes("data: a\n\ndata: b\n\n")) == ["cancel", "event a", "event b"])
        // From then on there is no timer.
        #expect(run.take(.timerFired, .ended) == ["timer 3.0 seconds"])
    }

    @Test func `the wait for the first event ends with its connection`() {
        let policy = ServerSentEventStream.Policy(firstEvent: .seconds(20))
        var lost = MachineRun(policy: policy)
        #expect(lost.take(.start, .lost).suffix(2) == ["cancel", "timer 3.0 seconds"])
        var refused = MachineRun(policy: policy)
        #expect(refused.take(.start, .head(500)).suffix(3) == ["cancel", "close", "failed eventStreamRefused"])
        var early = MachineRun(policy: policy)
        #expect(early.take(.start, .timerFired).suffix(2) == ["close", "timer 3.0 seconds"])
    }

    // MARK: Cases

    @Test(arguments: try Fixture.cases("sse/http.jsonl"))
    func `a script of answers leads to what it says`(test: JSONValue) throws {
        var run = MachineRun()
        run.take(.start)
        for step in test["script"]?.array ?? [] {
            let status = Int(step["status"]?.integer ?? 0)
            run.take(.head(status, step["headers"]?["Content-Type"]?.text))
            for bytes in step["body"]?.chunks ?? [] { run.take(.received(bytes)) }
            run.take(step["end"] == "reset" ? .lost : .ended)
            if case .waiting = run.machine.state { run.take(.timerFired) }
        }
        let events = run.log.filter { $0.hasPrefix("event ") }.map { JSONValue.string(String($0.dropFirst(6))) }
        #expect(.array(events) == test["expect"]?["events"])
        #expect(JSONValue.integer(Int64(run.requests.count)) == test["expect"]?["requests"])
        if let ids = test["expect"]?["last_event_ids"] {
            let sent = run.requests.map { $0.headerFields[.lastEventID].map { JSONValue.string($0) } ?? .null }
            #expect(.array(sent) == ids)
        }
        #expect(run.log.last?.hasPrefix(test["expect"]?["state"]?.text ?? "no state") == true)
    }
}
