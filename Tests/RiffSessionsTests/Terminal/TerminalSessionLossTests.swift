// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// What becomes of a session that has lost its connection: it comes back, at the right size, or ends with a reason.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct TerminalSessionLossTests {
    // MARK: Coming back

    @Test func `a failure that another try can mend is tried again after a moment`() async throws {
        let clock = ManualClock()
        let refused = InMemoryTerminal { _ in throw TransportError(.channelRefused, "Not now.") }
        let (session, link) = try await TerminalSession.reconnecting([refused, InMemoryTerminal()], clock: clock)
        link.connected()
        await clock.sleepers(1)
        #expect(session.current.word == "reconnecting")
        clock.advance(by: .seconds(1))
        await link.waited()
        link.connected()
        try await session.waitUntilOpen()
        #expect(clock.waits == [.seconds(1)])
        await session.close()
    }

    @Test func `a failure that no try can mend is the end, with its reason`() async throws {
        let errors: [any RiffError] = [
            TransportError(.notAuthorized, "The key was removed."), CoreError(.unsupportedShell, "The shell is csh."),
        ]
        for error in errors {
            let (session, link) = try await TerminalSession.reconnecting([InMemoryTerminal { _ in throw error }])
            link.connected()
            let closure = await session.closure()
            #expect(closure.reason == .lost)
            #expect(closure.error?.stableCode == error.stableCode)
            #expect(link.output.isExhausted)
        }
    }

    @Test func `a link that is over ends it, with the link's reason`() async throws {
        let (session, link) = try await TerminalSession.reconnecting([])
        link.over(TransportError(.notAuthorized, "The key was removed."))
        #expect(await session.closure().error?.stableCode == "transport.notAuthorized")
    }

    // MARK: Typing meanwhile

    @Test(arguments: [TransportError.Code.connectionLost, .timeout, .closed])
    func `a loss that the session has not heard of yet is told to a writer as any other`(code: TransportError.Code)
        async throws
    {
        for write in [
            { try await $0.write([0x61]) }, { try await $0.type("a", submit: true) }, { try await $0.paste("a\nb") },
            { try await $0.scroll(1) },
        ] as [@Sendable (TerminalSession) async throws -> Void] {
            let terminal = UntoldTerminal(TransportError(code, "The server closed the connection."))
            let session = TerminalSession.make(on: ArrangedLink([terminal]))
            try await session.open()
            let error = await transportError { try await write(session) }
            #expect(error?.code == .notConnected)
            #expect((error?.cause as? TransportError)?.code == code)
            #expect(error?.message.contains("nothing was sent") == true)
            #expect(session.current.word == "reconnecting", "what is refused and what is told are one")
            #expect(await transportError { try await write(session) }?.code == .notConnected)
            await session.close()
            #expect(await transportError { try await session.write([0x61]) }?.code == .closed)
        }
    }

    // MARK: Closing

    @Test func `closing it while it waits for a connection ends it as closed, and nothing is made any more`()
        async throws
    {
        let (session, link) = try await TerminalSession.reconnecting([InMemoryTerminal()])
        let trace = session.trace()
        await session.close()
        link.connected()
        #expect(await trace.value == ["reconnecting", "disconnected"])
        #expect(link.dials == [true])
        #expect(link.output.isExhausted)
        #expect(await transportError { try await session.open() }?.code == .closed)
    }

    @Test func `closing it while its terminal is being connected ends both as closed`() async throws {
        let gate = EventualValue<Void>()
        let next = InMemoryTerminal { _ in try await gate.cancellableValue() }
        let (session, link) = try await TerminalSession.reconnecting([next])
        link.connected()
        for await _ in next.program.sizes { break }
        await session.close()
        #expect(await session.closure().reason == .disconnected)
        #expect(await next.closure().reason == .disconnected)
    }

    @Test func `closing it while it is opened for the first time ends it as closed, and the opening throws`()
        async throws
    {
        let gate = EventualValue<Void>()
        let terminal = InMemoryTerminal { _ in await gate.value() }
        let session = TerminalSession.make(on: ArrangedLink([terminal]))
        let opening = Task { try await session.open() }
        for await _ in terminal.program.sizes { break }
        await session.close()
        gate.resolve(())
        await #expect(throws: (any Error).self) { try await opening.value }
        #expect(await session.closure().reason == .disconnected)
        #expect(await terminal.closure().reason == .disconnected)
    }

    @Test func `closing it before it was opened is an end too`() async throws {
        let link = ArrangedLink([InMemoryTerminal()])
        let session = TerminalSession.make(on: link)
        await session.close()
        #expect(await session.closure().reason == .disconnected)
        #expect(await transportError { try await session.open() }?.code == .closed)
        #expect(link.dials == [])
    }

    @Test func `closing it after its program ended leaves the end as it was`() async throws {
        let terminal = InMemoryTerminal()
        let session = TerminalSession.make(on: ArrangedLink([terminal]))
        try await session.open()
        terminal.program.exit(.exited(0))
        _ = await session.closure()
        await session.close()
        #expect(await session.closure().reason == .exited)
    }

    // MARK: Sizes

    @Test func `a size that was set while it reconnects is the one it comes back with`() async throws {
        let (second, third) = (InMemoryTerminal(), InMemoryTerminal())
        let (session, link) = try await TerminalSession.reconnecting([second, third])
        let (wide, tall) = (TerminalSize(columns: 132, rows: 43), TerminalSize(columns: 50, rows: 90))
        try await session.resize(to: wide)
        try await session.resize(to: TerminalSize(columns: 0, rows: 0))
        link.connected()
        try await session.waitUntilOpen()
        #expect(second.program.size == wide)
        try await session.resize(to: tall)
        #expect(second.program.size == tall)
        second.program.end(TerminalClosure(.lost))
        await link.waited()
        link.connected()
        try await session.waitUntilOpen()
        #expect(third.program.size == tall)
        await session.close()
    }

    @Test func `a size that was set while the terminal is being connected reaches it afterwards`() async throws {
        let gate = EventualValue<Void>()
        let terminal = InMemoryTerminal { _ in await gate.value() }
        let session = TerminalSession.make(on: ArrangedLink([terminal]))
        let opening = Task { try await session.open() }
        var sizes = terminal.program.sizes.makeAsyncIterator()
        #expect(await sizes.next() == .standard)
        let wide = TerminalSize(columns: 132, rows: 43)
        try await session.resize(to: wide)
        gate.resolve(())
        #expect(await sizes.next() == wide)
        try await opening.value
        await session.close()
    }
}

/// A terminal whose connection is lost, which only a writer notices.
private final class UntoldTerminal: TerminalTransport {
    private let terminal = InMemoryTerminal()
    private let error: TransportError

    init(_ error: TransportError) { self.error = error }

    var output: TerminalOutput { terminal.output }
    func connect(size: TerminalSize) async throws { try await terminal.connect(size: size) }
    func write(_ bytes: [UInt8]) async throws { throw error }
    func resize(to size: TerminalSize) async throws { try await terminal.resize(to: size) }
    func disconnect() async { await terminal.disconnect() }
    func closure() async -> TerminalClosure { await terminal.closure() }
}
