// Riff
// SPDX-License-Identifier: Apache-2.0

extension InlineParser {
    /// Writes the nodes of all tokens. The leaf's text starts at `origin` in the text whose places are known.
    mutating func write(_ bytes: Bytes, places: SourceMap.Cursor, origin: Int) {
        var writer = InlineWriter(places: places, origin: origin, base: base)
        writer.findsEmail = extensions.contains(.autolinks) && bytes.contains(UInt8(ascii: "@"))
        for index in tokens.indices {
            let token = tokens[index]
            switch token.kind {
            case .text, .bracket, .imageBracket: writeText(token, &writer)
            case .literal: writer.add(Int(token.value)..<Int(token.extra), from: token.range)
            case .run: writeRun(token, &writer)
            case .softBreak, .lineBreak:
                writer.flush(&draft)
                draft.add(writer.record(token.kind == .softBreak ? .softBreak : .lineBreak, token.range))
                if Int(token.end) == settledEnd { noteSettled() }
            case .html, .code, .codeLiteral, .math: writeSpan(token, &writer)
            case .link, .image:
                writer.flush(&draft)
                var link = writer.record(token.kind == .link ? .link : .image, token.range)
                link.value = UInt32(clamping: Int(token.value))
                draft.enter(link)
                writer.links += 1
            case .linkEnd:
                writer.flush(&draft)
                writer.links -= 1
                draft.leave(at: writer.stop(Int(token.end)))
            case .autolink: writeAddress(token, &writer)
            case .footnote: writeFootnoteMark(bytes, token, &writer)
            }
        }
        writer.flush(&draft)
    }

    /// Writes text; what is settled of an open leaf ends with a node.
    private mutating func writeText(_ token: InlineToken, _ writer: inout InlineWriter) {
        let (start, end) = (Int(token.start), Int(token.end))
        guard let settledEnd, start < settledEnd, settledEnd <= end else {
            return writer.add(base + start..<base + end, from: token.range)
        }
        writer.add(base + start..<base + settledEnd, from: start..<settledEnd)
        writer.flush(&draft)
        noteSettled()
        writer.add(base + settledEnd..<base + end, from: settledEnd..<end)
    }

    private mutating func writeRun(_ token: InlineToken, _ writer: inout InlineWriter) {
        if token.closes > 0 {
            writer.flush(&draft)
            for pair in 0..<token.closes { draft.leave(at: writer.stop(Int(pairs[Int(token.extra + pair)].end))) }
        }
        writer.add(base + Int(token.start)..<base + Int(token.end), from: token.range)
        guard token.value >= 0 else { return }
        writer.flush(&draft)
        var pair = Int(token.value)
        while pair >= 0 {
            draft.enter(writer.record(pairs[pair].tag, Int(pairs[pair].start)..<Int(pairs[pair].start)))
            pair = Int(pairs[pair].inner)
        }
    }

    private mutating func writeSpan(_ token: InlineToken, _ writer: inout InlineWriter) {
        writer.flush(&draft)
        let tag: NodeTag = token.kind == .html ? .htmlSpan : token.kind == .math ? .mathSpan : .codeSpan
        var span = writer.record(tag, token.range)
        switch token.kind {
        case .html: span.setText(base + Int(token.start)..<base + Int(token.end))
        case .codeLiteral: span.setText(Int(token.value)..<Int(token.extra))
        default: span.setText(base + Int(token.value)..<base + Int(token.extra))
        }
        draft.add(span)
    }

    private mutating func writeAddress(_ token: InlineToken, _ writer: inout InlineWriter) {
        writer.flush(&draft)
        var link = writer.record(.link, token.range)
        var text = link
        link.value = UInt32(clamping: Int(token.value))
        draft.enter(link)
        text.tag = .text
        text.setText(Int(token.extra)..<Int(token.closes))
        draft.add(text)
        draft.leave()
    }

    private mutating func writeFootnoteMark(_ bytes: Bytes, _ token: InlineToken, _ writer: inout InlineWriter) {
        let label = token.range.lowerBound + 2..<token.range.upperBound - 1
        let name = LinkLabel(bytes[label])
        if let name, let footnote = footnotes[name] {
            writer.flush(&draft)
            var mark = writer.record(.footnoteMark, token.range)
            mark.value = UInt32(clamping: draft.footnotes.count)
            draft.footnotes.append(FootnoteMark(label: name, text: footnote))
            draft.add(mark)
        } else {
            if let name { unresolved.insert(name) }
            writer.add(base + Int(token.start)..<base + Int(token.end), from: token.range)
        }
    }

    private mutating func noteSettled() { settledRecords = draft.records.count }
}
