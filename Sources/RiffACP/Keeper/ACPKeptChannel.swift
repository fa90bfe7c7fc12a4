// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport
internal import Synchronization

/// The lines of an agent that a keeper holds on a host. The channel outlives the connection: after a cut it attaches
/// again, reads on at the byte where it was, and sends again what did not arrive. Closing it leaves the agent running.
public final class ACPKeptChannel: ACPChannel {
    struct State {
        var inbound: KeptInbound
        var outbound = KeptOutbound()
        var attachment: Attachment?
        var isWriting = false
        var isFinishing = false
        var isClosed = false
        /// Lines that came while the channel was being opened.
        var early: [ACPFrame] = []
        /// Attachments in a row that did not come to be, and that ended before the agent wrote anything.
        var failures = 0
        var idleEnds = 0
        var answered: [ACP.RequestID] = []
        var onAnswered: (@Sendable (ACP.RequestID) -> Void)?
        /// The turns of other clients that were not reported yet; those with a number came before the header.
        var untoldTurns: [OtherTurn] = []
        var earlyTurns: [(number: UInt64, turn: OtherTurn)] = []
        var onTurn: (@Sendable (OtherTurn) -> Void)?
    }

    final class Attachment: Sendable {
        let bytes: any ByteChannel
        /// Standard error that is not the keeper's.
        let words = TextRing(lines: 10)
        /// Told when all of standard error was read.
        let eventsEnded = EventualValue<Void>()

        init(_ bytes: any ByteChannel) { self.bytes = bytes }
    }

    let host: any HostSession
    let agent: String
    let clock: any Clock<Duration>
    let state: Mutex<State>
    let tasks = OwnedTasks()
    let ended = EventualValue<ExitStatus?>()
    let room = ChangeSignal()
    let words = BytePipe(highWater: 64 * 1024)
    /// This client among all of the agent's.
    let clientID: String

    init(
        _ agent: String,
        on host: any HostSession,
        from position: UInt64?,
        lineLimit: Int,
        clock: any Clock<Duration>
    ) {
        self.agent = agent
        self.host = host
        self.clock = clock
        state = Mutex(State(inbound: KeptInbound(from: position, lineLimit: lineLimit)))
        var generator = SystemRandomNumberGenerator()
        clientID = "r" + String(generator.next() as UInt64, radix: 36)
    }

    /// The text that the agent wrote to its standard error last, when it has ended.
    public var diagnostics: ByteStream { ByteStream(words) }

    /// The number of the byte behind the last line that was received, for ``ACPKeeper/attach(to:from:)`` at the next
    /// start of a front end; `nil` before the first.
    public var position: UInt64? { state.withLock(\.inbound.position) }

    // MARK: Reading

    /// The next lines, at least one, in order; `nil` at the agent's end, or when the channel was closed. Waits while
    /// there is no connection.
    ///
    /// - Throws: ``ACPError`` with `agentExited` or `linesLost`; why the host cannot be reached at all;
    ///   `CancellationError`.
    public func receive() async throws -> [ACPFrame]? {
        let early = state.withLock { state in
            defer { state.early = [] }
            return state.early
        }
        if !early.isEmpty { return early }
        while !state.withLock(\.isClosed) {
            let frames = try await read()
            if !frames.isEmpty { return frames }
        }
        return nil
    }

    /// Suspends until the keeper has said what there is.
    func attachFirst() async throws {
        while state.withLock({ $0.inbound.header == nil && !$0.isClosed }) {
            let frames = try await read()
            state.withLock { $0.early += frames }
        }
    }

    /// Reads once; nothing where that was the keeper's own, an end, or a cut.
    private func read() async throws -> [ACPFrame] {
        let attachment = try await attached()
        var chunks = attachment.bytes.output.makeAsyncIterator()
        do {
            guard let chunk = try await chunks.next() else { return try await endOf(attachment) }
            let taken = try state.withLock { state in
                let taken = try state.inbound.push(chunk)
                if !taken.frames.isEmpty { state.idleEnds = 0 }
                if let header = taken.header {
                    state.failures = 0
                    state.outbound.attached(lastNumber: header.lastNumber)
                }
                return taken
            }
            if let header = taken.header {
                take(header)
                tasks.run { await self.write() }
            }
            return taken.frames
        } catch let error as TransportError where error.code == .connectionLost || error.code == .closed {
            // `closed`: a write failed and closed it, since what attaches had ended, or the channel itself was closed.
            if error.code == .closed { state.withLock { $0.idleEnds += 1 } }
            await drop(attachment)
            return []
        }
    }

    /// The open attachment, or a new one.
    private func attached() async throws -> Attachment {
        if let attachment = state.withLock(\.attachment) { return attachment }
        let opened = EventualValue<Result<any ByteChannel, any Error>>()
        // A task of its own, so that closing the channel ends the wait for a connection.
        tasks.run { opened.resolve(await self.open()) }
        if state.withLock(\.isClosed) { opened.resolve(.failure(CancellationError())) }
        let attachment = Attachment(try await opened.cancellableValue().get())
        let isClosed = state.withLock { state in
            if !state.isClosed { state.attachment = attachment }
            return state.isClosed
        }
        if isClosed {
            await attachment.bytes.close()
            throw CancellationError()
        }
        tasks.run { await self.readEvents(of: attachment) }
        return attachment
    }

    private func open() async -> Result<any ByteChannel, any Error> {
        var pause = Duration.milliseconds(100)
        let failures = state.withLock { min(max($0.failures, $0.idleEnds), 5) }
        do {
            if failures > 0 { try await clock.sleep(for: min(pause * (1 << failures), .seconds(5))) }
            while true {
                var generator = SystemRandomNumberGenerator()
                let marker = "__RIFF_KEEPER__" + String(generator.next() as UInt64, radix: 16)
                let position = state.withLock { state in
                    state.inbound.begin(marker: marker)
                    return state.inbound.next
                }
                let line = try KeeperScript.attach(agent, client: clientID, from: position, marker: marker)
                do { return .success(try await host.openChannel(line)) } catch let error as TransportError
                    where error.code == .connectionLost || error.code == .timeout
                {
                    try await clock.sleep(for: pause)
                    pause = min(pause * 2, .seconds(5))
                }
            }
        } catch { return .failure(error) }
    }

    private func drop(_ attachment: Attachment) async {
        state.withLock { state in
            if state.attachment === attachment { state.attachment = nil }
        }
        await attachment.bytes.close()
    }

    /// Returns the frames that the end of an attachment brings: the agent's end, with the rest of its last line, or
    /// none if there is more to attach to.
    private func endOf(_ attachment: Attachment) async throws -> [ACPFrame] {
        let (header, isClosed) = state.withLock { ($0.inbound.header, $0.isClosed) }
        guard !isClosed else { return [] }
        let status = try await attachment.bytes.exitStatus()
        try await attachment.eventsEnded.cancellableValue()
        await drop(attachment)
        switch header?.state {
        case .ended(let code): return end(code > 128 ? .signaled(Self.signal(code - 128)) : .exited(code))
        case .lost:
            throw ACPError(.agentExited, "The keeper of \(agent) is gone: was its host restarted?", recovery: .retry)
        case .running:
            // There is another file to read, or the agent has just ended.
            state.withLock { $0.idleEnds += 1 }
            return []
        case nil:
            if status == .exited(3) {
                throw ACPError(.agentExited, "There is no agent \(agent) on its host any more.", recovery: .retry)
            }
            let failures = state.withLock { state in
                state.failures += 1
                return state.failures
            }
            guard failures >= 6 else { return [] }
            let words = attachment.words.lines.joined(separator: " | ")
            throw ACPError(.notStarted, "\(agent) could not be attached to on its host. It wrote: \(words)")
        }
    }

    private func end(_ status: ExitStatus) -> [ACPFrame] {
        let last = state.withLock { state in
            state.isClosed = true
            return state.inbound.finish()
        }
        words.finish()
        ended.resolve(status)
        return last.map { [$0] } ?? []
    }

    private static func signal(_ number: Int32) -> String {
        [1: "HUP", 2: "INT", 3: "QUIT", 6: "ABRT", 9: "KILL", 11: "SEGV", 13: "PIPE", 15: "TERM"][number] ?? "\(number)"
    }
}
