// Riff
// SPDX-License-Identifier: Apache-2.0

extension InlineParser {
    mutating func openBracket(isImage: Bool, _ start: Int, _ end: Int) {
        let outer = brackets.last
        if outer != nil { brackets[brackets.count - 1].isFollowed = true }
        brackets.append(
            OpenBracket(
                token: Int32(truncatingIfNeeded: tokens.count),
                delimiter: lastDelimiter,
                content: Int32(truncatingIfNeeded: end),
                isImage: isImage,
                isInLink: !isImage || outer?.isInLink == true,
                isInImage: isImage || outer?.isInImage == true
            )
        )
        tokens.append(InlineToken(isImage ? .imageBracket : .bracket, start, end))
    }

    private mutating func popBracket() {
        brackets.removeLast()
        inactiveBrackets = min(inactiveBrackets, brackets.count)
    }

    /// Reads a `]`: the end of a link, an image or a footnote's mark, or text.
    mutating func closeBracket(_ bytes: Bytes, _ at: inout Int, _ end: Int) {
        let start = at
        at += 1
        guard let opener = brackets.last else { return addText(start, at) }
        guard opener.isImage || brackets.count > inactiveBrackets else {
            popBracket()
            return addText(start, at)
        }
        if isOpen, holdsBracket(opener, bytes, &at) { return }
        let scanner = LinkScanner(bytes: bytes, end: end)
        if let (link, close) = inlineTarget(scanner, from: at) {
            at = close
            return addLink(opener, start, at, destination: link.destination, title: link.title)
        }
        let content = Int(opener.content)
        var label = scanner.label(at: at)
        var close = label.map { $0.upperBound + 1 } ?? at
        if !opener.isFollowed, label.map({ bytes.trimmed($0).isEmpty }) ?? true {
            close = label == nil ? at : close
            label = content..<start
        }
        if let label, let name = LinkLabel(bytes[label]) {
            if let definition = definitions[name] {
                if allowance.take(definition) {
                    at = close
                    return addLink(opener, start, at, destination: definition.destination, title: definition.title)
                }
            } else {
                unresolved.insert(name)
            }
        }
        if extensions.contains(.footnotes), addFootnoteMark(opener, bytes, start) { return }
        popBracket()
        addText(start, at)
    }

    /// Reads `(destination "title")`.
    private func inlineTarget(_ scanner: LinkScanner, from place: Int) -> (LinkTarget, Int)? {
        guard place < scanner.end, scanner.bytes[place] == UInt8(ascii: "(") else { return nil }
        guard let (destination, end) = scanner.destination(at: scanner.behindSpace(from: place + 1)) else { return nil }
        let behind = scanner.behindSpace(from: end)
        var target = LinkTarget(destination: [], title: [])
        var close = behind
        if behind > end, let titleEnd = scanner.title(at: behind) {
            target.title = Escapes.undone(scanner.bytes, behind + 1..<titleEnd - 1)
            close = scanner.behindSpace(from: titleEnd)
        }
        guard close < scanner.end, scanner.bytes[close] == UInt8(ascii: ")") else { return nil }
        target.destination = Escapes.undone(scanner.bytes, scanner.bytes.trimmed(destination))
        return (target, close + 1)
    }

    /// Makes a link of what is between a bracket and a place.
    mutating func addLink(_ opener: OpenBracket, _ start: Int, _ end: Int, destination: [UInt8], title: [UInt8]) {
        let value = string(destination)
        draft.strings.append(title)
        tokens[Int(opener.token)].kind = opener.isImage ? .image : .link
        tokens[Int(opener.token)].value = Int32(truncatingIfNeeded: value)
        tokens.append(InlineToken(.linkEnd, start, end))
        matchEmphasis(above: opener.delimiter)
        popBracket()
        if !opener.isImage { deactivateLinks() }
    }

    /// A link must not hold a link: what is open around it is none. In images around it, addresses become links again
    /// unless there is a link around those; so cmark-gfm has it.
    private mutating func deactivateLinks() {
        var index = brackets.count - 1
        var isInImage = false
        while index >= 0 {
            let bracket = brackets[index]
            // Twice reset is settled, and so is all below: many links in many images take linear time.
            if bracket.isImage ? bracket.resets >= 2 : index < inactiveBrackets {
                isInImage = bracket.isInImage
                break
            }
            index -= 1
        }
        for image in brackets.indices.dropFirst(index + 1) where brackets[image].isImage {
            brackets[image].isInImage = isInImage
            brackets[image].resets += 1
        }
        inactiveBrackets = brackets.count
    }

    /// Reads `[^label]`.
    private mutating func addFootnoteMark(_ opener: OpenBracket, _ bytes: Bytes, _ close: Int) -> Bool {
        let content = Int(opener.content)
        guard !opener.isImage, close > content + 1, bytes[content] == UInt8(ascii: "^") else { return false }
        guard bytes.firstPlace(of: .lineFeed, in: content..<close) == nil else { return false }
        matchEmphasis(above: opener.delimiter)
        tokens.removeSubrange(Int(opener.token)...)
        tokens.append(InlineToken(.footnote, content - 1, close + 1))
        popBracket()
        return true
    }
}

/// The target of a link, as bytes of UTF-8.
struct LinkTarget {
    var destination: [UInt8]
    var title: [UInt8]
}
