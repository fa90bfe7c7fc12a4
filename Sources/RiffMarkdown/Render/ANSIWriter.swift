// Riff
// SPDX-License-Identifier: Apache-2.0

/// Writes one node for a terminal.
struct ANSIWriter {
    let options: MarkdownANSI
    private(set) var output = ""
    /// The sequences of what is open, each once, outermost first: after a reset they are set again.
    private var styles: [String] = []
    /// Of everything with a style that is open, whether it set its sequence.
    private var setsStyle: [Bool] = []
    /// The texts that each line starts with, outermost first, and those that the next line starts with instead.
    private var prefixes: [String] = []
    private var marker: String?
    /// The number of open blocks that indent their contents, or would.
    private var depth = 0
    /// The number of blocks that do indent: with a megabyte of `>` in front, each line of one byte would be a megabyte.
    private static let deepest = 16
    /// The number of links and images that are open. Only the outermost is a link.
    private var openLinks = 0
    private var isAtLineStart = true
    /// The lists that are open, with the number of the next item.
    private var lists: [(next: Int?, isLoose: Bool)] = []
    private var needsGap = false
    private var table = TerminalTable()
    private var isInTable = false

    init(options: MarkdownANSI) { self.options = options }

    mutating func enter(_ node: MarkdownNode) {
        switch node.kind {
        case .paragraph: startBlock()
        case .heading(let level):
            startBlock()
            push(level == 1 ? "1;4" : "1")
        case .thematicBreak:
            startBlock()
            write("\u{1B}[2m" + String(repeating: "─", count: 24) + "\u{1B}[22m")
            endLine()
        case .quote:
            startBlock()
            indent("\u{1B}[2m│\u{1B}[22m ")
        case .list(let list):
            startBlock()
            lists.append((list.start, list.isLoose))
        case .item(let isDone): startItem(isDone)
        case .codeBlock, .mathBlock, .htmlBlock: writeVerbatim(node)
        case .table:
            startBlock()
            (table, isInTable) = (TerminalTable(), true)
        case .row: table.startRow()
        case .cell(let alignment): table.startCell(alignment)
        case .footnote(let footnote):
            startBlock()
            indent("    ", marker: "[\(footnote.number)] ")
        case .text: write(Self.visible(node.text))
        case .softBreak: write(" ")
        case .lineBreak: if isInTable { write(" ") } else { endLine() }
        case .code, .math:
            push("36")
            write(Self.visible(node.text))
            pop()
        case .html: write(Self.visible(node.text.replacing("\n", with: " ")))
        case .emphasis: push("3")
        case .strong: push("1")
        case .strikethrough: push("9")
        case .link(let link), .image(let link):
            push("4")
            openLinks += 1
            if openLinks == 1, options.hasHyperlinks, options.allows(link.destination) {
                write("\u{1B}]8;;" + Self.address(link.destination) + "\u{1B}\\")
            }
        case .footnoteMark(let footnote): write("[\(footnote.number)]")
        case .document, .footnotes, .definitions, .blank: break
        }
    }

    mutating func leave(_ node: MarkdownNode) {
        switch node.kind {
        case .paragraph: endBlock()
        case .heading:
            pop()
            endBlock()
        case .quote, .item, .footnote:
            if marker != nil { write("") }
            if !isAtLineStart { endLine() }
            if depth <= Self.deepest { prefixes.removeLast() }
            depth -= 1
            if case .item = node.kind { needsGap = lists.last?.isLoose ?? true } else { needsGap = true }
        case .list:
            lists.removeLast()
            needsGap = lists.last?.isLoose ?? true
        case .table:
            isInTable = false
            for line in table.lines() {
                write(line)
                endLine()
            }
            needsGap = true
        case .emphasis, .strong, .strikethrough: pop()
        case .link(let link), .image(let link):
            pop()
            openLinks -= 1
            guard openLinks == 0, options.allows(link.destination) else { break }
            if options.hasHyperlinks {
                write("\u{1B}]8;;\u{1B}\\")
            } else if node.plainText != link.destination {
                write(" (" + Self.visible(link.destination) + ")")
            }
        default: break
        }
    }

    // MARK: - Lines

    private mutating func startBlock() {
        if !isAtLineStart { endLine() }
        if needsGap, marker == nil { endLine() }
        needsGap = false
    }

    private mutating func endBlock() {
        endLine()
        needsGap = lists.last?.isLoose ?? true
    }

    private mutating func startItem(_ isDone: Bool?) {
        startBlock()
        var mark = "• "
        if let number = lists.last?.next {
            mark = "\(number). "
            lists[lists.count - 1].next = number + 1
        }
        if let isDone { mark += isDone ? "☑ " : "☐ " }
        indent(String(repeating: " ", count: mark.count), marker: mark)
    }

    private mutating func indent(_ prefix: String, marker mark: String? = nil) {
        depth += 1
        guard depth <= Self.deepest else { return }
        prefixes.append(prefix)
        // A marker within a marker: the first item of a list that an item starts with.
        if let mark { marker = (marker ?? "") + mark }
    }

    private mutating func write(_ text: String) {
        guard !isInTable else { return table.add(text) }
        if isAtLineStart {
            isAtLineStart = false
            if let marker {
                // The marker takes the place of the indentation of what it marks.
                let prefix = prefixes.joined()
                output += prefix.dropLast(min(marker.count, prefix.count)) + marker
                self.marker = nil
            } else {
                output += prefixes.joined()
            }
            output += styles.map { "\u{1B}[\($0)m" }.joined()
        }
        output += text
    }

    private mutating func endLine() {
        if isAtLineStart { write("") }
        if !styles.isEmpty { output += "\u{1B}[0m" }
        output.unicodeScalars.removeLast(output.utf8.reversed().prefix { $0 == .space }.count)
        output += "\n"
        isAtLineStart = true
    }

    private mutating func writeVerbatim(_ node: MarkdownNode) {
        startBlock()
        var lines = node.text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for line in lines {
            write("    \u{1B}[36m" + Self.visible(String(line)) + "\u{1B}[39m")
            endLine()
        }
        needsGap = true
    }

    // MARK: - Styles

    private mutating func push(_ style: String) {
        // The start of a line sets all styles that are open.
        if isAtLineStart, !isInTable { write("") }
        setsStyle.append(!styles.contains(style))
        guard setsStyle.last == true else { return }
        styles.append(style)
        write("\u{1B}[\(style)m")
    }

    private mutating func pop() {
        guard setsStyle.popLast() == true else { return }
        styles.removeLast()
        write("\u{1B}[0m" + styles.map { "\u{1B}[\($0)m" }.joined())
    }

    /// Text without control characters, of which a tab becomes spaces.
    static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar == "\t" { result += "    " } else if !isControl(scalar) { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Controls, and the marks that turn the direction of writing.
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// An address as OSC 8 takes it: other characters than printable ASCII are percent-encoded, and the backslash,
    /// which some take for a slash.
    private static func address(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            if (0x21..<0x7F).contains(byte), byte != UInt8(ascii: "\\") {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
