// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport

extension Soak {
    private static let patience = Duration.seconds(90)

    /// Waits until every session of the server has its page, and every page its terminal.
    mutating func settle() async throws {
        let (manager, site) = (manager, site)
        try await poll("all pages to be open (\(pages))", Self.patience) {
            let snapshot = manager.current
            guard snapshot.pages.allSatisfy({ $0.state?.isOpen == true }) else { return false }
            let there = try await site.ask(["list-sessions", "-F", "#{session_name}"])
            return Set(snapshot.pages.map(\.name.rawValue)) == Set(there)
        }
        let panes = try await site.table("list-panes", "#{session_name} #{pane_pid} #{pane_start_command}")
        func name(of session: RecordedSession) -> SessionName? {
            let mark = "/input-\(session.id).up;"
            let place = panes.first { $0.value.contains { $0.contains(mark) } }
            return place.flatMap { try? SessionName($0.key) }
        }
        for session in doubtful {
            let isKnown = sessions.contains { $0.id == session.id }
            switch (name(of: session), isKnown) {
            case (let name?, false):
                await session.made(as: name)
                try await session.waitUntilUp()
                sessions.append(session)
            case (nil, true):
                sessions.removeAll { $0.id == session.id }
                try await end(session)
            case (_?, true): await session.use(true)
            case (nil, false): break
            }
        }
        doubtful = []
        for session in sessions {
            let (name, process) = (await session.name?.rawValue ?? "?", await session.process ?? "?")
            let pane = panes[name]?.first?.split(separator: " ").first.map(String.init)
            checks.note(
                "every session is on its own pane",
                pane == process,
                "\(name): \(pane ?? "none"), not \(process)"
            )
        }
        let names = Set(manager.current.pages.map(\.name.rawValue))
        checks.note("no other session is there", names.count == sessions.count, "\(names), \(sessions.count) sessions")
    }

    /// What an ended session got is a beginning of what it was given.
    private mutating func end(_ session: RecordedSession) async throws {
        let losses = await session.name.flatMap { follower.losses[$0] } ?? 0
        try await add(session.compare(after: nil, losses: losses))
    }

    /// Says something in every session, and compares what its program got since the last time.
    mutating func compare(since before: [SessionName: Int], after fault: Fault) async throws {
        for session in sessions {
            guard let name = await session.name else { continue }
            let last = Input(.keys(Array("[quiet \(totals.rounds) \(session.id)]".utf8)))
            await manager.activate(name)
            try await manager.write(Array("[quiet \(totals.rounds) \(session.id)]".utf8))
            await session.note(last, .taken)
            let losses = (follower.losses[name] ?? 0) - (before[name] ?? 0)
            totals.losses += losses
            try await add(session.compare(after: last, losses: losses))
            if !fault.loses {
                checks.note(
                    "no connection is lost on a network that only stands still",
                    losses == 0,
                    "\(fault), \(name)"
                )
            }
        }
    }

    private mutating func add(_ outcome: InputRecord.Outcome) {
        checks.note("no input byte is lost, added or doubled", true)
        totals.arrived += outcome.arrived
        totals.lost += outcome.lost
        totals.uncertain += outcome.uncertain
    }

    /// Looks at what else must be as it should be.
    mutating func look() async throws {
        let (host, site, expected) = (host, site, sessions.count + 1)
        let connections = host.current.connectionCount
        checks.note("as few connections as the server allows", connections <= Self.mostConnections, "\(connections)")
        do {
            try await poll("\(expected) channels", .seconds(30)) { await host.openChannelCount == expected }
            checks.note("a channel for each session and one for the watcher", true)
        } catch {
            let count = await host.openChannelCount
            checks.fail("a channel for each session and one for the watcher", "\(count), not \(expected)")
        }
        // Those whose connection was cut are gone a moment later, also a watching one, and the new watcher comes last.
        var looks = 0
        try await poll("\(expected) clients of tmux to stay, one of them the watcher", .seconds(60)) {
            let clients = try await site.ask(["list-clients", "-F", "#{client_control_mode}"])
            looks = clients.count == expected && clients.count { $0 == "1" } == 1 ? looks + 1 : 0
            return looks == 50
        }
        let clients = try await site.table("list-clients", "#{client_session} #{client_control_mode}")
        let viewers = clients.mapValues { $0.count { $0 == "0" } }
        var names: [String] = []
        for session in sessions { names.append(await session.name?.rawValue ?? "?") }
        checks.note(
            "one client on each session",
            viewers.filter { $0.value > 0 } == Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }),
            "\(viewers)"
        )
        var buffers: [String] = []
        do {
            try await poll("texts of pastes to be gone", .seconds(20)) {
                buffers = try await site.ask(["list-buffers", "-F", "#{buffer_name} #{buffer_size}"])
                return buffers.isEmpty
            }
            checks.note("no text of a paste is left on the server", true)
        } catch is Failure {
            checks.fail("no text of a paste is left on the server", "\(buffers)")
        }
        checks.note("one watching client", clients.values.flatMap(\.self).count { $0 == "1" } == 1, "\(clients)")
        let sizes = try await site.table("list-sessions", "#{session_name} #{window_width}x#{window_height}")
        let size = "\(windowSize.columns)x\(windowSize.rows - Self.statusRows)"
        checks.note(
            "every session has the last size",
            Set(sizes.values.flatMap(\.self)) == [size],
            "\(sizes), not \(size)"
        )
    }

    /// tmux's status line is off.
    private static let statusRows = 0
}
