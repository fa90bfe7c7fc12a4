// Riff
// SPDX-License-Identifier: Apache-2.0

extension InertText {
    /// The most bytes that an error's sentence has.
    package static let messageLimitBytes = 4_000

    /// A sentence for a person that may have a peer's words in it: one line without control characters, of at most
    /// ``messageLimitBytes``. Its middle is what is left out, because what to do stands at its end.
    ///
    /// Every error's message passes here, whoever made it: a server that was not even verified yet can say anything.
    package static func message(_ sentence: String) -> String {
        isPlain(sentence) ? sentence : line(shortened(sentence, limitBytes: messageLimitBytes))
    }

    /// A peer's words as they are quoted inside of a sentence: one line, with its middle left out where it is long.
    ///
    /// - Parameters:
    ///   - words: What the peer said.
    ///   - limitBytes: The most bytes of it that are shown.
    /// - Returns: The words; nothing where nothing of them can be shown.
    package static func quote(_ words: String, limitBytes: Int = 300) -> String {
        line(shortened(words, limitBytes: limitBytes))
    }

    /// A peer's words of several lines, as they are shown to a person: without control characters but tabs and line
    /// ends, and with the middle left out where they are long.
    ///
    /// - Parameters:
    ///   - words: What the peer said.
    ///   - limitBytes: The most bytes of it that are shown.
    /// - Returns: The words.
    package static func paragraph(_ words: String, limitBytes: Int) -> String {
        prompt(shortened(words, limitBytes: limitBytes))
    }

    /// Whether a sentence is what it would become, as nearly all are.
    private static func isPlain(_ sentence: String) -> Bool {
        let bytes = sentence.utf8
        guard bytes.count <= messageLimitBytes, bytes.first != 0x20, bytes.last != 0x20 else { return false }
        return bytes.allSatisfy { (0x20..<0x7F).contains($0) }
    }

    /// Cut by bytes, since a single character can be of any length; never within a scalar.
    private static func shortened(_ text: String, limitBytes: Int) -> String {
        let bytes = text.utf8
        guard bytes.count > limitBytes else { return text }
        let tail = limitBytes / 3
        let gap = " \u{2026} "
        // Both cuts move back to the beginning of a scalar, the second one by up to three bytes.
        let end = bytes.index(bytes.startIndex, offsetBy: limitBytes - tail - gap.utf8.count - 3)
        let start = bytes.index(bytes.endIndex, offsetBy: -tail)
        return String(text.unicodeScalars[..<end]) + gap + String(text.unicodeScalars[start...])
    }
}
