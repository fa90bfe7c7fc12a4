// Riff
// SPDX-License-Identifier: Apache-2.0

/// The directory that a session starts in on a host: the home directory, a place beneath it, or an absolute path.
///
/// Only the host knows its home directory, so `$HOME` and `~` are left to its shell; the rest is text that nothing on
/// the way reads as anything else.
public struct StartDirectory: Sendable, Hashable {
    /// The text that a person wrote, for settings.
    public let rawValue: String
    private let word: ShellWord

    /// The home directory.
    public static let home = StartDirectory(rawValue: "$HOME", word: .home)

    /// A directory as a person writes it.
    ///
    /// - Parameter text: `$HOME`, `${HOME}` or `~`, alone or with a `/` and a path after it; an absolute path; or a
    ///   path relative to the home directory. Nothing, or white space alone, is the home directory.
    /// - Throws: ``CoreError`` with `invalidStartDirectory` for a NUL, and for `~name`: another account's home.
    public init(_ text: String) throws(CoreError) {
        guard !text.utf8.contains(0) else {
            throw CoreError(.invalidStartDirectory, "The start directory holds a NUL character. Remove it.")
        }
        guard !text.allSatisfy(\.isWhitespace) else {
            self = .home
            return
        }
        for prefix in ["$HOME", "${HOME}", "~"] {
            guard text == prefix || text.hasPrefix(bytes: prefix + "/") else { continue }
            self.init(rawValue: text, word: Self.underHome(String(text.dropFirst(prefix.count))))
            return
        }
        guard !text.hasPrefix("~") else {
            let message = "The start directory \"\(text)\" names another account's home. Write its path in full."
            throw CoreError(.invalidStartDirectory, message, recovery: .openSettings(.startDirectory))
        }
        self.init(rawValue: text, word: text.hasPrefix(bytes: "/") ? ShellWord(text) : Self.underHome("/" + text))
    }

    private init(rawValue: String, word: ShellWord) {
        self.rawValue = rawValue
        self.word = word
    }

    /// The directory as one argument of any command but tmux's.
    package var shellWord: ShellWord { word }

    /// The directory for tmux's `-c`, which tmux expands as a format.
    package var formatWord: ShellWord { word.mapText(TmuxFormat.escape) }

    private static func underHome(_ rest: String) -> ShellWord {
        rest.isEmpty ? .home : ShellWord([.variable("HOME"), .text(rest)])
    }
}

extension CoreErrorCode {
    /// The text cannot be a directory to start in.
    public static let invalidStartDirectory = CoreError.Code(rawValue: "invalidStartDirectory")
}
