// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

extension RealServers {
    /// New sessions while others make some as well.
    @Suite(.enabled(if: ManagerLab.isPossible, "needs sshd and tmux")) struct SessionRaceTests {
        /// How many sessions each of two clients makes; 200 is the number to show before a release.
        static let count = ProcessInfo.processInfo.environment["RIFF_RACE_SESSIONS"].flatMap(Int.init) ?? 15

        @Test(.timeLimit(.minutes(Self.count > 50 ? 30 : 3)))
        func `two clients that make sessions at once get distinct ones, each its own`() async throws {
            try await ManagerLab.with { lab in
                var configuration = lab.configuration
                configuration.attach = .visible(prefetch: 0)
                configuration.softCap = 3 * Self.count
                let managers = [try await lab.manager(configuration), try await lab.manager(configuration)]
                for manager in managers { try await manager.wait { $0.isSetUp && $0.active.state?.isOpen == true } }
                let made = try await withThrowingTaskGroup(of: [String: String].self) { group in
                    for (client, manager) in managers.enumerated() {
                        group.addTask {
                            var made: [String: String] = [:]
                            for number in 0..<Self.count {
                                let mark = "mark-\(client)-\(number)"
                                let spec = NewSessionSpec(harness: .custom("exec sleep 1000 # \(mark)"))
                                made[try await manager.create(spec).rawValue] = mark
                            }
                            return made
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                let names = made.flatMap(\.keys)
                #expect(Set(names).count == 2 * Self.count && names.count == 2 * Self.count)
                #expect(Set(names) == Set((2..<(2 * Self.count + 2)).map { "riff-\($0)" }))
                // Each name is the session that its client made: what runs in it says so.
                let running = try await lab.sessions("#{pane_start_command}")
                for (name, mark) in made.flatMap(\.self) {
                    #expect(running[name]?.contains("# \(mark)") == true, "\(name) is \(running[name] ?? "gone")")
                }
                // Each has terminals on its own alone.
                for (client, manager) in managers.enumerated() {
                    try await manager.waitUntilOpen()
                    #expect(manager.current.pages.allSatisfy { $0.name == .base || owns($0.name, client, made) })
                }
            }
        }

        private func owns(_ name: SessionName, _ client: Int, _ made: [[String: String]]) -> Bool {
            made.contains { $0[name.rawValue]?.hasPrefix("mark-\(client)-") == true }
        }

        @Test func `fifty times somebody else is faster, and no foreign session is attached to`() async throws {
            try await ManagerLab.with { lab in
                var configuration = lab.configuration
                configuration.attach = .visible(prefetch: 0)
                configuration.softCap = 1000
                let host = RacedHost(
                    TmuxSessionHost(
                        sessionsLink(of: try lab.lab.host()),
                        configuration: configuration,
                        clock: ContinuousClock()
                    )
                ) { name in
                    try await lab.tmux("new-session", "-d", "-s", name.rawValue, "exec sleep 1000")
                }
                let manager = SessionManager(
                    host,
                    size: .standard,
                    configuration: configuration,
                    clock: ContinuousClock()
                )
                await manager.start()
                try await manager.wait { $0.isSetUp && $0.active.state?.isOpen == true }
                var names: [SessionName] = []
                for _ in 0..<50 { names.append(try await manager.create(ManagerLab.echo)) }
                try await manager.wait { $0.active.name == names.last && $0.active.state?.isOpen == true }
                let foreign = host.taken.withLock { $0 }
                #expect(foreign.count == 50)
                #expect(Set(names).count == 50 && Set(names).isDisjoint(with: foreign))
                #expect(Set(host.terminals.withLock { $0 }).isDisjoint(with: foreign))
                #expect(manager.current.pages.map(\.name) == [.base] + names)
                let attached = try await lab.sessions("#{session_last_attached}")
                #expect(foreign.allSatisfy { attached[$0.rawValue]?.isEmpty == true })
                await manager.shutdown()
            }
        }
    }
}

/// A real host on which somebody else takes each name between the look at the server and the making, once.
private final class RacedHost: SessionHosting {
    let taken = Mutex<[SessionName]>([])
    let terminals = Mutex<[SessionName]>([])
    private let inner: any SessionHosting
    private let take: @Sendable (SessionName) async throws -> Void
    private let mayTake = Mutex(true)

    init(_ inner: any SessionHosting, take: @escaping @Sendable (SessionName) async throws -> Void) {
        self.inner = inner
        self.take = take
    }

    func sessions() async throws -> [LiveSession] {
        mayTake.withLock { $0 = true }
        return try await inner.sessions()
    }

    func make(_ name: SessionName, _ spec: NewSessionSpec?, size: TerminalSize) async throws -> SessionCreationResult {
        let takes = mayTake.withLock { mayTake in
            defer { mayTake = false }
            return mayTake
        }
        if takes {
            try await take(name)
            taken.withLock { $0.append(name) }
        }
        let making = try await inner.make(name, spec, size: size)
        #expect(making == (takes ? .nameTaken : .made))
        return making
    }

    func terminal(on name: SessionName, size: TerminalSize) throws -> TerminalSession {
        terminals.withLock { $0.append(name) }
        return try inner.terminal(on: name, size: size)
    }

    func end(_ name: SessionName) async throws { try await inner.end(name) }
    func tidy(after name: SessionName) async { await inner.tidy(after: name) }
    var name: String { inner.name }
    var connection: ConnectionState { inner.connection }
    func updates() -> AsyncStream<HostLinkState> { inner.updates() }
    func foreground() async { await inner.foreground() }
}
