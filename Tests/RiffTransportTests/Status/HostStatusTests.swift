// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

struct HostStatusMachineTests {
    enum Step: Sendable {
        case link(ConnectionState, String? = nil)
        case beat(ProbeResult)
    }

    private static let ill = Problem(code: "data.homeMissing", message: "There is no home.")
    private static let silence = Problem(code: "transport.timeout", message: "No answer.")

    @Test(
        arguments: [
            ([], .connecting, nil),
            ([.link(.connecting)], .connecting, nil),
            ([.link(.connected)], .connected, nil),
            ([.link(.connected), .beat(.healthy(.zero))], .connected, nil),
            ([.link(.connected), .beat(.degraded(ill, .zero))], .degraded, "data.homeMissing"),
            ([.link(.connected), .beat(.degraded(ill, .zero)), .beat(.healthy(.zero))], .connected, nil),
            ([.link(.connected), .beat(.unanswered(silence))], .degraded, "transport.timeout"),
            (
                [.link(.connected), .beat(.unanswered(silence)), .beat(.unanswered(silence))], .error,
                "transport.timeout"
            ),
            (
                [.link(.connected), .beat(.unanswered(silence)), .beat(.healthy(.zero)), .beat(.unanswered(silence))],
                .degraded,
                "transport.timeout"
            ),
            ([.link(.connected), .link(.reconnecting(attempt: 1, delay: nil), "lost")], .connecting, "transport.lost"),
            ([.link(.disconnected(.failed), "refused")], .error, "transport.refused"),
            ([.link(.disconnected(.deliberate))], .error, "transport.closed"),
            // What was true of an earlier connection does not count for the next.
            (
                [
                    .link(.connected), .beat(.unanswered(silence)), .beat(.unanswered(silence)), .link(.connecting),
                    .link(.connected),
                ],
                .connected, nil
            ),
        ] as [([Step], HostStatus.Level, String?)]
    )
    func `the status follows the link and then the answers`(steps: [Step], level: HostStatus.Level, cause: String?) {
        var machine = HostStatusMachine(isLocal: false)
        for step in steps { Self.take(step, &machine) }
        #expect(machine.status.level == level)
        #expect(machine.status.cause?.code == cause)
    }

    @Test func `this machine is always connected`() {
        var machine = HostStatusMachine(isLocal: true)
        #expect(machine.status == .connected)
        for step in [
            .beat(.unanswered(Self.silence)), .link(.disconnected(.failed), "x"), .beat(.degraded(Self.ill, .zero)),
        ]
            as [Step]
        {
            Self.take(step, &machine)
            #expect(machine.status.level == .connected)
        }
    }

    private static func take(_ step: Step, _ machine: inout HostStatusMachine) {
        switch step {
        case .link(let state, let code):
            machine.link(state, problem: code.map { TransportError(.init(rawValue: $0), "why") })
        case .beat(let beat): machine.take(beat)
        }
    }
}

extension RealServers {
    @Suite struct HostPulseTests {
        @Test func `a host whose link was suspended or ended is not asked, and is again when it is back`() async throws
        {
            try await SSHLab.with { lab in
                let host = try lab.host()
                let clock = ManualClock()
                let asked = [EventualValue<Void>(), EventualValue<Void>()]
                let count = Mutex(0)
                let pulse = HostPulse(of: host, every: .seconds(15), clock: clock) {
                    _ = try await host.files.run("true")
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    if number <= 2 { asked[number - 1].resolve(()) }
                    return nil
                }
                let task = Task { try await pulse.run() }
                func rounds() async {
                    for _ in 0..<3 {
                        await clock.sleepers(1)
                        clock.advance(by: .seconds(15))
                    }
                    await clock.sleepers(1)
                }
                try await asked[0].cancellableValue()
                await host.link.background()
                await rounds()
                #expect(count.withLock(\.self) == 1)
                #expect(host.link.current.connection == .disconnected(.suspended))
                await host.link.foreground()
                try await host.link.connect()
                clock.advance(by: .seconds(15))
                try await asked[1].cancellableValue()
                await host.shutdown()
                await rounds()
                #expect(count.withLock(\.self) == 2)
                #expect(host.link.current.connection == .disconnected(.deliberate))
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
        }

        @Test func `a watch waits while its link is suspended, and ends with it`() async throws {
            try await SSHLab.with { lab in
                let host = try lab.host()
                let clock = ManualClock()
                let path = "/tmp/riff-watched-\(UInt32.random(in: 0 ... .max))"
                let local = LocalHostSession()
                let watch = try await host.files.watch([path], every: .seconds(2), clock: clock)
                func next() -> Task<[FileWatch.Change]?, any Error> {
                    Task {
                        var iterator = watch.makeAsyncIterator()
                        return try await iterator.next()
                    }
                }
                let changes = next()
                await clock.sleepers(1)
                await host.link.background()
                clock.advance(by: .seconds(2))
                try await local.write(Array("x".utf8), to: path, permissions: nil)
                #expect(host.link.current.connection == .disconnected(.suspended))
                await host.link.foreground()
                #expect(try await changes.value?.map(\.path) == [path])
                let more = next()
                await clock.sleepers(1)
                await host.shutdown()
                clock.advance(by: .seconds(2))
                let error = await #expect(throws: TransportError.self) { try await more.value }
                #expect(error?.code == .closed)
                #expect(host.link.current.connection == .disconnected(.deliberate))
                try await local.remove(path)
            }
        }

        @Test func `a host that is reached, and then has gone, is told with the reason`() async throws {
            try await SSHLab.with { lab in
                let host = try lab.host()
                let pulse = HostPulse(of: host, every: .milliseconds(100))
                let task = Task { try await pulse.run() }
                var wasConnected = false
                for await status in pulse.updates() {
                    if status.level == .connected, status.answerTime != nil, !wasConnected {
                        wasConnected = true
                        await lab.server.stop()
                    }
                    if wasConnected, status.cause != nil { break }
                }
                #expect(wasConnected)
                #expect(pulse.current.level != .connected)
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
        }
    }
}
