// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

extension TerminalSession {
    /// The most bytes of a paste that go through the terminal in one write with what leaves the mode. More go into a
    /// buffer of tmux, which writes them to the program at once: tmux takes keys at 250 KB/s, and serves nobody else
    /// meanwhile (3.3a).
    private static let mostTyped = 4096
    /// The number of bytes that are written at a time if there is no tmux.
    private static let chunk = 16 * 1024
    /// The time that a program whose pane was in a mode has to show that it wants marks around a paste.
    private static let wishLimit = Duration.seconds(2)

    /// Pastes a text that a person copied, was sent or shared: data, never keys.
    ///
    /// Where the program asked for bracketed paste, lines and tabs stay; else they become spaces, since a line's end
    /// would be the Return key. Control characters and the marks of a paste are taken out in any case. A text of any
    /// size arrives whole and in its place among the keys written before and after it. A large one is brought to the
    /// host in pieces, so that commands on the host do not wait for all of it.
    ///
    /// - Parameter text: The text; one that holds nothing to type pastes nothing.
    /// - Throws: As ``type(_:submit:)``, but for `textNotSubmitted`. After a `CancellationError` the text may stand at
    ///   the prompt.
    public nonisolated func paste(_ text: String) async throws {
        try await onThisConnection { connection in
            guard try await self.pasteText(text, on: connection) else { return }
            try await self.confirm("the text", on: connection)
        }
    }

    /// Pastes a text.
    ///
    /// - Returns: Whether it holds anything to type.
    @discardableResult
    nonisolated func pasteText(_ text: String, on connection: TerminalConnection) async throws -> Bool {
        try await becomeReady(on: connection)
        try await safety.settle(on: connection)
        let isBracketed = try await wantsMarks(around: text, on: connection)
        guard let paste = InertText.paste(text, bracketed: isBracketed) else { return false }
        try await self.paste(paste, isBracketed: isBracketed, on: connection)
        return true
    }

    /// Types a text that was made harmless: as a paste if the program asked for marks around one, which it does not act
    /// on letter by letter, else as keys.
    nonisolated func typeText(_ bytes: [UInt8], on connection: TerminalConnection) async throws {
        try await becomeReady(on: connection)
        try await safety.settle(on: connection)
        let isBracketed = safety.wantsPasteMarks
        guard isBracketed || safety.tmux == nil else {
            // In a mode tmux does not tell its client what the program wants, and whether there is one may change at
            // any moment. It puts marks around what it pastes itself.
            return try await pasteBuffered(bytes, on: connection)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let paste = InertText.paste(text, bracketed: isBracketed) else { return }
        try await self.paste(paste, isBracketed: isBracketed, on: connection)
    }

    private nonisolated func paste(
        _ paste: InertText,
        isBracketed: Bool,
        on connection: TerminalConnection
    ) async throws {
        let text = Array(paste.text.utf8)
        if safety.tmux != nil, text.count > Self.mostTyped || safety.holdsPrefix(text) {
            try await pasteBuffered(text, on: connection)
        } else {
            try await pasteTyped(paste.bytes, isBracketed: isBracketed, on: connection)
        }
    }

    /// Whether the program asked for marks. While tmux shows something else, it does not say; so that is left first.
    private nonisolated func wantsMarks(
        around text: String,
        on connection: TerminalConnection
    ) async throws -> Bool {
        if safety.wantsPasteMarks { return true }
        guard text.contains(where: { $0.isNewline || $0 == "\t" }), let plan = safety.planLeaving() else {
            return false
        }
        try await carryOut(plan, on: connection)
        return try await safety.waitForPasteMarks(within: Self.wishLimit)
    }

    private nonisolated func pasteTyped(
        _ bytes: [UInt8],
        isBracketed: Bool,
        on connection: TerminalConnection
    ) async throws {
        var sent = 0
        do {
            while sent < bytes.count {
                let part = Array(bytes[sent..<min(sent + Self.chunk, bytes.count)])
                try await deliver(part, isText: true, on: connection)
                sent += part.count
            }
        } catch {
            // A program that was told of a paste must be told its end, or it takes all keys for a part of it. Several
            // pieces are written only where there is no tmux, and there a lost connection is the program's end.
            if isBracketed, sent > 0 {
                await Task { try? await self.deliver(Array("\u{1B}[201~".utf8), on: connection) }.value
            }
            throw sent > 0 ? uncertain("a beginning of the text", error) : error
        }
    }

    /// Pastes by tmux itself, which puts marks around the text where the program asked for them.
    nonisolated func pasteBuffered(_ bytes: [UInt8], on connection: TerminalConnection) async throws {
        guard safety.hasSafeKeys else { return try await safety.giveText(bytes, on: connection) }
        let loaded = try await safety.load(bytes, on: connection)
        do {
            guard let plan = safety.planPaste(loaded.key, of: bytes) else {
                try require(connection)
                throw TransportError(
                    .inputNotDelivered,
                    "\(name) is in the middle of a key, or was reconnected during the paste.",
                    recovery: .retry
                )
            }
            try await carryOut(plan, on: connection)
            safety.sent(loaded)
        } catch {
            await safety.unload([loaded])
            throw error
        }
    }
}
