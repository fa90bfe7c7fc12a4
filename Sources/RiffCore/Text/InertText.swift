// Riff
// SPDX-License-Identifier: Apache-2.0

/// Text that a person spoke, pasted or was sent, made safe to type into a terminal: it can be read there, and can
/// neither press a key, nor end a paste, nor show in another order than it runs.
///
/// Control characters (C0, DEL, C1) and the marks that turn the direction of writing (U+061C, U+200E, U+200F,
/// U+202A to U+202E, U+2066 to U+2069) never pass; a line's end passes only within a bracketed paste.
public struct InertText: Sendable, Hashable {
    /// The text that is left, as it is shown.
    public let text: String
    /// What is written to the terminal.
    public let bytes: [UInt8]

    /// Dictation: one line without white space around it, and one space after it, so that the next words stand apart.
    ///
    /// Tabs, line ends and the Unicode separators of lines and paragraphs become one space, however many stand
    /// together.
    ///
    /// - Parameter transcript: What was recognized.
    /// - Returns: `nil` where nothing is left to type.
    public static func dictation(_ transcript: String) -> InertText? {
        let line = line(transcript)
        guard !line.isEmpty else { return nil }
        return InertText(text: line + " ", bytes: Array((line + " ").utf8))
    }

    /// Returns a paste as inert text.
    ///
    /// - Parameters:
    ///   - text: What is pasted. Lines and tabs stay where the paste is bracketed, with `\n` at a line's end; else they
    ///     become spaces as in ``dictation(_:)``, since a line's end would be the Return key. White space around it
    ///     stays.
    ///   - bracketed: Whether the program asked for bracketed paste (DEC mode 2004). The marks around the paste are
    ///     then part of ``bytes``; any within the text are taken out.
    /// - Returns: `nil` where nothing is left to type.
    public static func paste(_ text: String, bracketed: Bool) -> InertText? {
        guard bracketed else {
            let line = flattened(text)
            return line.isEmpty ? nil : InertText(text: line, bytes: Array(line.utf8))
        }
        let lines = withoutControls(withoutPasteMarks(text), keepingLines: true)
        guard !lines.isEmpty else { return nil }
        return InertText(text: lines, bytes: Array("\u{1B}[200~\(lines)\u{1B}[201~".utf8))
    }

    /// One line without white space around it, for whatever else shows or types foreign text on one line.
    public static func line(_ text: String) -> String {
        let flat = flattened(text)
        guard let first = flat.firstIndex(where: { !$0.isWhitespace }),
            let last = flat.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(flat[first...last])
    }

    private static func flattened(_ text: String) -> String {
        var flat = String.UnicodeScalarView()
        var isInBreak = false
        for scalar in withoutPasteMarks(text).unicodeScalars {
            let isBreak = "\t\n\r\u{2028}\u{2029}".unicodeScalars.contains(scalar)
            if isBreak, !isInBreak { flat.append(" ") }
            if !isBreak, isRemoved(scalar) { continue }
            if !isBreak { flat.append(scalar) }
            isInBreak = isBreak
        }
        return String(flat)
    }

    private static func withoutControls(_ text: String, keepingLines: Bool) -> String {
        var kept = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\r", "\u{2028}", "\u{2029}": kept.append("\n")
            case "\n": if !isAfterReturn { kept.append("\n") }
            case "\t": kept.append("\t")
            default: if !isRemoved(scalar) { kept.append(scalar) }
            }
            isAfterReturn = scalar == "\r"
        }
        return String(kept)
    }

    /// A question of several lines, as it is shown to a person; the white space around it stays.
    package static func prompt(_ text: String) -> String { withoutControls(text, keepingLines: true) }

    private static func isRemoved(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The text without the marks that begin and end a bracketed paste, in their 7-bit and their 8-bit form, also those
    /// that only come to be where another is taken out. Without their escape character they would do nothing, but
    /// would be left to read.
    private static func withoutPasteMarks(_ text: String) -> String {
        var kept: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars {
            kept.append(scalar)
            guard scalar == "~" else { continue }
            for mark in pasteMarks where kept.suffix(mark.count).elementsEqual(mark) {
                kept.removeLast(mark.count)
                break
            }
        }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: kept)
        return String(result)
    }

    private static let pasteMarks: [[Unicode.Scalar]] = ["\u{1B}[200~", "\u{1B}[201~", "\u{9B}200~", "\u{9B}201~"]
        .map { Array($0.unicodeScalars) }
}
