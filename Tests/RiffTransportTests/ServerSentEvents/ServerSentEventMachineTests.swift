// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffTransport
import Testing

/// The rules of design/streaming.md, section 1.2.
@Suite struct ServerSentEventMachineTests {
    // MARK: What is sent

    @Test func `the fields of an event stream are sent, and the caller's own`() {
        var request = MachineRun.request(.post)
        request.headerFields[.authorization] = "Bearer x"
        request.headerFields[.accept] = "text/plain"
        var run = MachineRun(request)
        #expect(run.take(.start) == ["POST https://a.example/events"])
        let fields = run.requests[0].headerFields
        #expect(fields[.accept] == "text/event-stream")
        #expect(fields[.cacheControl] == "no-store")
        #expect(fields[.authorization] == "Bearer x")
        #expect(fields[.lastEventID] == nil)
    }

    @Test(arguments: ["5", "\u{20AC}-\u{1F600}", "0"])
    func `the last event ID is sent in UTF-8, and only where there is one`(id: String) throws {
        var run = MachineRun()
        run.take(.start, .stream, .bytes("id: \(id)\ndata: a\n\n"), .ended, .timerFired)
        let field = try #require(run.requests[1].headerFields[fields: .lastEventID].first)
        #expect(field.withUnsafeBytesOfValue { Array($0) } == Array(id.utf8))
        run.take(.stream, .bytes("id\n\n"), .ended, .timerFired)
        #expect(run.requests[2].headerFields[.lastEventID] == nil)
        var later = MachineRun(lastEventID: id)
        later.take(.start)
        #expect(later.requests[0].headerFields[.lastEventID] == id)
    }

    @Test func `an ID whose block had no end does not count`() {
        var run = MachineRun()
        run.take(.start, .stream, .bytes("id: 1\ndata: a\n\nid: 2\ndata: b\n"), .lost, .timerFired)
        #expect(run.requests[1].headerFields[.lastEventID] == "1")
        #expect(run.log == [MachineRun.line, "event a", "timer 3.0 seconds", MachineRun.line])
    }

    @Test func `a connection after another one begins anew, byte order mark and all`() {
        var run = MachineRun()
        run.take(.start, .stream, .bytes("data: a\r\n\r"), .ended, .timerFired, .stream)
        #expect(run.take(.bytes("\u{FEFF}data: b\n\n")) == ["event b"])
    }

    // MARK: What answers mean

    @Test(
        arguments: [
            (200, "text/event-stream", nil), (200, "Text/Event-Stream; charset=latin1", nil),
            (200, " text/event-stream ;x", nil), (204, nil, ["close", "closed"]),
            (200, "text/event-streamx", ["close", "failed eventStreamRefused"]),
            (200, "text/html", ["close", "failed eventStreamRefused"]),
            (200, nil, ["close", "failed eventStreamRefused"]),
            (500, "text/plain", ["close", "failed eventStreamRefused"]),
            (503, "text/event-stream", ["close", "failed eventStreamRefused"]),
            (401, nil, ["close", "failed eventStreamRefused"]), (304, nil, ["close", "failed eventStreamRefused"]),
            (206, "text/event-stream", ["close", "failed eventStreamRefused"]),
        ] as [(Int, String?, [String]?)]
    )
    func `an answer is a stream, the end, or a failure`(status: Int, type: String?, expected: [String]?) {
        var run = MachineRun()
        run.take(.start)
        #expect(run.take(.head(status, type)) == expected ?? [])
        // Nothing follows an end.
        #expect(run.take(.timerFired, .ended, .start) == (expected == nil ? ["timer 3.0 seconds"] : []))
    }

    @Test func `statuses are retried where the policy says so`() {
        var run = MachineRun(
            policy: ServerSentEventStream.Policy(retriedStatuses: ServerSentEventStream.Policy.passingStatuses)
        )
        run.take(.start)
        #expect(run.take(.head(503)) == ["close", "timer 3.0 seconds"])
        run.take(.timerFired)
        #expect(run.take(.head(429, nil, [.retryAfter: "30"])) == ["close", "timer 30.0 seconds"])
        run.take(.timerFired)
        #expect(run.take(.head(404)) == ["close", "failed eventStreamRefused"])
    }

    // MARK: Coming back

    @Test func `the end of a body and a lost connection are waited for, then asked again`() {
        var run = MachineRun()
        run.take(.start, .stream, .bytes("data: a\n\n"), .ended, .timerFired)
        run.take(.stream, .bytes("data: b\n\n"), .lost, .timerFired)
        #expect(
            run.log == [
                MachineRun.line, "event a", "timer 3.0 seconds", MachineRun.line, "event b", "timer 3.0 seconds",
                MachineRun.line,
            ]
        )
    }

    @Test func `the stream says how long to wait, also without an event`() {
        var run = MachineRun()
        run.take(.start, .stream)
        #expect(run.take(.bytes("retry: 250\n"), .ended) == ["timer 0.25 seconds"])
        run.take(.timerFired, .stream)
        // It stays for later connections. A wait without an end is not kept to.
        #expect(run.take(.bytes("data: a\n\n"), .ended) == ["event a", "timer 0.25 seconds"])
        run.take(.timerFired, .stream)
        #expect(
            run.take(.bytes("data: a\n\nretry: 99999999999999999999\n"), .ended)
                == ["event a", "timer 3600.0 seconds"]
        )
    }

    @Test func `repeated attempts wait longer, until an event comes`() {
        var run = MachineRun()
        run.take(.start, .stream, .bytes("data: a\n\n"), .ended)
        for _ in 0..<7 { run.take(.timerFired, .stream, .bytes(": ping\n"), .ended) }
        let waits = run.log.filter { $0.hasPrefix("timer") }
        #expect(waits == [3, 3, 4, 8, 15, 15, 15, 15].map { "timer \(Duration.seconds($0))" })
        #expect(run.take(.timerFired, .stream, .bytes("data: b\n\n"), .ended).last == "timer 3.0 seconds")
    }

    @Test func `chance makes repeated waits longer, never shorter`() {
        var run = MachineRun()
        run.generator = FixedGenerator(number: .max)
        run.take(.start, .stream, .bytes("data: a\n\nretry: 8000\n"), .ended)
        #expect(run.log.last == "timer 8.0 seconds")
        run.take(.timerFired, .stream, .ended)
        guard case .waiting(attempt: 2, let wait) = run.machine.state else {
            Issue.record("It does not wait.")
            return
        }
        #expect(wait > .seconds(11.9) && wait < .seconds(12.1))
    }

    @Test(arguments: [
        (TransportError.Code.httpNeverConnected, ["failed httpNeverConnected"]),
        (.tlsFailed, ["failed tlsFailed"]), (.httpInvalidRequest, ["failed httpInvalidRequest"]),
        (.connectionLost, ["timer 3.0 seconds"]), (.timeout, ["timer 3.0 seconds"]),
    ])
    func `a first dial that failed is told at once`(code: TransportError.Code, expected: [String]) {
        var run = MachineRun()
        run.take(.start)
        #expect(run.take(.failed(TransportError(code, "Failed."))) == expected)
    }

    @Test func `dials that failed are repeated where the policy says so, and always once there was a stream`() {
        let unreachable = ServerSentEventMachine.Input.failed(TransportError(.httpNeverConnected, "Refused."))
        let twice = ReconnectPolicy(delays: [.seconds(1)], firstDialAttempts: 2)
        var run = MachineRun(policy: ServerSentEventStream.Policy(reconnect: twice))
        #expect(run.take(.start, unreachable) == [MachineRun.line, "timer 3.0 seconds"])
        #expect(run.take(.timerFired, unreachable) == [MachineRun.line, "failed httpNeverConnected"])
        var later = MachineRun()
        later.take(.start, .stream, .bytes("data: a\n\n"), .ended)
        for _ in 0..<5 { #expect(later.take(.timerFired, unreachable).last?.hasPrefix("timer") == true) }
    }

    @Test func `an event that is too large is a failure, after those before it`() {
        var run = MachineRun(limits: .init(lineBytes: 20, eventBytes: 20))
        run.take(.start, .stream)
        #expect(
            run.take(.bytes("id: 1\ndata: a\n\ndata: 3456789012345678901"))
                == ["event a", "close", "failed eventTooLarge"]
        )
        #expect(run.machine.lastEventID == "1")
    }
}
