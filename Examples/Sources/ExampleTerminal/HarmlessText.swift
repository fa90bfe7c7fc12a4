// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore

/// Text for a person's terminal or for a pipe, in which nobody but the program itself can give the terminal a
/// command.
///
/// Everything that writes takes this and no `String`, so that no place can forget it: a literal is the program's own,
/// and whatever is put into one is somebody's words. Those come as one line, unless they are put in as `lines:`.
package struct HarmlessText: Sendable, Hashable, ExpressibleByStringInterpolation {
    package private(set) var text: String

    /// Takes somebody's words, in the lines that they have.
    package init(_ words: String) { text = Self.lines(of: words) }

    /// Takes what a renderer has made of somebody's words, such as a screen's picture. It is trusted as it is: what
    /// goes into the renderer is not.
    package init(drawn text: String) { self.text = text }

    package init(stringLiteral text: String) { self.text = text }
    package init(stringInterpolation parts: StringInterpolation) { text = parts.text }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { text += literal }

        /// Takes somebody's words, as one line.
        package mutating func appendInterpolation(_ words: String) { text += InertText.line(words) }

        /// Takes somebody's words, in the lines that they have.
        package mutating func appendInterpolation(lines words: String) { text += HarmlessText.lines(of: words) }

        /// Takes what is harmless already.
        package mutating func appendInterpolation(_ harmless: HarmlessText) { text += harmless.text }

        /// Anything else, by its description as one line.
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += InertText.line(value.description)
        }
    }

    package static func + (left: HarmlessText, right: HarmlessText) -> HarmlessText {
        HarmlessText(drawn: left.text + right.text)
    }

    package static func += (left: inout HarmlessText, right: HarmlessText) { left.text += right.text }

    /// Text without what a terminal would obey. Its lines end with a line feed alone: a carriage return that comes in
    /// another piece than the line feed after it is none either.
    private static func lines(of words: String) -> String {
        let isPlain = words.utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x09 || $0 == 0x0A }
        guard !isPlain else { return words }
        var kept = String.UnicodeScalarView()
        for scalar in words.unicodeScalars where scalar != "\r" {
            // Some terminals take them for the end of a line, and others for nothing.
            kept.append(scalar == "\u{2028}" || scalar == "\u{2029}" ? " " : scalar)
        }
        // A paste is what may hold lines, and may not press a key.
        return InertText.paste(String(kept), bracketed: true)?.text ?? ""
    }
}

extension Sequence<HarmlessText> {
    package func joined(separator: HarmlessText = "") -> HarmlessText {
        HarmlessText(drawn: map(\.text).joined(separator: separator.text))
    }
}
