// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// What does not go through the terminal.
extension InputSafety {
    /// A buffer of the server, and a key that pastes it.
    struct LoadedPaste: Sendable {
        let buffer: String
        let key: Character
    }

    /// Gives keys to the pane by commands; without any, only leaves its mode.
    ///
    /// - Throws: `inputNotDelivered`, `CancellationError`.
    func give(_ bytes: [UInt8]) async throws {
        guard let delivery else { throw notDelivered("no tmux is known") }
        guard !bytes.isEmpty else { return try await run(try delivery.leave()) }
        try await run(try delivery.keys(through: Self.bufferName()), input: bytes)
    }

    /// Gives a text to the pane by a command, between marks where the program asked for them.
    func giveText(_ bytes: [UInt8]) async throws {
        guard let delivery else { throw notDelivered("no tmux is known") }
        try await run(try delivery.text(through: Self.bufferName()), input: bytes)
    }

    /// Puts a text where one key will paste it, whole and in the order of keys, whatever mode the pane is in then.
    func load(_ bytes: [UInt8]) async throws -> LoadedPaste {
        guard let delivery else { throw notDelivered("no tmux is known") }
        // A character that no person's key is, so that two devices that paste at the same moment do not meet.
        let scalar = Unicode.Scalar(UInt32.random(in: 0x4E00...0x9FA5)) ?? "\u{4E00}"
        let paste = LoadedPaste(buffer: Self.bufferName(), key: Character(scalar))
        try await run(try delivery.loading(paste.buffer, behind: paste.key), input: bytes)
        return paste
    }

    /// Takes back what was loaded and could not be pasted. If the host cannot be reached soon, it stays until the server
    /// ends.
    func unload(_ paste: LoadedPaste) async {
        // The same words were put on a command line before.
        guard let line = try? delivery?.unloading(paste.buffer, behind: paste.key) else { return }
        await errands?.runLater(line)
    }

    /// Lets tmux act on keys that were meant for it, before others follow: a prompt that a key opens takes no key that is
    /// read together with it.
    func settle() async {
        guard isUnsettled, let tmux, let errands else { return }
        let command = TmuxCommand(tmux.server.socket, ["display-message", "-p", ""])
        // An answer of any kind says that the keys before were read.
        if let line = try? command.line() { _ = await errands.run(line, input: []) }
        settled()
    }

    private var delivery: PaneDelivery? { tmux.map { PaneDelivery($0.server, $0.session) } }

    private func run(_ line: String, input: [UInt8] = []) async throws {
        guard let errands else { throw notDelivered("there is no way to run a command beside it") }
        let report = await errands.run(line, input: input)
        try Task.checkCancellation()
        switch report.outcome {
        case .output(_, 0): return
        case .output: throw notDelivered(InertText.line(String(report.diagnostics.prefix(200))))
        default: throw notDelivered("the host did not run a command beside the terminal")
        }
    }

    private func notDelivered(_ reason: String) -> TransportError {
        let session = tmux.map { "The tmux session \($0.session)" } ?? "The terminal"
        return TransportError(.inputNotDelivered, "\(session) did not get the input: \(reason).", recovery: .retry)
    }

    private static func bufferName() -> String { "riff-\(String(UInt64.random(in: .min ... .max), radix: 16))" }
}

extension TransportError.Code {
    /// Input could not be given to the program of a tmux session, which is in a mode that would take it.
    public static let inputNotDelivered = TransportError.Code(rawValue: "inputNotDelivered")
}
