// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// A session's states, and its keys: when they are sent, in what order, and when they are refused.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct TerminalSessionTests {
    // MARK: States

    @Test func `its states come in order over two losses, and its output ends with it`() async throws {
        let terminals = (0..<3).map { _ in InMemoryTerminal() }
        let link = ArrangedLink(terminals)
        let session = TerminalSession.make(on: link)
        let trace = session.trace()
        try await session.open()
        for terminal in terminals.dropLast() {
            terminal.program.end(TerminalClosure(.lost))
            await link.waited()
            link.connected()
            try await session.waitUntilOpen()
        }
        terminals[2].program.exit(.exited(3))
        #expect(
            await trace.value == ["opening", "open", "reconnecting", "open", "reconnecting", "open", "exited"]
        )
        #expect(await session.closure().exit == .exited(3))
        #expect(link.output.isExhausted)
        // Only the first one may bring up a connection that nobody wants.
        #expect(link.dials == [true, false, false])
    }

    @Test func `opening it twice at once makes one terminal, and both return when it takes keys`() async throws {
        let gate = EventualValue<Void>()
        let terminal = InMemoryTerminal { _ in await gate.value() }
        let link = ArrangedLink([terminal])
        let session = TerminalSession.make(on: link)
        let openings = (0..<3).map { _ in
            Task {
                try await session.open()
                return session.current.isOpen
            }
        }
        for await _ in terminal.program.sizes { break }
        await everybodyWaits()
        gate.resolve(())
        for opening in openings { #expect(try await opening.value) }
        try await session.open()
        #expect(link.dials == [true])
        await session.close()
    }

    @Test func `an opening that fails is the end, and is told again`() async throws {
        let refusal = TransportError(.channelRefused, "No more channels.")
        let session = TerminalSession.make(on: ArrangedLink([InMemoryTerminal { _ in throw refusal }]))
        let trace = session.trace()
        for _ in 0..<2 { #expect(await transportError { try await session.open() }?.code == .channelRefused) }
        #expect(await trace.value == ["opening", "lost"])
        #expect(await session.closure().error?.stableCode == "transport.channelRefused")
        #expect(await transportError { try await session.write([1]) }?.code == .closed)
    }

    // MARK: Keys

    @Test func `keys are refused before it is open, while it reconnects and after its end, and are never sent later`()
        async throws
    {
        let (inner, second) = (InMemoryTerminal(), InMemoryTerminal())
        let first = RecordingTerminal(inner)
        let link = ArrangedLink([first, second])
        let session = TerminalSession.make(on: link)
        func expectRefusal(_ code: TransportError.Code) async {
            #expect(await transportError { try await session.write(Array("lost".utf8)) }?.code == code)
            #expect(await transportError { try await session.type("lost", submit: true) }?.code == code)
        }
        await expectRefusal(.notConnected)
        try await session.open()
        try await session.write(Array("one".utf8))
        inner.program.end(TerminalClosure(.lost))
        await link.waited()
        await expectRefusal(.notConnected)
        link.connected()
        try await session.waitUntilOpen()
        try await session.write(Array("two".utf8))
        second.program.exit(.exited(0))
        _ = await session.closure()
        await expectRefusal(.closed)
        #expect(first.writes == ["one"])
        var input: [UInt8] = []
        await #expect(throws: TransportError.self) { for try await bytes in second.program.input { input += bytes } }
        #expect(String(decoding: input, as: UTF8.self) == "two")
        await session.close()
    }

    @Test func `Return is a write of its own, 0.3 seconds after the text, and nothing comes between`() async throws {
        let clock = ManualClock()
        let terminal = RecordingTerminal(InMemoryTerminal(), clock: clock)
        let session = TerminalSession.make(on: ArrangedLink([terminal]), clock: clock)
        try await session.open()
        let typing = Task { try await session.type("  explain\r\nthis ", submit: true) }
        await clock.sleepers(1)
        let writing = Task { try await session.write(Array("y".utf8)) }
        await everybodyWaits()
        clock.advance(by: .milliseconds(299))
        await everybodyWaits()
        #expect(terminal.writes == ["explain this "])
        clock.advance(by: .milliseconds(1))
        try await typing.value
        try await writing.value
        #expect(terminal.writes == ["explain this ", "\r", "y"])
        let returned = terminal.recording.first { $0.event == .wrote([13]) }
        #expect(returned?.time == .milliseconds(300))
        await session.close()
    }

    @Test(arguments: [false, true], ["", " \r\n\t", "\u{1B}\u{7F}\u{202E}"])
    func `a text without words types nothing, and no Return either`(submit: Bool, text: String) async throws {
        let clock = ManualClock()
        let terminal = RecordingTerminal(InMemoryTerminal())
        let session = TerminalSession.make(on: ArrangedLink([terminal]), clock: clock)
        try await session.open()
        try await session.type(text, submit: submit)
        #expect(terminal.writes == [])
        #expect(clock.waits == [])
        await session.close()
    }

    @Test func `a typing that is cancelled in its pause presses no Return and lets the next one in`() async throws {
        let clock = ManualClock()
        let terminal = RecordingTerminal(InMemoryTerminal())
        let session = TerminalSession.make(on: ArrangedLink([terminal]), clock: clock)
        try await session.open()
        let typing = Task { try await session.type("one", submit: true) }
        await clock.sleepers(1)
        let waiting = Task { try await session.type("two", submit: true) }
        let last = Task { try await session.type("three") }
        await everybodyWaits()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        typing.cancel()
        await #expect(throws: CancellationError.self) { try await typing.value }
        try await last.value
        #expect(terminal.writes == ["one ", "three "])
        await session.close()
    }

    @Test func `a connection that is lost in the pause gets no Return, and neither does the next one`() async throws {
        let clock = ManualClock()
        let inner = InMemoryTerminal()
        let (first, second) = (RecordingTerminal(inner), RecordingTerminal(InMemoryTerminal()))
        let link = ArrangedLink([first, second])
        let session = TerminalSession.make(on: link, clock: clock)
        try await session.open()
        let typing = Task { try await session.type("one", submit: true) }
        await clock.sleepers(1)
        inner.program.end(TerminalClosure(.lost))
        await link.waited()
        clock.advance(by: .milliseconds(300))
        // The text is at the prompt, which is said.
        #expect(await transportError { try await typing.value }?.code == .textNotSubmitted)
        link.connected()
        try await session.waitUntilOpen()
        #expect(first.writes == ["one "])
        #expect(second.writes == [])
        await session.close()
    }
}

extension RecordingTerminal {
    /// What was written, each write by itself.
    fileprivate var writes: [String] {
        recording.compactMap { entry in
            guard case .wrote(let bytes) = entry.event else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
