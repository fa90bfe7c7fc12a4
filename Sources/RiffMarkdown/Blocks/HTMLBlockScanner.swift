// Riff
// SPDX-License-Identifier: Apache-2.0

/// The seven kinds of HTML block (CommonMark 4.6, as of 0.29).
enum HTMLBlockScanner {
    private static let verbatim: [StaticString] = ["script", "pre", "style"]

    /// The names that open the sixth kind, with a space between them: elements that hold blocks.
    private static let blockNames: Set<String> = [
        "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col", "colgroup",
        "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
        "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend",
        "li", "link", "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param",
        "section", "title", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "track", "ul",
    ]
    private static let longestBlockName = 10

    /// The kind of block that starts at a `<`, or nil.
    static func kind(at place: Int, in line: Bytes, interruptsParagraph: Bool) -> Int? {
        let end = line.count
        let next = place + 1 < end ? line[place + 1] : 0
        if next == UInt8(ascii: "!") {
            if line.hasWord("<!--", at: place, before: end) { return 2 }
            if line.hasWord("<![cdata[", at: place, before: end) { return 5 }
            if place + 2 < end, (0x41...0x5A).contains(line[place + 2]) { return 4 }
            return nil
        }
        if next == UInt8(ascii: "?") { return 3 }
        for name in verbatim where line.hasWord(name, at: place + 1, before: end) {
            let behind = place + 1 + name.utf8CodeUnitCount
            if behind == end || line[behind].isTagSpace || line[behind] == UInt8(ascii: ">") { return 1 }
        }
        if startsBlockElement(at: place, in: line) { return 6 }
        guard !interruptsParagraph else { return nil }
        var scanner = HTMLTagScanner(line, end: end)
        guard next.isLetter || next == UInt8(ascii: "/") else { return nil }
        guard case .found(var at) = scanner.tag(at: place) else { return nil }
        while at < end, line[at].isTagSpace, line[at] != 0x0B { at += 1 }
        return at == end ? 7 : nil
    }

    private static func startsBlockElement(at place: Int, in line: Bytes) -> Bool {
        var first = place + 1
        if first < line.count, line[first] == UInt8(ascii: "/") { first += 1 }
        var at = first
        while at < line.count, at - first <= longestBlockName, line[at].isAlphanumeric { at += 1 }
        let name = String(decoding: line[first..<at].map(\.lowercased), as: UTF8.self)
        guard blockNames.contains(name) else { return false }
        guard at < line.count, !line[at].isTagSpace else { return true }
        if line[at] == UInt8(ascii: "/") { at += 1 }
        return at < line.count && line[at] == UInt8(ascii: ">")
    }

    /// Whether a line ends a block of a kind; those of the last two end at a blank line.
    static func ends(kind: Int, line: Bytes, from place: Int) -> Bool {
        switch kind {
        case 1: verbatim.contains { holds("</", $0, in: line, from: place) }
        case 2: holds("-->", "", in: line, from: place)
        case 3: holds("?>", "", in: line, from: place)
        case 4: holds(">", "", in: line, from: place)
        case 5: holds("]]>", "", in: line, from: place)
        default: false
        }
    }

    private static func holds(_ mark: StaticString, _ name: StaticString, in line: Bytes, from place: Int) -> Bool {
        var at = place
        while let found = line.firstPlace(of: mark.utf8Start[0], in: at..<line.count) {
            at = found + 1
            guard line.hasWord(mark, at: found, before: line.count) else { continue }
            let behind = found + mark.utf8CodeUnitCount
            if name.utf8CodeUnitCount == 0 { return true }
            guard line.hasWord(name, at: behind, before: line.count) else { continue }
            let last = behind + name.utf8CodeUnitCount
            if last < line.count, line[last] == UInt8(ascii: ">") { return true }
        }
        return false
    }
}
