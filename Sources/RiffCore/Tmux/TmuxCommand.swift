// Riff
// SPDX-License-Identifier: Apache-2.0

/// One call of `tmux`: a server, and commands that it runs in order in one go.
///
/// Arguments are text: a `;` at an argument's end, which tmux would read as the end of a command, is kept as text.
/// tmux stops at the first command that fails.
public struct TmuxCommand: Sendable, Hashable {
    /// The socket of the server.
    public let socket: TmuxSocket
    /// Options of `tmux` itself besides the server, such as `-C`.
    public let flags: [ShellWord]
    /// The commands, each with its arguments.
    public private(set) var commands: [[ShellWord]]
    /// The conditions on the host for the session that the call may make.
    package var startCheck: StartCheck?

    /// A call with one command.
    public init(_ socket: TmuxSocket, _ words: [ShellWord], flags: [ShellWord] = []) {
        self.socket = socket
        self.flags = flags
        commands = [words]
    }

    /// A call with any number of commands; with none, tmux makes a session of its own choice.
    public init(_ socket: TmuxSocket, commands: [[ShellWord]]) {
        self.socket = socket
        flags = []
        self.commands = commands
    }

    /// The call with one command more, run after the others.
    public func then(_ words: [ShellWord]) -> TmuxCommand {
        var longer = self
        longer.commands.append(words)
        return longer
    }

    /// The call with its commands changed.
    package func mapCommands(_ change: ([ShellWord]) -> [ShellWord]) -> TmuxCommand {
        var other = self
        other.commands = commands.map(change)
        return other
    }

    /// The call with more commands, run after the others.
    package func then(_ more: [[ShellWord]]) -> TmuxCommand {
        var longer = self
        longer.commands += more
        return longer
    }

    /// The call on a command line of dash, bash, zsh or fish, the commands joined by `\;`.
    ///
    /// `-u` says that what reads the output reads UTF-8: without it tmux asks the locale, which SSH rarely brings
    /// along, and shows `_` for every character outside of ASCII, in terminals and in lists.
    ///
    /// - Returns: The line, from `tmux` on.
    /// - Throws: ``CoreError`` with `nulInArgument` or `invalidVariableName`.
    public func line() throws(CoreError) -> String {
        let check = if let startCheck { try startCheck.words(for: socket) } else { [ShellWord]() }
        var line = try (check + ["tmux", "-u"] + flags + socket.words).quotedLine()
        for (index, words) in commands.enumerated() {
            line += index == 0 ? " " : " \\; "
            line += try words.map(Self.escaped).quotedLine()
        }
        return line
    }

    /// The call for a program started without a shell.
    ///
    /// - Parameter environment: The values of the variables that arguments mention.
    /// - Returns: The program and its arguments. A folder or a program that is not there is not looked for.
    public func arguments(environment: [String: String]) -> [String] {
        let words = commands.map { $0.map(Self.escaped) }.joined(separator: [";"])
        return (["tmux", "-u"] + flags + socket.words + words).map { $0.resolved(in: environment) }
    }

    /// Returns a word whose last `;` is escaped: tmux takes the last `;` of an argument for a separator, unless a
    /// backslash precedes it (tmux(1), COMMAND PARSING AND EXECUTION); it then takes the backslash away.
    private static func escaped(_ word: ShellWord) -> ShellWord {
        guard case .text(let text)? = word.parts.last, text.hasSuffix(";") else { return word }
        return ShellWord(word.parts.dropLast() + [.text(text.dropLast() + "\\;")])
    }
}
