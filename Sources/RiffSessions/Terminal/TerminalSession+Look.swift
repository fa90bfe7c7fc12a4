// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

/// The screen of a session's pane at one moment, by tmux's own word: what a person would see who looked right now,
/// whether or not a front end draws it.
package struct PaneLook: Sendable, Hashable {
    /// The visible rows from the top, without the spaces at their end.
    package let rows: [String]
    /// The cursor's row, from 0.
    package let cursorRow: Int
    /// The cursor's column, from 0, in cells.
    package let cursorColumn: Int
    /// Whether the alternate screen is shown.
    package let isAlternate: Bool
    /// The name of the program in the foreground.
    package let program: String
    /// The command lines of the processes in the foreground, by the host's `ps`; empty if it did not tell.
    package let foreground: [String]

    /// Reads what ``TmuxServer/look(at:)`` printed; `nil` if it is something else.
    package init?(output: [UInt8]) {
        var lines = String(decoding: output, as: UTF8.self).split(byte: "\n", omittingEmptySubsequences: false)[
            ...
        ]
        let processes = lines.prefix { $0.hasPrefix("+ ") }
        lines = lines.dropFirst(processes.count)
        foreground = processes.map { InertText.line(String($0.dropFirst(2))) }
        guard let head = lines.first?.split(separator: " ", maxSplits: 3), head.count == 4, let row = Int(head[0]),
            let column = Int(head[1])
        else { return nil }
        cursorRow = row
        cursorColumn = column
        isAlternate = head[2] == "1"
        program = InertText.line(String(head[3]))
        // The last line end begins no row.
        rows = lines.dropFirst().dropLast(lines.last?.isEmpty == true ? 1 : 0).map(String.init)
    }
}

extension TmuxServer {
    /// Prints the screen of a session's active pane for ``PaneLook``, all of one moment, and before it the processes in
    /// the foreground: tmux tells the name of a shell also for a script that it runs.
    ///
    /// - Returns: A line of `sh`.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package func look(at session: TmuxSessionID) throws(CoreError) -> String {
        let format = "#{cursor_y} #{cursor_x} #{alternate_on} #{pane_current_command}"
        let look = TmuxCommand(socket, ["display-message", "-p", "-t", session.paneTarget, ShellWord(format)])
            .then(["capture-pane", "-p", "-t", session.paneTarget])
        let terminal = TmuxCommand(socket, ["display-message", "-p", "-t", session.paneTarget, "#{pane_tty}"])
        // A state with a plus is the foreground's, on Linux, macOS and BSD.
        let processes = #"ps -t "${tty#/dev/}" -o stat= -o args= 2>/dev/null"#
        let foreground = #"sed -n 's/^[^ ]*+[^ ]* *\(.\{1,400\}\).*/+ \1/p' | head -n 8"#
        return try "tty=$(\(terminal.line())); \(processes) | \(foreground); \(look.line())"
    }
}

/// A moment at which words that a person spoke would act on a program.
package enum SpokenInput: Sendable, Hashable {
    /// The words are about to be typed.
    case words
    /// The words stand there, and Return is about to be pressed.
    case submission
}

/// A sink for words that a person spoke, where a look at the screen allows each step.
package protocol GuardedTyping: Sendable {
    /// Types a text where a look at the screen allows it: before the words, and again before Return.
    ///
    /// - Parameters:
    ///   - text: The text, as for ``TerminalSession/type(_:submit:)``.
    ///   - submit: Whether Return follows.
    ///   - allow: Throws if the screen does not allow it; `nil` is a screen that cannot be looked at.
    /// - Throws: What `allow` throws, and then what it was asked for was not sent; as
    ///   ``TerminalSession/type(_:submit:)``.
    func typeSpoken(
        _ text: String,
        submit: Bool,
        allowedBy allow: @escaping @Sendable (PaneLook?, SpokenInput) async throws -> Void
    ) async throws
}

extension TerminalSession: GuardedTyping {
    package nonisolated func typeSpoken(
        _ text: String,
        submit: Bool,
        allowedBy allow: @escaping @Sendable (PaneLook?, SpokenInput) async throws -> Void
    ) async throws {
        guard let text = InertText.dictation(text) else { return }
        if submit {
            let submission = Submission(InertText.line(text.text))
            return try require(
                try await self.submit(submission, anyway: false, within: Self.waitLimit, allowedBy: allow) {
                    try await self.typeText(text.bytes, on: $0)
                }
            )
        }
        try await onThisConnection { connection in
            try await self.becomeReady(on: connection)
            try await allow(try await self.look(on: connection), .words)
            try await self.typeText(text.bytes, on: connection)
            try await self.confirm("the text", on: connection)
        }
    }

    /// Looks at the screen.
    ///
    /// - Returns: The screen; `nil` if there is no tmux to ask.
    /// - Throws: ``TransportError`` with `screenNotSeen`, `notConnected`, `CancellationError`.
    nonisolated func look(on connection: TerminalConnection) async throws -> PaneLook? {
        guard let tmux = safety.tmux, let errands = safety.errands else { return nil }
        guard let id = await safety.sessionID(on: connection) else {
            try Task.checkCancellation()
            throw notSeen
        }
        let report = await errands.run(
            try tmux.server.look(at: id),
            input: [],
            onlyWhile: safety.isWanted(connection.number)
        )
        try Task.checkCancellation()
        guard case .output(let output, 0) = report.outcome, let look = PaneLook(output: output) else { throw notSeen }
        return look
    }

    private nonisolated var notSeen: TransportError {
        let message = "The host did not tell what is on the screen of \(name), so nothing more was typed."
        return TransportError(.screenNotSeen, message, recovery: .retry)
    }
}

extension TransportErrorCode {
    /// The host did not tell what is on the screen of a session, which had to be known before something was typed.
    public static let screenNotSeen = TransportError.Code(rawValue: "screenNotSeen")
}
