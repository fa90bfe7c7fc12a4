// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport

/// Eight sessions of one host over a bad network, in rounds: people work in all of them while something breaks; then it
/// is quiet, and everything must be as it should be.
struct Soak {
    static let sessionCount = 8
    /// One for each of MaxSessions channels, with three besides the sessions': commands, tmux's control client, files.
    static let mostConnections = (sessionCount + 3 + SoakSite.maxSessions - 1) / SoakSite.maxSessions
    private static let size = TerminalSize(columns: 80, rows: 24)

    let site: SoakSite
    let host: SSHHost
    let manager: SessionManager
    let follower = Follower()
    let start = ContinuousClock.now
    var generator: SeededGenerator
    var checks: Checks
    var sessions: [RecordedSession]
    /// Sessions that were told to end, or to be made, while the network was bad: they are there now, or not.
    var doubtful: [RecordedSession] = []
    var nextID = 1
    var windowSize = Self.size
    var memory = Slope()
    var totals = Totals()

    struct Totals {
        var rounds = 0
        var losses = 0
        var arrived = 0
        var lost = 0
        var uncertain = 0
        var faults: [String: Int] = [:]
    }

    private let folder: String

    init(_ name: String, _ site: SoakSite, seed: UInt64, checks: Checks) throws {
        self.site = site
        folder = "\(site.folder)/\(name)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        self.checks = checks
        generator = SeededGenerator(seed: seed)
        host = try site.host()
        let base = RecordedSession(0, in: folder, named: .base)
        sessions = [base]
        manager = SessionManager(
            host,
            size: Self.size,
            configuration: SessionsConfiguration(server: site.tmux, base: base.spec)
        )
    }

    /// Runs rounds until the time is over or something does not hold; then ends everything of it.
    mutating func run(for limit: Duration) async {
        let following = Task { [follower, manager] in await follower.follow(manager) }
        await manager.start()
        do {
            try await sessions[0].waitUntilUp()
            var told = start
            while ContinuousClock.now - start < limit, checks.isPassed, !Task.isCancelled {
                try await round()
                if let resident = try Measures.residentKiB() {
                    memory.add(resident / 1024, at: (ContinuousClock.now - start) / .seconds(1))
                }
                guard ContinuousClock.now - told > .seconds(30) else { continue }
                told = ContinuousClock.now
                say("\((told - start) / .seconds(1)) s: \(totals)")
            }
        } catch {
            checks.fail("every round came to its end", "round \(totals.rounds): \(error); pages: \(pages); \(problems)")
        }
        await manager.shutdown()
        await following.value
        await host.shutdown()
    }

    private mutating func round() async throws {
        totals.rounds += 1
        while sessions.count < Self.sessionCount { try await makeSession() }
        for session in sessions { try await session.waitUntilUp() }
        let fault = Fault.random(&generator)
        totals.faults[fault.rawValue, default: 0] += 1
        let before = follower.losses
        try await work(with: fault)
        try await settle()
        try await compare(since: before, after: fault)
        try await look()
    }

    // MARK: Sessions

    private mutating func makeSession() async throws {
        let session = newSession()
        await session.made(as: try await manager.create(session.spec))
        sessions.append(session)
    }

    mutating func newSession() -> RecordedSession {
        defer { nextID += 1 }
        return RecordedSession(nextID, in: folder)
    }

    private var problems: String {
        let snapshot = manager.current
        let errors = [snapshot.problem] + snapshot.pages.map(\.problem)
        return "\(host.current.connection), \(errors.compactMap { $0?.message }.joined(separator: " "))"
    }

    var pages: String {
        manager.current.pages.map { page in
            switch page.state {
            case .open: "\(page.name)"
            case .ended: "\(page.name)!"
            case .opening, .reconnecting: "\(page.name)?"
            case nil: "\(page.name)-"
            }
        }.joined(separator: " ")
    }
}
