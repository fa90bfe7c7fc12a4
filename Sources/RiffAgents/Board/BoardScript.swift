// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The script that looks for agents on a host. It runs in one channel for as long as the board looks, and does nothing
/// between two requests.
enum BoardScript {
    /// The line that starts it, for any login shell.
    ///
    /// - Parameters:
    ///   - mark: The word before each row, which nobody on the host can know.
    ///   - socket: The tmux server.
    /// - Returns: The line.
    /// - Throws: `CoreError` with `nulInArgument`.
    static func line(mark: String, socket: TmuxSocket) throws(CoreError) -> String {
        let tmux = ["tmux", "-u"] + socket.words.map { $0.resolved(in: [:]) }
        let words = ["exec", "sh", "-c", text, "riff-agents", mark] + tmux
        return try LoginShellCommand(ShellQuoting.join(words)).line
    }

    /// A word that nobody can guess.
    static func mark() -> String {
        var generator = SystemRandomNumberGenerator()
        return "RIFF" + String(generator.next() as UInt64, radix: 36)
    }
}

/// A request to the script.
package enum BoardRequest: Hashable, Sendable {
    /// What changed since the last look.
    case look
    /// The processes with these names or numbers.
    case find([String])
    /// What panes show.
    case show([String])
    /// Bytes of a record.
    case tail(from: UInt64, count: Int, file: String)

    /// The line that asks.
    package var line: String {
        switch self {
        case .look: "look"
        case .find(let names): "find " + names.joined(separator: " ")
        case .show(let panes): "show " + panes.joined(separator: " ")
        case .tail(let from, let count, let file): "tail \(from) \(count) \(file)"
        }
    }
}
