// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// The manager on a scripted host.
@Suite(.timeLimit(.minutes(5)))
struct SessionManagerTests {
    private static func name(_ number: Int) throws -> SessionName { try SessionName("riff-\(number)") }

    private static func with(
        _ names: String = "riff riff-2 riff-3",
        on host: String = "me@box:22",
        configuration: SessionsConfiguration = SessionsConfiguration(),
        settings: (any KeyValueStore)? = nil,
        watcher: (any TmuxWatching)? = nil,
        clock: ManualClock = ManualClock(),
        prepare: (ScriptedSessionHost) -> Void = { _ in },
        _ body: (SessionManager, ScriptedSessionHost) async throws -> Void
    ) async throws {
        let host = try ScriptedSessionHost(names, name: host)
        prepare(host)
        let manager = SessionManager(
            host,
            size: .standard,
            configuration: configuration,
            settings: settings.map { RiffSettings($0) },
            watcher: watcher,
            clock: clock
        )
        await manager.start()
        let result: Result<Void, any Error>
        do { result = .success(try await body(manager, host)) } catch { result = .failure(error) }
        await manager.shutdown()
        try result.get()
    }

    // MARK: Setting up

    @Test func `the base page is up at once, the others follow`() async throws {
        try await Self.with { manager, host in
            try await manager.wait(for: "[riff] riff-2 riff-3")
            #expect(host.calls.prefix(2) == [.terminal(.base), .list])
            #expect(host.count(of: .list) == 1)
            #expect(manager.current.isSetUp && manager.current.problem == nil)
        }
    }

    @Test func `a list that fails is asked for after 1 and 2 seconds, and the base page does not wait`() async throws {
        let clock = ManualClock(advancesItself: true)
        let host = try ScriptedSessionHost("riff riff-2 riff-3")
        host.failLists(2)
        let gate = host.shut()
        let manager = SessionManager(host, size: .standard, clock: clock)
        await manager.start()
        try await manager.wait(for: "[riff]")
        #expect(!manager.current.isSetUp)
        gate.resolve(())
        try await manager.wait(for: "[riff] riff-2 riff-3")
        #expect(manager.current.problem == nil)
        #expect(host.count(of: .list) == 3)
        #expect(clock.waits.filter { $0 >= .seconds(1) } == [.seconds(1), .seconds(2)])
        await manager.shutdown()
    }

    @Test func `a host that cannot be asked leaves the base page, and heals when the connection comes back`()
        async throws
    {
        let clock = ManualClock(advancesItself: true)
        try await Self.with(clock: clock, prepare: { $0.failLists(3) }) { manager, host in
            try await manager.wait { $0.isSetUp }
            try await manager.wait(for: "[riff]")
            #expect(host.count(of: .list) == 3)
            #expect(manager.current.problem?.stableCode == "transport.timeout")
            host.connect(.reconnecting(attempt: 1, delay: nil))
            host.connect(.connected)
            try await manager.wait(for: "[riff] riff-2 riff-3")
            #expect(manager.current.problem == nil)
        }
    }

    @Test func `no session on the server is no error, and is asked once`() async throws {
        try await Self.with("") { manager, host in
            try await manager.wait { $0.isSetUp }
            #expect(manager.current.problem == nil)
            #expect(host.count(of: .list) == 1)
            #expect(host.names == ["riff"])
        }
    }

    @Test func `the active session of last time is active again, one that is gone is not`() async throws {
        let settings = InMemoryKeyValueStore()
        try await Self.with(settings: settings) { manager, _ in
            try await manager.wait(for: "[riff] riff-2 riff-3")
            await manager.activate(try Self.name(2))
        }
        #expect(try await settings.value(for: "lastActiveSessionName.me@box:22") == "riff-2")
        try await Self.with(settings: settings) { manager, _ in try await manager.wait(for: "riff [riff-2] riff-3") }
        try await Self.with("riff riff-3", settings: settings) { manager, _ in
            try await manager.wait(for: "[riff] riff-3")
        }
        #expect(try await settings.value(for: "lastActiveSessionName.me@box:22") == "riff-2")
    }

    @Test func `each host has an active session of its own, and the first takes over the one of all hosts`()
        async throws
    {
        let settings = InMemoryKeyValueStore(["lastActiveSessionName": "riff-3"])
        try await Self.with(settings: settings) { manager, _ in
            try await manager.wait(for: "riff riff-2 [riff-3]")
            await manager.activate(try Self.name(2))
            try await manager.wait(for: "riff [riff-2] riff-3")
        }
        #expect(try await settings.names() == ["lastActiveSessionName.me@box:22"])
        try await Self.with(on: "me@other:22", settings: settings) { manager, _ in
            try await manager.wait(for: "[riff] riff-2 riff-3")
            await manager.activate(try Self.name(3))
        }
        try await Self.with(settings: settings) { manager, _ in try await manager.wait(for: "riff [riff-2] riff-3") }
        try await Self.with(on: "me@other:22", settings: settings) { manager, _ in
            try await manager.wait(for: "riff riff-2 [riff-3]")
        }
    }

    @Test func `settings that cannot be read or kept are told, and nothing else is lost`() async throws {
        try await Self.with(settings: BrokenSettings()) { manager, _ in
            try await manager.wait { $0.pages.count == 3 }
            await manager.activate(try Self.name(3))
            try await manager.wait { $0.problem?.stableCode == "core.storeFailed" }
        }
    }

    // MARK: New sessions

    @Test func `a new session has the lowest free name, is active, and was made after a look at the server`()
        async throws
    {
        try await Self.with("riff riff-3") { manager, host in
            try await manager.wait(for: "[riff] riff-3")
            host.start(try Self.name(2))
            #expect(try await manager.create() == Self.name(4))
            try await manager.wait(for: "riff riff-3 [riff-4]")
            let made = try host.calls.drop { $0 != .make(try Self.name(4)) }
            #expect(try made == [.make(Self.name(4)), .terminal(Self.name(4))])
            // What others made is not the new session's business.
            #expect(try host.count(of: .terminal(Self.name(2))) == 0)
        }
    }

    @Test func `without the server's word the pages decide, and taken names are passed over`() async throws {
        try await Self.with { manager, host in
            try await manager.wait(for: "[riff] riff-2 riff-3")
            host.failLists(1)
            host.race(for: [try Self.name(4), try Self.name(5)])
            #expect(try await manager.create() == Self.name(6))
            for number in 4...6 { #expect(try host.count(of: .make(Self.name(number))) == 1) }
            #expect(try host.count(of: .terminal(Self.name(4))) + host.count(of: .terminal(Self.name(5))) == 0)
        }
    }

    @Test func `at the cap it is refused, and nothing changes`() async throws {
        var configuration = SessionsConfiguration()
        configuration.softCap = 4
        try await Self.with(configuration: configuration) { manager, host in
            try await manager.wait(for: "[riff] riff-2 riff-3")
            try await manager.create()
            try await manager.wait(for: "riff riff-2 riff-3 [riff-4]")
            let error = await #expect(throws: CoreError.self) { try await manager.create() }
            #expect(error?.code == .tooManySessions)
            #expect(SessionManager.text(manager.current) == "riff riff-2 riff-3 [riff-4]")
            #expect(host.names.count == 4)
        }
    }

    @Test func `a session whose making is not known to have failed shows as soon as the server lists it`() async throws
    {
        try await Self.with { manager, host in
            try await manager.wait(for: "[riff] riff-2 riff-3")
            host.failCommands(1)
            host.start(try Self.name(4))
            let error = await transportError { try await manager.create() }
            #expect(error?.code == .timeout)
            try await manager.wait(for: "[riff] riff-2 riff-3 riff-4")
        }
    }

    // MARK: Closing

    @Test func `closing ends that session alone, goes left, and makes the base anew at last`() async throws {
        try await Self.with { manager, host in
            try await manager.wait(for: "[riff] riff-2 riff-3")
            await manager.activate(at: 1)
            let left = manager.current.page(try Self.name(2))?.terminal
            try await manager.close()
            #expect(host.names == ["riff", "riff-3"])
            // Whoever still holds its terminal writes to nobody from then on: the next session may get its name.
            #expect(await transportError { try await left?.write([0x61]) }?.code == .closed)
            try await manager.wait(for: "[riff] riff-3")
            try await manager.close(try Self.name(3))
            try await manager.close(try Self.name(9))
            try await manager.wait(for: "[riff]")
            try await manager.close()
            try await manager.wait { snapshot in
                SessionManager.text(snapshot) == "[riff]" && host.count(of: .terminal(.base)) == 2
            }
            #expect(host.names == ["riff"])
            #expect(try host.calls.contains(.end(Self.name(2))) && !host.calls.contains(.end(Self.name(9))))
            // An end that was asked for is no reason to ask the server.
            #expect(host.count(of: .list) == 1)
        }
    }

    @Test func `a session that could not be ended stays`() async throws {
        try await Self.with { manager, host in
            try await manager.wait(for: "[riff] riff-2 riff-3")
            host.failCommands(1)
            let error = await transportError { try await manager.close(try Self.name(2)) }
            #expect(error?.code == .timeout)
            #expect(SessionManager.text(manager.current) == "[riff] riff-2 riff-3")
            // Whether it was ended after all is asked.
            try await host.waitUntil { calls in calls.count { $0 == .list } == 2 }
        }
    }

    @Test func `clearing up stalls neither a close nor the end`() async throws {
        try await Self.with { manager, host in
            try await manager.wait(for: "[riff] riff-2 riff-3")
            for number in 2...3 { try await manager.close(try Self.name(number)) }
            try await host.waitUntil { $0.contains { if case .tidy = $0 { true } else { false } } }
            // One at a time; it is still at the first.
            #expect(try host.count(of: .tidy(Self.name(2))) == 1 && host.count(of: .tidy(Self.name(3))) == 0)
            try await manager.create()
        }
    }

    // MARK: What others do

    @Test func `what others make and end shows in the foreground, healthy terminals stay`() async throws {
        try await Self.with { manager, host in
            try await manager.wait(for: "[riff] riff-2 riff-3")
            let terminal = try #require(manager.current.page(try Self.name(3))?.terminal)
            host.start(try Self.name(4))
            host.kill(try Self.name(2))
            await manager.foreground()
            try await manager.wait(for: "[riff] riff-3 riff-4")
            #expect(manager.current.page(try Self.name(3))?.terminal === terminal)
            #expect(try host.count(of: .terminal(Self.name(3))) == 1)
            #expect(!host.calls.contains { if case .end = $0 { true } else { false } })
            #expect(host.count(of: .foreground) == 1)
        }
    }

    @Test func `a list that fails in the foreground changes nothing`() async throws {
        try await Self.with { manager, host in
            try await manager.wait(for: "[riff] riff-2 riff-3")
            host.start(try Self.name(4))
            host.failLists(1)
            await manager.foreground()
            try await manager.wait { $0.problem != nil }
            #expect(SessionManager.text(manager.current) == "[riff] riff-2 riff-3")
        }
    }

    @Test func `each edge asks once; those that come while it is asked ask once more together`() async throws {
        try await Self.with { manager, host in
            try await manager.wait(for: "[riff] riff-2 riff-3")
            host.connect(.connected)
            try await host.waitUntil { calls in calls.count { $0 == .list } == 2 }
            // Being connected is no edge.
            host.connect(.connected)
            let gate = host.shut()
            await manager.foreground()
            try await host.waitUntil { calls in calls.count { $0 == .list } == 3 }
            for _ in 0..<5 { await manager.foreground() }
            gate.resolve(())
            try await host.waitUntil { calls in calls.count { $0 == .list } == 4 }
            // Whatever comes after it in turn shows that there was no fifth.
            try await manager.create()
            #expect(host.count(of: .list) == 5)
        }
    }

    @Test func `a watcher's word shows without an edge`() async throws {
        let watcher = StateSource(TmuxServerState())
        try await Self.with(watcher: watcher) { manager, host in
            try await manager.wait(for: "[riff] riff-2 riff-3")
            host.start(try Self.name(4))
            watcher.update(TmuxServerState(status: .starting, sessions: host.sessionList))
            watcher.update(TmuxServerState(status: .live, sessions: host.sessionList))
            try await manager.wait(for: "[riff] riff-2 riff-3 riff-4")
            watcher.update(TmuxServerState(status: .live, sessions: host.sessionList, modes: [.base: "copy-mode"]))
            try await manager.create()
            #expect(host.count(of: .list) == 3)
        }
    }

    @Test func `a session that ends by itself takes its page along`() async throws {
        try await Self.with { manager, host in
            try await manager.wait(for: "[riff] riff-2 riff-3")
            host.kill(try Self.name(2))
            try await manager.wait(for: "[riff] riff-3")
            host.kill(.base)
            try await manager.wait(for: "[riff]! riff-3")
            // A tap makes it anew.
            await manager.activate(.base)
            try await manager.wait(for: "[riff] riff-3")
        }
    }

    // MARK: The active page

    @Test func `keys go to the page that was turned to, and a Return to the page of its text`() async throws {
        try await Self.with { manager, host in
            try await manager.wait(for: "[riff] riff-2 riff-3")
            try await manager.write([1])
            await manager.activate(try Self.name(2))
            try await manager.write([2])
            try await manager.type("hello", submit: true)
            await manager.activate(at: 99)
            try await manager.type(try ShellQuoting.quote("/srv/a b.png"))
            for (name, text) in [("riff", "\u{1}"), ("riff-2", "\u{2}hello \r"), ("riff-3", "'/srv/a b.png' ")] {
                let program = try #require(host.terminal(try SessionName(name))?.program)
                program.exit(.exited(0))
                var bytes: [UInt8] = []
                do { for try await chunk in program.input { bytes += chunk } } catch {}  // it ends with the terminal
                #expect(String(decoding: bytes, as: UTF8.self) == text)
            }
        }
    }

    @Test func `a size reaches every page, tiny ones none, and pages to come have it`() async throws {
        var configuration = SessionsConfiguration()
        configuration.attach = .visible()
        try await Self.with("riff riff-2 riff-3 riff-4", configuration: configuration) { manager, host in
            try await manager.wait(for: "[riff] riff-2 riff-3- riff-4-")
            let size = TerminalSize(columns: 100, rows: 40)
            for tiny in [(0, 0), (1, 1), (100, 1)] {
                await manager.resize(to: TerminalSize(columns: tiny.0, rows: tiny.1))
            }
            await manager.resize(to: size)
            for name in [SessionName.base, try Self.name(2)] {
                let program = try #require(host.terminal(name)?.program)
                var sizes: [TerminalSize] = []
                for await next in program.sizes {
                    sizes.append(next)
                    if next == size { break }
                }
                #expect(sizes == [.standard, size])
            }
            await manager.activate(at: 3)
            try await manager.wait(for: "riff- riff-2- riff-3 [riff-4]")
            #expect(host.terminal(try Self.name(4))?.program?.size == size)
        }
    }

    @Test func `it shows as busy from 0.3 seconds on`() async throws {
        let clock = ManualClock()
        try await Self.with(clock: clock) { manager, host in
            try await manager.wait(for: "[riff] riff-2 riff-3")
            let gate = host.shut()
            let creation = Task { try await manager.create() }
            try await host.waitUntil { calls in calls.count { $0 == .list } == 2 }
            await clock.sleepers(1)
            clock.advance(by: .milliseconds(200))
            #expect(!manager.current.isBusy)
            clock.advance(by: .milliseconds(100))
            try await manager.wait { $0.isBusy }
            gate.resolve(())
            _ = try await creation.value
            try await manager.wait { !$0.isBusy }
        }
    }

    @Test(arguments: [(200, false), (500, true)])
    func `connecting shows as busy where it takes longer than 0.3 seconds`(_ time: Int, _ shows: Bool) async throws {
        let clock = ManualClock()
        let host = try ScriptedSessionHost("riff")
        let gate = host.shutTerminals()
        let manager = SessionManager(host, size: .standard, clock: clock)
        let snapshots = manager.updates()
        await manager.start()
        await clock.sleepers(1)
        clock.advance(by: .milliseconds(min(time, 300)))
        if shows { try await manager.wait { $0.isBusy } }
        clock.advance(by: .milliseconds(max(0, time - 300)))
        gate.resolve(())
        try await manager.wait(for: "[riff]")
        #expect(!manager.current.isBusy)
        await manager.shutdown()
        var wasBusy = false
        for await snapshot in snapshots where snapshot.isBusy { wasBusy = true }
        #expect(wasBusy == shows)
    }

    @Test func `whoever waits for a page is told when it takes keys, or why it never will`() async throws {
        let host = try ScriptedSessionHost("riff riff-2")
        let gate = host.shutTerminals()
        let manager = SessionManager(host, size: .standard, clock: ManualClock())
        await manager.start()
        let waiting = Task { try await manager.waitUntilOpen() }
        gate.resolve(())
        try await waiting.value
        try await manager.wait(for: "[riff] riff-2")
        #expect(await transportError { try await manager.waitUntilOpen(try Self.name(9)) }?.code == .closed)
        host.kill(.base)
        try await manager.wait(for: "[riff]! riff-2")
        #expect(await transportError { try await manager.waitUntilOpen() }?.code == .closed)
        await manager.shutdown()
        #expect(await transportError { try await manager.waitUntilOpen(try Self.name(2)) }?.code == .closed)
    }

    // MARK: The end

    @Test func `disconnecting ends everything, tells those who wait, and leaves the sessions alone`() async throws {
        let settings = InMemoryKeyValueStore()
        let host = try ScriptedSessionHost("riff riff-2")
        let manager = SessionManager(host, size: .standard, settings: RiffSettings(settings), clock: ManualClock())
        let early = await transportError { try await manager.create() }
        #expect(early?.code == .closed)
        await manager.start()
        try await manager.wait(for: "[riff] riff-2")
        await manager.activate(at: 1)
        _ = host.shut()
        let creation = Task { try await manager.create() }
        try await host.waitUntil { calls in calls.count { $0 == .list } == 2 }
        let watching = Task { for await _ in manager.updates() {} }
        async let other: Void = manager.shutdown()
        await manager.shutdown()
        await other
        await watching.value
        let error = await transportError { _ = try await creation.value }
        #expect(error?.code == .closed)
        #expect(host.names == ["riff", "riff-2"])
        for name in [SessionName.base, try Self.name(2)] {
            let program = try #require(host.terminal(name)?.program)
            await #expect(throws: TransportError.self) { try await program.send([1]) }
        }
        #expect(try await settings.value(for: "lastActiveSessionName.me@box:22") == "riff-2")
        #expect(manager.current.pages.allSatisfy { $0.terminal == nil })
        // Nothing is begun any more.
        let calls = host.calls
        await manager.foreground()
        await manager.activate(.base)
        await manager.start()
        #expect(await transportError { try await manager.close() }?.code == .closed)
        #expect(await transportError { try await manager.write([1]) }?.code == .notConnected)
        #expect(host.calls == calls)
    }

    @Test func `a cancelled creation throws, and the manager goes on`() async throws {
        try await Self.with { manager, host in
            try await manager.wait(for: "[riff] riff-2 riff-3")
            let gate = host.shut()
            let creation = Task { try await manager.create() }
            try await host.waitUntil { calls in calls.count { $0 == .list } == 2 }
            creation.cancel()
            await #expect(throws: CancellationError.self) { try await creation.value }
            gate.resolve(())
            #expect(try await manager.create() == Self.name(4))
        }
    }

    @Test func `a manager that is let go closes its terminals`() async throws {
        let host = try ScriptedSessionHost("riff riff-2")
        func run() async throws {
            let manager = SessionManager(host, size: .standard, clock: ManualClock())
            await manager.start()
            try await manager.wait(for: "[riff] riff-2")
        }
        try await run()
        for name in [SessionName.base, try Self.name(2)] {
            let program = try #require(host.terminal(name)?.program)
            for await _ in program.sizes {}
        }
    }

    @Test func `in the foreground a host that was left on purpose stays left`() async throws {
        try await Self.with { manager, host in
            try await manager.wait(for: "[riff] riff-2 riff-3")
            host.connect(.disconnected(.deliberate))
            let calls = host.calls
            await manager.foreground()
            #expect(host.calls == calls)
        }
    }
}
