// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffMarkdown

/// What libFuzzer calls with each input: a text whose first two bytes say what is read beyond CommonMark and how the
/// rest is cut. Nothing may be lost, and nothing may depend on the cuts.
// libFuzzer brings `main`; this package has none.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 2 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let extensions = MarkdownExtensions(rawValue: bytes[0] & 63)
    let chunk = Int(bytes[1]) % 16 + 1
    let text = bytes[2...]
    var whole = Reader(extensions)
    whole.take(whole.stream.append(bytes: text))
    whole.take(whole.stream.finish())
    var pieces = Reader(extensions)
    for start in stride(from: text.startIndex, to: text.endIndex, by: chunk) {
        pieces.take(pieces.stream.append(bytes: text[start..<min(start + chunk, text.endIndex)]))
        pieces.draw()
    }
    pieces.take(pieces.stream.finish())
    precondition(whole.blocks == pieces.blocks, "Blocks depend on how the text is cut.")
    precondition(
        whole.blocks.map(\.source).joined().utf8.elementsEqual(String(decoding: text, as: UTF8.self).utf8),
        "Something is lost."
    )
    return 0
}

/// One reading of a text.
private struct Reader {
    struct Block: Equatable {
        var source: String
        var html: [UInt8]
        var safe: [UInt8]
        var terminal: String
    }

    var stream: MarkdownStream
    var blocks: [Block] = []
    private var tail = ""
    private var drawn: MarkdownTail?

    init(_ extensions: MarkdownExtensions) { stream = MarkdownStream(extensions: extensions) }

    mutating func take(_ update: MarkdownUpdate) {
        for block in update.committed {
            precondition(block.id == blocks.count, "Ids do not count.")
            blocks.append(drawn(block))
        }
        for amendment in update.amended { blocks[amendment.block.id] = drawn(amendment.block) }
        let kept = Array(tail.utf8.prefix(update.tail.keepPrefixUTF8))
        tail = String(decoding: kept + update.tail.appended.utf8, as: UTF8.self)
        precondition(tail.utf8.elementsEqual(stream.tailSource.utf8), "The delta is not the tail's.")
    }

    private func drawn(_ block: MarkdownBlock) -> Block {
        for case .enter(let node) in block.root.events {
            let isInside = block.range.clamped(to: node.range) == node.range
            precondition(isInside || block.kind == .footnotes, "A node is not in its block.")
        }
        return Block(
            source: block.source,
            html: MarkdownHTML.exact(tagFilter: true).bytes(of: block.root),
            safe: MarkdownHTML().bytes(of: block.root),
            terminal: MarkdownANSI().text(of: block)
        )
    }

    mutating func draw() {
        let new = stream.tail(since: drawn)
        let whole = stream.tail()
        precondition(new.levels.count == whole.levels.count, "Levels are missing.")
        _ = MarkdownHTML().bytes(of: new.root)
        drawn = new
    }
}
