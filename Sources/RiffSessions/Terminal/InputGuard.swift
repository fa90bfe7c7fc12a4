// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// Decides how input reaches the program of a tmux session's pane, so that no mode, prompt or menu eats a byte of it
/// and no byte is added to it. Facts in, a route out; it does nothing itself.
///
/// A look before each input would prove nothing: the mode may change between the look and the write. So what leaves
/// every mode and prompt (``SafeKey/leaveEverything``) goes in front of the input, in the same write, and does nothing
/// where there is nothing to leave. Where the server was not seen to have the safe keys, the input goes around the
/// client.
package struct InputGuard: Sendable {
    /// The route that the bytes of one input take.
    package enum Route: Sendable, Hashable {
        /// Written to the terminal, in one write.
        case terminal([UInt8])
        /// Given to the pane by a command of its own, which first leaves every mode; prompts and menus are the client's
        /// and do not see it.
        case command([UInt8])
    }

    /// What is known of the safe keys on the server.
    package enum Assurance: Sendable, Hashable {
        /// There is no tmux: everything is written as it is.
        case notNeeded
        /// Nothing yet, or the server does not have them.
        case none
        /// The server was seen to have them, and has these prefix keys; the terminal is on this session.
        case checked(prefixes: Set<UInt8>, session: TmuxSessionID)
    }

    /// The depth to which the person is thought to have scrolled back.
    package private(set) var depth = ScrollDepth()
    /// What is known of the safe keys.
    package private(set) var assurance: Assurance
    private let protection: InputProtection
    private var stream = KeyStream()
    /// The server's own report of whether the pane is in a mode; `nil` if it is not watched.
    private var isInMode: Bool?
    /// Whether the last key was tmux's prefix: the next one is tmux's, too.
    private var followsPrefix = false
    /// Whether keys or clicks were meant for tmux, which may open a prompt or a menu on them. Keys that tmux reads
    /// together with these wait behind what they open, until the next ones come.
    package private(set) var isUnsettled = false
    /// Whether a paste was cut off with its connection, so that the program still waits for its end.
    private var owesPasteEnd = false

    /// A guard of a terminal that is not connected.
    ///
    /// - Parameters:
    ///   - protection: When input is protected.
    ///   - hasTmux: Whether a tmux client runs in the terminal.
    package init(_ protection: InputProtection, hasTmux: Bool) {
        self.protection = protection
        assurance = hasTmux ? .none : .notNeeded
    }

    /// Whether a line was begun and not sent.
    package var isInputDirty: Bool { stream.isDirty }
    /// Whether the pane is known, or thought, to show something else than its program's newest output.
    package var isScrolledBack: Bool { isInMode ?? depth.isScrolledBack }

    // MARK: Facts

    /// A new client runs in the terminal: what was begun on the one before is over, and nothing is known of the server.
    package mutating func connected() {
        if assurance != .notNeeded {
            assurance = .none
            owesPasteEnd = owesPasteEnd || stream.isInPaste
        }
        stream.restart()
        followsPrefix = false
        isUnsettled = false
    }

    /// tmux has read everything that was meant for it.
    package mutating func settled() { isUnsettled = false }

    /// The server was asked about the safe keys.
    package mutating func checked(_ check: SafeKeyCheck) {
        guard assurance != .notNeeded else { return }
        guard check.isPassed, let session = check.sessionID else {
            assurance = .none
            return
        }
        assurance = .checked(prefixes: check.prefixes, session: session)
    }

    /// The server says whether the pane is in a mode; `nil` where it does not say any more.
    package mutating func heard(isInMode: Bool?) {
        if self.isInMode == true, isInMode == false { depth.reset() }
        self.isInMode = isInMode
    }

    // MARK: Input

    /// The wheel is turned.
    ///
    /// - Parameter ticks: How far; positive is up.
    /// - Returns: What to write; nothing in the middle of a key or a paste.
    package mutating func scroll(_ ticks: Int) -> [UInt8] {
        guard stream.isBetweenKeys else { return [] }
        depth.scroll(WheelReport.counted(ticks))
        return WheelReport.bytes(ticks)
    }

    /// Returns the route by which to leave everything without any input; `nil` if that needs the command, or nothing.
    package mutating func leave() -> Route? {
        guard assurance != .notNeeded, stream.isBetweenKeys else { return nil }
        depth.reset()
        followsPrefix = false
        if case .checked(_, let session) = assurance { return .terminal(SafeKey.leaveEverything(on: session)) }
        return .command([])
    }

    /// Bytes for tmux itself.
    package mutating func steer(_ bytes: [UInt8]) {
        note(stream.take(bytes, reachesLine: false))
        isUnsettled = assurance != .notNeeded
    }

    /// Bytes for the program.
    ///
    /// - Parameters:
    ///   - bytes: Whole keys or a part of one; text; or what the terminal reports by itself, which is no input of
    ///     anybody and leaves no mode.
    ///   - isText: Whether it is text, which is never tmux's, also not after its prefix key.
    /// - Returns: How they travel.
    package mutating func route(_ bytes: [UInt8], isText: Bool = false) -> Route {
        let isAfterPrefix = followsPrefix && !isText
        let piece = stream.take(bytes)
        note(piece)
        let isInput = piece.startsBetweenKeys && piece.holdsKeys && !isAfterPrefix
        guard isInput, needsProtection || (isText && assurance != .notNeeded) else { return .terminal(bytes) }
        let front = takeFront()
        let isEscape = bytes == Self.escape
        if isEscape { stream.restart() }
        guard case .checked = assurance else { return .command(front + bytes) }
        return .terminal(front + (isEscape ? SafeKey.escape : bytes))
    }

    /// Returns the bytes that make tmux check that the terminal is still on its session, without any input; `nil` if
    /// there is no safe way to ask, or in the middle of a key or a paste.
    package mutating func checkPlace() -> [UInt8]? {
        guard case .checked(_, let session) = assurance, stream.isBetweenKeys, !followsPrefix else { return nil }
        return SafeKey.place(session)
    }

    /// Whether a text holds a character that tmux would take for its prefix key or for a session's: it must not travel
    /// as keys.
    package func holdsPrefix(_ text: [UInt8]) -> Bool {
        guard case .checked(let prefixes, _) = assurance else { return false }
        return text.contains { prefixes.contains($0) || $0 == SafeKey.placeLead }
    }

    /// A paste that the server has in a buffer, and for which it waits behind a key.
    ///
    /// - Parameters:
    ///   - key: The character that, after ``SafeKey/shieldNext``, pastes the buffer.
    ///   - bytes: The text.
    /// - Returns: What to write; `nil` where the server does not have the safe keys, or in the middle of a key.
    package mutating func paste(_ key: Character, of bytes: [UInt8]) -> [UInt8]? {
        guard case .checked = assurance, stream.isBetweenKeys else { return nil }
        stream.noteText(bytes)
        followsPrefix = false
        return takeFront() + SafeKey.shieldNext + Array(String(key).utf8)
    }

    /// Returns the bytes that precede protected input.
    private mutating func takeFront() -> [UInt8] {
        depth.reset()
        defer { owesPasteEnd = false }
        let owed = owesPasteEnd ? Self.pasteEnd : []
        if case .checked(_, let session) = assurance { return SafeKey.leaveEverything(on: session) + owed }
        return owed
    }

    private var needsProtection: Bool {
        switch assurance {
        case .notNeeded: false
        case .checked: protection == .always || owesPasteEnd || mayBeInMode
        case .none: owesPasteEnd || mayBeInMode
        }
    }

    private var mayBeInMode: Bool { isInMode != false || depth.isScrolledBack }

    private mutating func note(_ piece: KeyStream.Piece) {
        depth.scroll(piece.wheelTicks)
        if piece.holdsClicks || followsPrefix { isUnsettled = assurance != .notNeeded }
        guard piece.holdsKeys else { return }
        guard case .checked(let prefixes, _) = assurance, !followsPrefix else {
            followsPrefix = false
            return
        }
        followsPrefix = piece.lastKey.map(prefixes.contains) ?? false
    }

    private static let escape: [UInt8] = [0x1B]
    private static let pasteEnd = Array("\u{1B}[201~".utf8)
}
