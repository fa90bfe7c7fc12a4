// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

/// The input that does not go through the terminal.
extension InputSafety {
    /// A buffer of the server, and a key that pastes it.
    struct LoadedPaste: Sendable {
        let buffer: String
        let key: Character
    }

    /// Gives keys to the pane by commands; without any, only leaves its mode.
    ///
    /// - Throws: `inputNotDelivered`, `inputUncertain`, `CancellationError`.
    func give(_ bytes: [UInt8], on connection: TerminalConnection) async throws {
        let delivery = try await delivery(on: connection)
        guard !bytes.isEmpty else { return try await finish(try delivery.leave(), [], on: connection) }
        let last = try await upload(bytes, on: connection)
        try await finish(try delivery.keys(last.piece), last.bytes, from: last.piece.buffer, on: connection)
    }

    /// Gives a text to the pane by a command, between marks where the program asked for them.
    ///
    /// - Throws: As ``give(_:)``.
    func giveText(_ bytes: [UInt8], on connection: TerminalConnection) async throws {
        let delivery = try await delivery(on: connection)
        let last = try await upload(bytes, on: connection)
        try await finish(try delivery.text(last.piece), last.bytes, from: last.piece.buffer, on: connection)
    }

    /// Puts a text where one key will paste it, whole and in the order of keys, whatever mode the pane is in then.
    ///
    /// - Throws: `inputNotDelivered`, `CancellationError`.
    func load(_ bytes: [UInt8], on connection: TerminalConnection) async throws -> LoadedPaste {
        let buffers = try requiredBuffers
        // A character that no person's key is, so that two devices that paste at the same moment do not meet.
        let scalar = Unicode.Scalar(UInt32.random(in: 0x4E00...0x9FA5)) ?? "\u{4E00}"
        let last = try await upload(bytes, on: connection)
        let paste = LoadedPaste(buffer: last.piece.buffer, key: Character(scalar))
        do {
            try await run(try buffers.loading(last.piece, behind: paste.key), last.bytes, on: connection)
        } catch {
            // It may be there all the same.
            await unload([paste])
            throw error
        }
        return paste
    }

    /// Takes back what was loaded and was not pasted, or may not have been; one that was is gone, and no harm is done.
    /// If the host cannot be reached soon, it stays until the server ends.
    func unload(_ pastes: [LoadedPaste]) async {
        // The same words were put on a command line before.
        let lines = pastes.compactMap { try? buffers?.unloading($0.buffer, behind: $0.key) }
        if !lines.isEmpty { await errands?.runLater(lines.joined(separator: "; ")) }
    }

    /// Puts bytes into a new buffer, but for the last of them: each piece is a command of its own, between which others
    /// that wait for the host get their turn.
    ///
    /// - Returns: The last piece, for the line that uses the buffer.
    private func upload(
        _ bytes: [UInt8],
        on connection: TerminalConnection
    ) async throws -> (piece: PasteBuffers.Piece, bytes: [UInt8]) {
        let (buffers, buffer) = (try requiredBuffers, Self.bufferName())
        let stopwatch = Stopwatch(clock)
        var size = PieceSize()
        var start = 0
        while start + size.bytes < bytes.count {
            let end = start + size.bytes
            let begin = stopwatch.now
            do {
                let line = try buffers.adding(PasteBuffers.Piece(of: buffer, from: start, to: end))
                try await run(line, Array(bytes[start..<end]), on: connection)
            } catch {
                await discard(buffer)
                throw error
            }
            size.took(begin.duration(to: stopwatch.now))
            start = end
        }
        return (PasteBuffers.Piece(of: buffer, from: start, to: bytes.count), Array(bytes[start...]))
    }

    /// Takes a buffer away that may be there; none of it is to lie on the host for longer than it must.
    private func discard(_ buffer: String) async {
        // The same word was put on a command line before.
        if let line = try? buffers?.removing(buffer) { await errands?.runLater(line) }
    }

    /// Lets tmux act on keys that were meant for it, before others follow: a prompt that a key opens takes no key that
    /// is read together with it.
    ///
    /// - Throws: `inputNotDelivered` if the host gave no answer: nothing follows then.
    func settle(on connection: TerminalConnection) async throws {
        guard isUnsettled, let tmux, let errands else { return }
        let command = TmuxCommand(tmux.server.socket, ["display-message", "-p", ""])
        guard let line = try? command.line() else { return }
        let report = await errands.run(line, input: [], onlyWhile: isWanted(connection.number))
        try Task.checkCancellation()
        // An answer of any kind says that the keys before were read.
        switch report.outcome {
        case .output, .outputTooLarge: settled()
        case .connect(let error as TransportError) where error.code == .notConnected: throw error
        case .connect, .timeout, .closedEmpty, .closedEarly, .unsupportedShell: throw notDelivered(Self.silence)
        }
    }

    private var requiredBuffers: PasteBuffers {
        get throws {
            guard let buffers else { throw notDelivered("no tmux is known") }
            return buffers
        }
    }

    /// A way around the client. Never by the session's name: while a command waits for its turn the session may end,
    /// and another get its name.
    private func delivery(on connection: TerminalConnection) async throws -> PaneDelivery {
        guard let tmux else { throw notDelivered("no tmux is known") }
        guard let id = await sessionID(on: connection) else {
            try Task.checkCancellation()
            throw notDelivered("the host did not say which session that is")
        }
        return PaneDelivery(tmux.server, id)
    }

    /// Runs a line after which the program has nothing of the input yet.
    private func run(_ line: String, _ input: [UInt8], on connection: TerminalConnection) async throws {
        guard let errands else { throw notDelivered("there is no way to run a command beside it") }
        let report = await errands.run(line, input: input, onlyWhile: isWanted(connection.number))
        try Task.checkCancellation()
        if case .connect(let error as TransportError) = report.outcome, error.code == .notConnected { throw error }
        guard case .output(_, let status) = report.outcome else { throw notDelivered(Self.silence) }
        if status != 0 { throw notDelivered(InertText.line(String(report.diagnostics.prefix(200)))) }
    }

    /// Runs the line that gives the input to the program. Once begun it is not cancelled: a write is taken whole or not
    /// at all.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - input: Its standard input.
    ///   - buffer: What it uses, which it may leave behind where it is cut.
    ///   - connection: What the input was meant for.
    /// - Throws: `inputNotDelivered`, `inputUncertain`, `notConnected`, `CancellationError`.
    private func finish(
        _ line: String,
        _ input: [UInt8],
        from buffer: String? = nil,
        on connection: TerminalConnection
    ) async throws {
        guard let errands else { throw notDelivered("there is no way to run a command beside it") }
        try Task.checkCancellation()
        let isWanted = isWanted(connection.number)
        let report = await Task { await errands.run(line, input: input, onlyWhile: isWanted) }.value
        switch report.outcome {
        case .connect(let error as TransportError) where error.code == .notConnected: throw error
        case .output(_, 0): return
        case .output: throw notDelivered(InertText.line(String(report.diagnostics.prefix(200))))
        case .unsupportedShell: throw notDelivered(Self.silence)
        case .connect(let error) where !Self.mayHaveStarted(error): throw notDelivered(Self.silence)
        case .connect, .timeout, .closedEmpty, .closedEarly, .outputTooLarge:
            if let buffer { await discard(buffer) }
            let message = "\(named) may have got the input or not: the host fell silent. Look before typing on."
            throw TransportError(.inputUncertain, message)
        }
    }

    /// Whether a command that could not be started may have been: its start was asked for, and no answer came, also
    /// where the link was suspended.
    private static func mayHaveStarted(_ error: any RiffError) -> Bool {
        guard let code = (error as? TransportError)?.code else { return false }
        return code == .connectionLost || code == .timeout || code == .closed
    }

    private static let silence = "the host did not run a command beside the terminal"

    private func notDelivered(_ reason: String) -> TransportError {
        TransportError(.inputNotDelivered, "\(named) did not get the input: \(reason).", recovery: .retry)
    }

    private var named: String { tmux.map { "The tmux session \($0.session)" } ?? "The terminal" }

    private static func bufferName() -> String { "riff-\(String(UInt64.random(in: .min ... .max), radix: 16))" }
}

extension TransportErrorCode {
    /// Input could not be given to the program of a tmux session, which is in a mode that would take it.
    public static let inputNotDelivered = TransportError.Code(rawValue: "inputNotDelivered")
    /// Input was being given to a tmux session by a command when the host fell silent: all of it arrives, or nothing.
    public static let inputUncertain = TransportError.Code(rawValue: "inputUncertain")
}

/// The size of the text that is sent with one command: as much as takes about half a second, so that others who wait
/// for the host do not wait long, and a fast line is not slowed down by many commands.
private struct PieceSize {
    private(set) var bytes = 64 * 1024

    mutating func took(_ time: Duration) {
        if time < .milliseconds(250) { bytes = min(bytes * 2, 4 << 20) }
        if time > .seconds(1) { bytes = max(bytes / 2, 16 * 1024) }
    }
}
