// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

/// Keys that are written without waiting: their order, and what becomes of those that cannot go out.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct KeysAtOnceTests {
    /// The codes of what was not sent.
    private final class Failures: Sendable {
        private let list = Mutex<[TransportError.Code?]>([])
        var codes: [TransportError.Code?] { list.withLock(\.self) }

        @Sendable func note(_ error: any Error) {
            list.withLock { $0.append((error as? TransportError)?.code) }
        }
    }

    @Test func `keys go out before the call returns, in the order of the calls`() async throws {
        let terminal = EagerTerminal()
        let session = TerminalSession.make(on: ArrangedLink([terminal]))
        try await session.open()
        // The first one waits until it is known how input travels.
        try await session.write(Array("<".utf8))
        let failures = Failures()
        for key in "one two".utf8 {
            session.write([key], onFailure: failures.note)
            #expect(terminal.atOnce.last == key)
        }
        try await session.write(Array(">".utf8))
        #expect(terminal.all == Array("<one two>".utf8))
        #expect(failures.codes.isEmpty)
        await session.close()
    }

    @Test func `keys behind a text and its Return wait for them, and keep their order`() async throws {
        let clock = ManualClock()
        let terminal = EagerTerminal()
        let session = TerminalSession.make(on: ArrangedLink([terminal]), clock: clock)
        try await session.open()
        let typing = Task { try await session.type("text", submit: true) }
        await clock.sleepers(1)
        let failures = Failures()
        for key in "abc".utf8 { session.write([key], onFailure: failures.note) }
        let last = Task { try await session.write(Array("d".utf8)) }
        await everybodyWaits()
        #expect(terminal.all == Array("text ".utf8))
        clock.advance(by: .milliseconds(300))
        try await typing.value
        try await last.value
        #expect(terminal.all == Array("text \rabcd".utf8))
        #expect(failures.codes.isEmpty)
        await session.close()
    }

    @Test func `a terminal with no room is waited for, and nothing overtakes`() async throws {
        let terminal = EagerTerminal()
        let session = TerminalSession.make(on: ArrangedLink([terminal]))
        try await session.open()
        try await session.write(Array("1".utf8))
        terminal.hasRoom = false
        let failures = Failures()
        session.write(Array("2".utf8), onFailure: failures.note)
        terminal.hasRoom = true
        session.write(Array("3".utf8), onFailure: failures.note)
        try await session.write(Array("4".utf8))
        #expect(terminal.all == Array("1234".utf8))
        #expect(failures.codes.isEmpty)
        await session.close()
    }

    @Test func `keys that cannot be sent are told once each, and are never sent`() async throws {
        let terminal = EagerTerminal()
        let link = ArrangedLink([terminal, InMemoryTerminal()])
        let session = TerminalSession.make(on: link)
        let failures = Failures()
        session.write([1], onFailure: failures.note)
        #expect(failures.codes == [.notConnected])
        try await session.open()
        terminal.inner.program.end(TerminalClosure(.lost))
        await link.waited()
        session.write([2], onFailure: failures.note)
        #expect(failures.codes == [.notConnected, .notConnected])
        await session.close()
        session.write([3], onFailure: failures.note)
        #expect(failures.codes == [.notConnected, .notConnected, .closed])
        #expect(terminal.all.isEmpty)
    }

    @Test func `of keys that wait, as many are kept as a person types, and the rest are told`() async throws {
        let clock = ManualClock()
        let terminal = EagerTerminal()
        let session = TerminalSession.make(on: ArrangedLink([terminal]), clock: clock)
        try await session.open()
        let typing = Task { try await session.type("text", submit: true) }
        await clock.sleepers(1)
        let failures = Failures()
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 100 * 1024)
        for _ in 0..<3 { session.write(piece, onFailure: failures.note) }
        #expect(failures.codes == [.inputNotDelivered])
        clock.advance(by: .milliseconds(300))
        try await typing.value
        try await session.write(Array("!".utf8))
        #expect(terminal.all.count == 6 + 2 * piece.count + 1)
        #expect(failures.codes == [.inputNotDelivered])
        await session.close()
    }

    @Test func `a line that was begun is known at once`() async throws {
        let session = TerminalSession.make(on: ArrangedLink([EagerTerminal()]))
        try await session.open()
        try await session.write(Array("\r".utf8))
        #expect(!session.isInputDirty)
        session.write(Array("a".utf8)) { _ in }
        #expect(session.isInputDirty)
        session.write(Array("\r".utf8)) { _ in }
        #expect(!session.isInputDirty)
        await session.close()
    }

    @Test func `keys go out on the connection after one that was lost before tmux drew`() async throws {
        let wire = Mutex<BytePipe?>(nil)
        let draw: @Sendable () -> Void = { _ = wire.withLock(\.self)?.offer(Array("\u{1B}[?1049h".utf8)) }
        let terminals = [true, false, true].map { DrawingTerminal(draw: $0 ? draw : nil) }
        let link = ArrangedLink(terminals)
        wire.withLock { $0 = link.output }
        let session = TerminalSession(
            name: "riff",
            link: link,
            size: .standard,
            tmux: TmuxAttachment(server: TmuxServer(), session: .base),
            errands: SafeKeyErrands(),
            clock: ContinuousClock()
        )
        try await session.open()
        terminals[0].inner.program.end(TerminalClosure(.lost))
        await link.waited()
        link.connected()
        await link.waited()
        link.connected()
        for await state in session.updates() where state.isOpen { break }
        try await session.write(Array("key".utf8))
        // The safe keys go first.
        #expect(terminals[2].written.suffix(3) == Array("key".utf8)[...])
        await session.close()
    }
}

/// A terminal that takes keys at once, as SSH does, while it has room.
private final class EagerTerminal: TerminalTransport {
    let inner = InMemoryTerminal()
    private let state = Mutex((all: [UInt8](), atOnce: [UInt8](), hasRoom: true))

    var all: [UInt8] { state.withLock(\.all) }
    var atOnce: [UInt8] { state.withLock(\.atOnce) }
    var hasRoom: Bool {
        get { state.withLock(\.hasRoom) }
        set { state.withLock { $0.hasRoom = newValue } }
    }

    var output: TerminalOutput { inner.output }
    func connect(size: TerminalSize) async throws { try await inner.connect(size: size) }

    func write(_ bytes: [UInt8]) async throws { state.withLock { $0.all += bytes } }

    func writeAtOnce(_ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            guard state.hasRoom else { return false }
            state.all += bytes
            state.atOnce += bytes
            return true
        }
    }

    func resize(to size: TerminalSize) async throws { try await inner.resize(to: size) }
    func disconnect() async { await inner.disconnect() }
    func closure() async -> TerminalClosure { await inner.closure() }
}

/// A terminal on which tmux draws as soon as it is connected, or which is lost at that moment.
private final class DrawingTerminal: TerminalTransport {
    let inner = InMemoryTerminal()
    private let draw: (@Sendable () -> Void)?
    private let bytes = Mutex<[UInt8]>([])

    init(draw: (@Sendable () -> Void)?) { self.draw = draw }

    var written: [UInt8] { bytes.withLock(\.self) }
    var output: TerminalOutput { inner.output }

    func connect(size: TerminalSize) async throws {
        try await inner.connect(size: size)
        if let draw { draw() } else { inner.program.end(TerminalClosure(.lost)) }
    }

    func write(_ bytes: [UInt8]) async throws { self.bytes.withLock { $0 += bytes } }
    func resize(to size: TerminalSize) async throws { try await inner.resize(to: size) }
    func disconnect() async { await inner.disconnect() }
    func closure() async -> TerminalClosure { await inner.closure() }
}

/// A server with the safe keys.
private struct SafeKeyErrands: TmuxErrands {
    func run(_ line: String, input: [UInt8], onlyWhile isWanted: (@Sendable () -> Bool)?) async -> ManagementReport {
        guard isWanted?() != false else {
            return ManagementReport(outcome: .connect(TransportError(.notConnected, "Not asked.")), diagnostics: "")
        }
        let output = line.contains("bind-key -T copy-mode ") ? SafeKeyListing.passed : ""
        return ManagementReport(outcome: .output(Array(output.utf8), status: 0), diagnostics: "")
    }

    func runLater(_ line: String) async {}
}
