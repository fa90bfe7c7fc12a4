// Riff
// SPDX-License-Identifier: Apache-2.0

/// Holds back the words with which a host's agent says that it has nothing to say: `NO_REPLY`, `HEARTBEAT_OK`, and what
/// is left of them. They are no answer, and are neither shown nor kept.
///
/// ```swift
/// var sentinel = ReplySentinel()
/// show(sentinel.append(piece))     // nothing, while it may be one of these words
/// show(sentinel.finish())
/// if sentinel.isSilent { dropTheBubble() }
/// ```
package struct ReplySentinel: Sendable, Hashable {
    /// A whole reply that is one of these, or begins with one, says nothing.
    private static let words = ["NO_REPLY", "NO_REPL", "HEARTBEAT_OK", "HEARTBEAT"]

    /// White space before anything else. It is kept apart, so that a reply of nothing else is looked at once.
    private var blank = ""
    private var held = ""
    private var isOpen = true
    private var hasShown = false

    /// At the beginning of a reply.
    package init() {}

    /// Whether it is certain that the reply says nothing: it is one of the words, or begins with one.
    package var isMatched: Bool { !isOpen && !held.isEmpty }

    /// Takes the next piece of the reply.
    ///
    /// - Returns: What to show now.
    package mutating func append(_ piece: String) -> String {
        // Behind such a word nothing is shown, too.
        guard isOpen else { return isMatched ? "" : piece }
        let text = held.isEmpty ? piece.drop(while: \.isWhitespace) : piece[...]
        if held.isEmpty { blank += piece[..<text.startIndex] }
        held += text
        if held.isEmpty { return "" }
        if Self.words.contains(where: { held.utf8.starts(with: $0.utf8) }) {
            isOpen = false
            return ""
        }
        if Self.words.contains(where: { $0.utf8.starts(with: held.utf8) }) { return "" }
        isOpen = false
        return release()
    }

    /// Ends the reply.
    ///
    /// - Returns: What to show at last: a reply that only began like one of the words.
    package mutating func finish() -> String {
        guard isOpen else { return "" }
        isOpen = false
        return held.isEmpty ? "" : release()
    }

    /// Whether there is nothing to show or keep of the reply; certain once it is finished.
    package var isSilent: Bool { !hasShown }

    private mutating func release() -> String {
        defer { (blank, held) = ("", "") }
        hasShown = true
        return blank + held
    }

    /// Whether a whole reply says nothing.
    package static func isSilent(_ text: String) -> Bool {
        var sentinel = ReplySentinel()
        _ = sentinel.append(text)
        _ = sentinel.finish()
        return sentinel.isSilent
    }
}
