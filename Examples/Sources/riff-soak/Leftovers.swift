// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport

/// What there is of a run that may be left behind.
struct Leftovers: Sendable {
    private let descriptors: [String: String]
    private let connections: Int
    private let channels: Int
    private let sockets: Int
    private let clients: [String]
    private let buffers: [String]

    /// What there is now.
    init(_ site: SoakSite, _ host: SSHHost) async throws {
        connections = host.current.connectionCount
        channels = await host.openChannelCount
        sockets = site.proxy.counters.openConnections
        clients = try await site.ask(["list-clients", "-F", "#{client_session}"])
        buffers = try await site.ask(["list-buffers", "-F", "#{buffer_name} #{buffer_size}"])
        descriptors = try Measures.descriptors()
    }

    private var isNothing: Bool { connections + channels + sockets + clients.count == 0 }

    /// Compares what a run has left with what there was before it, and tells its figures.
    static func compare(_ soak: consuming Soak, with before: Leftovers, on site: SoakSite) async throws -> Checks {
        var checks = soak.checks
        let (host, sessions) = (soak.host, soak.sessions)
        var after = try await Leftovers(site, host)
        for session in sessions {
            let count = try await session.uncompared()
            checks.note("nothing arrives afterwards", count == 0, "\(count) bytes in session \(session.id)")
        }
        checks.note("no text of a paste is left on the server", after.buffers.isEmpty, "\(after.buffers)")
        try await endSessions(of: site)
        let start = ContinuousClock.now
        // The ends of sockets and processes are told a moment later.
        while !after.isNothing || after.descriptors.count > before.descriptors.count {
            guard ContinuousClock.now - start < .seconds(20) else { break }
            try await Task.sleep(for: .milliseconds(100))
            after = try await Leftovers(site, host)
        }
        checks.note("no connection, channel, socket or client is left", after.isNothing, "\(after)")
        let more = Set(after.descriptors.values).subtracting(before.descriptors.values)
        checks.note(
            "as many descriptors as before",
            after.descriptors.count == before.descriptors.count,
            "\(after.descriptors.count), not \(before.descriptors.count); new: \(more.sorted())"
        )
        tell(soak, &checks)
        return checks
    }

    /// Ends the tmux server with all that runs in it.
    static func endSessions(of site: SoakSite) async throws {
        _ = try await site.ask(["kill-server"])
        try await poll("the tmux server to end", .seconds(20)) {
            try await site.ask(["list-sessions"]).isEmpty
        }
    }

    private static func tell(_ soak: borrowing Soak, _ checks: inout Checks) {
        let totals = soak.totals
        let faults = totals.faults.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        checks.tell("rounds", "\(totals.rounds) (\(faults))")
        checks.tell("connections lost under a session", "\(totals.losses)")
        checks.tell(
            "inputs",
            "\(totals.arrived) arrived, \(totals.lost) were on their way at a loss, \(totals.uncertain) of unknown fate arrived"
        )
        guard let first = soak.memory.first, let last = soak.memory.last else { return }
        checks.tell("resident memory", "\(mebibytes(first)) after the first round, \(mebibytes(last)) after the last")
        let settled = soak.memory.from(300)
        if settled.count >= 20, let growth = settled.inTenMinutes {
            let name = "memory grows by 1 MiB in ten minutes at most, from minute 5 on"
            checks.note(name, growth <= 1, mebibytes(growth))
            checks.tell(name, mebibytes(growth))
        } else if let growth = soak.memory.inTenMinutes {
            checks.tell("memory growth in ten minutes, of a run too short to judge", mebibytes(growth))
        }
    }

    private static func mebibytes(_ value: Double) -> String { "\((value * 100).rounded() / 100) MiB" }
}
