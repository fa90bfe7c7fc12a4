// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting

/// One input, and what the program of a pane gets of it.
package struct Input: Sendable {
    /// How it is given.
    package enum Kind: Sendable {
        case keys([UInt8])
        case text(String, submit: Bool)
        case paste(String)
    }

    package let kind: Kind

    package init(_ kind: Kind) { self.kind = kind }

    /// The next one for a session. Each holds the session's own count, so that one that came twice, or in another's
    /// place, is seen.
    static func random(_ number: Int, _ generator: inout SeededGenerator) -> Input {
        let words = ["explain", "q", "jk/:", "é日本", "'\"$(x)`", ";", "#{pane_id}", "~", "a\\b", "0"]
        let word = words.randomElement(using: &generator) ?? "x"
        let mark = "<\(number) \(word) \(UInt16.random(in: .min ... .max, using: &generator))>"
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<40: return Input(.keys(Array(mark.utf8)))
        case 40..<48: return Input(.keys(Array("\(mark)\u{1B}[A\u{1B}[1;5C\r".utf8)))
        case 48..<52: return Input(.keys(Array("\u{3}\(mark)\u{1B}b\u{4}".utf8)))
        case 52..<56: return Input(.keys([0x1B]))
        case 56..<70: return Input(.text(mark, submit: false))
        case 70..<74: return Input(.text(mark, submit: true))
        case 74..<94: return Input(.paste(lines(mark, Int.random(in: 1...60, using: &generator))))
        case 94..<99: return Input(.paste(lines(mark, Int.random(in: 200...5_000, using: &generator))))
        default: return Input(.paste(lines(mark, Int.random(in: 10_000...20_000, using: &generator))))
        }
    }

    private static func lines(_ mark: String, _ count: Int) -> String {
        (0..<count).map { "\(mark)\t\($0) of a text\n" }.joined()
    }

    /// The writes that it goes in, each with the bytes that may come of it, in one form or another.
    ///
    /// A paste has lines between marks where the program asked for them. Where the terminal has not heard of that
    /// within two seconds, as on a network that stands still, they are spaces; tmux itself may put its marks around a
    /// large one.
    var writes: [[[UInt8]]] {
        switch kind {
        case .keys(let bytes): return [[bytes]]
        case .text(let text, let submit):
            let plain = InertText.dictation(text)?.bytes ?? []
            return [[plain, Self.pasteStart + plain + Self.pasteEnd]] + (submit ? [[[0x0D]]] : [])
        case .paste(let text):
            let marked = InertText.paste(text, bracketed: true)?.bytes ?? []
            let flat = InertText.paste(text, bracketed: false)?.bytes ?? []
            return [[marked, flat, Self.pasteStart + flat + Self.pasteEnd]]
        }
    }

    static let pasteStart = Array("\u{1B}[200~".utf8)
    static let pasteEnd = Array("\u{1B}[201~".utf8)
}
