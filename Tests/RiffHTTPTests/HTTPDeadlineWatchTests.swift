// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffHTTP
import RiffTesting
import RiffTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct HTTPDeadlineWatchTests {
    private let clock = ManualClock(advancesItself: true)
    private let deadlines = HTTPDeadlines(connect: .seconds(10), idle: .seconds(3), total: .seconds(60))

    private func makeWatch(seesConnections: Bool, _ deadlines: HTTPDeadlines? = nil) -> HTTPDeadlineWatch {
        let request = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/")
        return HTTPDeadlineWatch(
            request,
            deadlines: deadlines ?? self.deadlines,
            seesConnections: seesConnections,
            clock: clock
        )
    }

    /// What passed, and after how many seconds.
    private func passed(_ watch: HTTPDeadlineWatch) async throws -> (TransportError.Code?, Int64) {
        let start = clock.now
        let error = await #expect(throws: TransportError.self) { try await watch.run() }
        return (error?.code, start.duration(to: clock.now).components.seconds)
    }

    @Test func `without a connection only the total deadline counts`() async throws {
        let (code, seconds) = try await passed(makeWatch(seesConnections: true))
        #expect(code == .httpNeverConnected)
        #expect(seconds == 60)
    }

    @Test func `where connections are not seen, silence counts once connecting must be over`() async throws {
        let (code, seconds) = try await passed(makeWatch(seesConnections: false))
        #expect(code == .timeout)
        #expect(seconds == 13)
    }

    @Test func `where connections are not seen, nobody can say that there was none`() async throws {
        let (code, seconds) = try await passed(makeWatch(seesConnections: false, .init(idle: nil, total: .seconds(5))))
        #expect(code == .timeout)
        #expect(seconds == 5)
    }

    @Test(arguments: [true, false])
    func `once connected, silence counts from the last byte`(seesConnections: Bool) async throws {
        let watch = makeWatch(seesConnections: seesConnections)
        watch.connected()
        let (code, seconds) = try await passed(watch)
        #expect(code == .timeout)
        #expect(seconds == 3)
    }

    @Test func `a caller who takes their time does not count`() async throws {
        let watch = makeWatch(seesConnections: true)
        watch.connected()
        watch.setWaitingForPeer(false)
        let (code, seconds) = try await passed(watch)
        #expect(code == .timeout)
        #expect(seconds == 60)
    }

    @Test func `without deadlines there is nothing to wait for`() async throws {
        try await makeWatch(seesConnections: true, .init(connect: nil, idle: nil, total: nil)).run()
    }
}
