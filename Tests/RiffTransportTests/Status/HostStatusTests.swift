// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import Testing

struct HostStatusMachineTests {
    enum Step: Sendable {
        case link(ConnectionState, String? = nil)
        case beat(HostBeat)
    }

    private static let ill = HostStatus.Cause(code: "data.homeMissing", message: "There is no home.")
    private static let silence = HostStatus.Cause(code: "transport.timeout", message: "No answer.")

    @Test(
        arguments: [
            ([], .connecting, nil),
            ([.link(.connecting)], .connecting, nil),
            ([.link(.connected)], .connected, nil),
            ([.link(.connected), .beat(.well(.zero))], .connected, nil),
            ([.link(.connected), .beat(.ill(ill, .zero))], .degraded, "data.homeMissing"),
            ([.link(.connected), .beat(.ill(ill, .zero)), .beat(.well(.zero))], .connected, nil),
            ([.link(.connected), .beat(.silent(silence))], .degraded, "transport.timeout"),
            ([.link(.connected), .beat(.silent(silence)), .beat(.silent(silence))], .error, "transport.timeout"),
            (
                [.link(.connected), .beat(.silent(silence)), .beat(.well(.zero)), .beat(.silent(silence))], .degraded,
                "transport.timeout"
            ),
            ([.link(.connected), .link(.reconnecting(attempt: 1, delay: nil), "lost")], .connecting, "transport.lost"),
            ([.link(.disconnected(.failed), "refused")], .error, "transport.refused"),
            ([.link(.disconnected(.deliberate))], .error, "transport.closed"),
            // What was true of an earlier connection does not count for the next.
            (
                [
                    .link(.connected), .beat(.silent(silence)), .beat(.silent(silence)), .link(.connecting),
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
        for step in [.beat(.silent(Self.silence)), .link(.disconnected(.failed), "x"), .beat(.ill(Self.ill, .zero))]
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
        @Test func `a host that is reached, and then has gone, is told with the reason`() async throws {
            try await SSHLab.with { lab in
                let host = try lab.host()
                let pulse = HostPulse(of: host, every: .milliseconds(100))
                let task = Task { try await pulse.run() }
                var wasConnected = false
                for await status in pulse.statuses.updates() {
                    if status.level == .connected, status.answerTime != nil, !wasConnected {
                        wasConnected = true
                        await lab.server.stop()
                    }
                    if wasConnected, status.cause != nil { break }
                }
                #expect(wasConnected)
                #expect(pulse.statuses.current.level != .connected)
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
        }
    }
}
