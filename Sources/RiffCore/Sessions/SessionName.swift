// Riff
// SPDX-License-Identifier: Apache-2.0

/// The name of a tmux session, such as `riff` or `riff-2`.
public struct SessionName: Sendable, Hashable, Codable {
    /// The name as tmux keeps and lists it.
    public let rawValue: String

    /// The session that is always there: `riff`.
    public static let base = SessionName(unchecked: "riff")

    /// `riff-2`, `riff-3`, ...
    package static func numbered(_ number: Int) -> SessionName { SessionName(unchecked: "\(base)-\(number)") }

    /// A name for a session to be made.
    ///
    /// - Parameter name: A name that tmux would keep unchanged and find again: not empty, at most 128 bytes of UTF-8,
    ///   no `.` or `:` (tmux makes them `_`), no control character and no `\` (tmux writes them as escapes), no `$`
    ///   before a letter, `_` or `{` (the same), and none of `$`, `@`, `%`, `=` in front (tmux reads an id).
    /// - Throws: ``CoreError`` with `invalidSessionName`.
    public init(_ name: String) throws(CoreError) {
        guard Self.isKeptByTmux(name) else {
            let shown = name.unicodeScalars.prefix(64).map { $0.escaped(asASCII: false) }.joined()
            let message =
                "\"\(shown)\" cannot be a session's name. Use letters, digits and hyphens; not \".\", \":\" or \"\\\"."
            throw CoreError(.invalidSessionName, message)
        }
        rawValue = name
    }

    /// A name that a server listed; tmux made it, so it is taken as it is, unless it cannot be given to a command.
    package init?(listed name: String) {
        guard !name.isEmpty, !name.utf8.contains(0) else { return nil }
        rawValue = name
    }

    private init(unchecked name: String) { rawValue = name }

    /// Whether two names are the same to the byte, as tmux compares them.
    public static func == (left: SessionName, right: SessionName) -> Bool {
        left.rawValue.isSame(bytes: right.rawValue)
    }

    /// Hashes the bytes of the name.
    public func hash(into hasher: inout Hasher) { ByteName(rawValue).hash(into: &hasher) }

    /// Reads a name from a store.
    ///
    /// - Throws: `DecodingError` where the text is empty or holds a NUL.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let name = SessionName(listed: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a session name")
        }
        self = name
    }

    /// Writes the name as text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// The session and no other whose name begins alike: for `-t` of commands that take a session.
    public var target: ShellWord { ShellWord("=\(rawValue)") }
    /// The session's active pane: for `-t` of commands that take a window or a pane.
    public var paneTarget: ShellWord { ShellWord("=\(rawValue):") }

    /// The name for `-s`, which tmux expands as a format.
    package var formatWord: ShellWord { ShellWord(TmuxFormat.escape(rawValue)) }

    private static func isKeptByTmux(_ name: String) -> Bool {
        let scalars = Array(name.unicodeScalars)
        guard let first = scalars.first, name.utf8.count <= 128, !"$@%=".unicodeScalars.contains(first) else {
            return false
        }
        for (index, scalar) in scalars.enumerated() {
            if scalar.properties.generalCategory == .control || ".:\\".unicodeScalars.contains(scalar) { return false }
            if scalar == "$", index + 1 < scalars.count {
                let next = scalars[index + 1]
                if next == "_" || next == "{" || (next.isASCII && next.properties.isAlphabetic) { return false }
            }
        }
        return true
    }
}

extension SessionName: CustomStringConvertible {
    /// The name itself.
    public var description: String { rawValue }
}

extension CoreErrorCode {
    /// The text is not a name that tmux would keep.
    public static let invalidSessionName = CoreError.Code(rawValue: "invalidSessionName")
}
