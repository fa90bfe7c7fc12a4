// Riff
// SPDX-License-Identifier: Apache-2.0

/// Text that becomes one node, and where it is from.
private struct TextPiece {
    /// A range of the tree's text.
    var text: Range<Int>
    /// A range of the leaf's.
    var source: Range<Int>
    /// The index of a link's strings, if the text is an address.
    var link: Int?
}

/// Collects text that is next to each other, and finds places in the source.
struct InlineWriter {
    private var places: SourceMap.Cursor
    private let origin: Int
    /// The start of the leaf's text in the tree's.
    private let base: Int
    private var pieces: [TextPiece] = []
    /// Whether the leaf may hold e-mail addresses.
    var findsEmail = false
    /// The number of links that are open.
    var links = 0

    init(places: SourceMap.Cursor, origin: Int, base: Int) {
        self.places = places
        self.origin = origin
        self.base = base
    }

    /// Returns a record of a node for a range of the leaf's text. Ranges come in order.
    mutating func record(_ tag: NodeTag, _ range: Range<Int>) -> NodeRecord {
        var record = NodeRecord(tag: tag)
        record.start = UInt32(clamping: places.source(of: origin + range.lowerBound))
        record.stop = range.isEmpty ? record.start : UInt32(clamping: stop(range.upperBound))
        return record
    }

    /// The source's place of the end of something.
    mutating func stop(_ end: Int) -> Int { places.source(ofEnd: origin + end) }

    /// Adds text to what becomes the next node.
    mutating func add(_ text: Range<Int>, from source: Range<Int>) {
        guard !text.isEmpty else { return }
        if let last = pieces.last, last.text.upperBound == text.lowerBound,
            last.source.upperBound == source.lowerBound
        {
            pieces[pieces.count - 1].text = last.text.lowerBound..<text.upperBound
            pieces[pieces.count - 1].source = last.source.lowerBound..<source.upperBound
        } else {
            pieces.append(TextPiece(text: text, source: source))
        }
    }

    /// Writes the text that was collected, with e-mail addresses in it as links.
    mutating func flush(_ draft: inout TreeDraft) {
        guard !pieces.isEmpty else { return }
        if findsEmail, links == 0 { findEmail(&draft) }
        for piece in pieces {
            var text = record(.text, piece.source)
            text.setText(piece.text)
            guard let value = piece.link else {
                draft.add(text)
                continue
            }
            var link = text
            link.tag = .link
            link.value = UInt32(clamping: value)
            draft.enter(link)
            draft.add(text)
            draft.leave()
        }
        pieces.removeAll(keepingCapacity: true)
    }

    /// Cuts the collected text where e-mail addresses stand, which may go over several pieces.
    private mutating func findEmail(_ draft: inout TreeDraft) {
        guard pieces.contains(where: { draft.text[$0.text].contains(UInt8(ascii: "@")) }) else { return }
        let whole = joined(&draft)
        let found = draft.text.withUnsafeBufferPointer { EmailScanner.addresses(in: Bytes(rebasing: $0[whole])) }
        guard !found.isEmpty else { return }
        var cut = PieceCutter(pieces: pieces, whole: whole)
        var result: [TextPiece] = []
        var at = 0
        for address in found {
            if at < address.range.lowerBound { result.append(cut.piece(at..<address.range.lowerBound)) }
            var piece = cut.piece(address.range)
            piece.link = draft.strings.count
            draft.strings.append((address.needsScheme ? Array("mailto:".utf8) : []) + draft.text[piece.text])
            draft.strings.append([])
            result.append(piece)
            at = address.range.upperBound
        }
        if at < whole.count { result.append(cut.piece(at..<whole.count)) }
        pieces = result
    }

    /// All pieces as one range of the tree's text.
    private func joined(_ draft: inout TreeDraft) -> Range<Int> {
        if pieces.count == 1 { return pieces[0].text }
        let start = draft.text.count
        for piece in pieces { draft.text.append(contentsOf: Array(draft.text[piece.text])) }
        return start..<draft.text.count
    }
}

/// Cuts joined pieces, from the first on.
private struct PieceCutter {
    let pieces: [TextPiece]
    let whole: Range<Int>
    private var index = 0
    /// The start of the piece at ``index`` in the joined text.
    private var start = 0

    init(pieces: [TextPiece], whole: Range<Int>) {
        self.pieces = pieces
        self.whole = whole
    }

    mutating func piece(_ range: Range<Int>) -> TextPiece {
        let low = source(of: range.lowerBound)
        let high = max(source(of: range.upperBound - 1) + 1, low)
        return TextPiece(
            text: whole.lowerBound + range.lowerBound..<whole.lowerBound + range.upperBound,
            source: low..<high
        )
    }

    private mutating func source(of place: Int) -> Int {
        while index + 1 < pieces.count, place >= start + pieces[index].text.count {
            start += pieces[index].text.count
            index += 1
        }
        // What stands for something longer, such as a character reference, is where that starts.
        let piece = pieces[index]
        return min(piece.source.lowerBound + place - start, piece.source.upperBound - 1)
    }
}
