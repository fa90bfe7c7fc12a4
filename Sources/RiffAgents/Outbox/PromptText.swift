// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The words of a prompt in the form in which two of them are compared: as it was sent, and as an agent wrote it down.
///
/// - CR LF and CR are LF: terminals and agents turn one into another.
/// - A tab is four spaces: Claude Code (2.1.331) writes it so. Codex keeps it, and four spaces match all the same.
/// - Space at the end of each line, and empty lines at both ends, do not count: composers trim them.
/// - A long paste in Claude Code stands between `<pasted_content id="x">` and `</pasted_content id="x">`; the two lines
///   are left out, if the id is the same in both.
///
/// Everything else counts to the byte; so do letters with accents that are spelled in two ways.
package struct PromptText: Sendable, Hashable {
    /// The lines in that form.
    private let lines: [[UInt8]]

    /// Brings a text into that form.
    package init(_ text: some StringProtocol) {
        var lines: [[UInt8]] = [[]]
        var isAfterReturn = false
        for byte in text.utf8 {
            defer { isAfterReturn = byte == 0x0D }
            switch byte {
            case 0x0A where isAfterReturn: continue
            case 0x0A, 0x0D: lines.append([])
            case 0x09: lines[lines.count - 1] += [0x20, 0x20, 0x20, 0x20]
            default: lines[lines.count - 1].append(byte)
            }
        }
        lines = Self.unwrapped(lines.map(Self.trimmed))
        let first = lines.firstIndex { !$0.isEmpty } ?? lines.endIndex
        let last = lines.lastIndex { !$0.isEmpty } ?? first
        self.lines = first < lines.endIndex ? Array(lines[first...last]) : []
    }

    /// Whether there are no words.
    package var isEmpty: Bool { lines.isEmpty }

    private static func trimmed(_ line: [UInt8]) -> [UInt8] {
        guard let last = line.lastIndex(where: { $0 != 0x20 }) else { return [] }
        return Array(line[...last])
    }

    /// Without the marks of pastes. The empty lines around a mark go with it.
    private static func unwrapped(_ lines: [[UInt8]]) -> [[UInt8]] {
        var kept: [[UInt8]] = []
        var open: [UInt8]?
        for line in lines {
            if open == nil, let id = id(line, after: "<pasted_content id=\"") {
                while kept.last?.isEmpty == true { kept.removeLast() }
                open = id
            } else if let wanted = open, id(line, after: "</pasted_content id=\"") == wanted {
                open = nil
            } else {
                kept.append(line)
            }
        }
        // A mark without its end was a person's own words.
        return open == nil ? kept : lines
    }

    /// The id of a mark, of plain characters.
    private static func id(_ line: [UInt8], after start: String) -> [UInt8]? {
        guard line.starts(with: start.utf8), line.count > start.utf8.count + 2, line.suffix(2) == Array("\">".utf8)
        else { return nil }
        let id = line.dropFirst(start.utf8.count).dropLast(2)
        let isPlain = id.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
        return isPlain && id.count <= 64 ? Array(id) : nil
    }
}
