// Riff
// SPDX-License-Identifier: Apache-2.0

/// The part of an agent's Markdown that is worth hearing: sentences, without code, addresses, paths, references, marks
/// and pictures such as emoji.
public struct SpokenProse: Sendable {
    /// The most characters that are spoken.
    public var limit: Int

    /// 1,200 characters, a minute and a half, unless said otherwise.
    public init(limit: Int = 1_200) { self.limit = limit }

    /// The prose of a text.
    ///
    /// - Parameter markdown: An agent's answer.
    /// - Returns: One line for each paragraph, heading and item, each ended like a sentence; empty where there is only
    ///   code. It is cut between words where it would be longer than ``limit``.
    public func prose(of markdown: String) -> String {
        var (lines, fence, paragraph): ([String], String?, [String]) = ([], nil, [])
        var length = 0
        func end() {
            let text = InlineProse.text(of: paragraph.joined(separator: " "))
            if text.contains(where: { $0.isLetter || $0.isNumber }) {
                lines.append(SpokenProse.sentence(text))
                length += text.count
            }
            paragraph = []
        }
        for line in markdown.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            // The rest would be cut off.
            if length > limit { break }
            let block = ProseLine(line)
            if let open = fence {
                if block.closes(open) { fence = nil }
                continue
            }
            switch block.kind {
            case .fence(let mark):
                end()
                fence = mark
            case .nothing: end()
            case .item(let text):
                end()
                paragraph = [text]
            case .row(let cells):
                end()
                paragraph = [cells.joined(separator: ", ")]
                end()
            case .heading(let text):
                end()
                paragraph = [text]
                end()
            case .text(let text): paragraph.append(text)
            }
        }
        end()
        return cut(lines.joined(separator: "\n"))
    }

    private func cut(_ text: String) -> String {
        guard text.count > limit else { return text }
        let head = text.prefix(limit)
        // Where the limit falls between two words, the last one is whole.
        if text.dropFirst(limit).first?.isWhitespace == true { return String(head) }
        guard let space = head.lastIndex(where: \.isWhitespace) else { return String(head) }
        return String(head[..<space])
    }

    private static func sentence(_ text: String) -> String {
        guard let last = text.last(where: { !"\"')”’»".contains($0) }) else { return text }
        if ",;-–—".contains(last) { return String(text.dropLast()) + "." }
        return ".!?:…。！？".contains(last) ? text : text + "."
    }
}
