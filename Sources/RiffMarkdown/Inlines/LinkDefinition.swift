// Riff
// SPDX-License-Identifier: Apache-2.0

/// A link reference definition: `[label]: destination "title"`.
struct LinkDefinition: Sendable {
    var label: LinkLabel
    var destination: [UInt8]
    var title: [UInt8]

    /// Reads the definitions that a paragraph's text starts with.
    ///
    /// - Returns: Them, where the last one starts, and where the rest does.
    static func read(_ bytes: Bytes, _ range: Range<Int>) -> (found: [LinkDefinition], last: Int, rest: Int) {
        var found: [LinkDefinition] = []
        var (at, last) = (range.lowerBound, range.lowerBound)
        while at < range.upperBound, bytes[at] == UInt8(ascii: "["),
            let (definition, end) = one(bytes, at..<range.upperBound)
        {
            found.append(definition)
            (last, at) = (at, end)
        }
        return (found, last, at)
    }

    private static func one(_ bytes: Bytes, _ range: Range<Int>) -> (LinkDefinition, Int)? {
        let scanner = LinkScanner(bytes: bytes, end: range.upperBound)
        guard let label = scanner.label(at: range.lowerBound) else { return nil }
        guard let name = LinkLabel(bytes[label]) else { return nil }
        var at = label.upperBound + 1
        guard at < range.upperBound, bytes[at] == UInt8(ascii: ":") else { return nil }
        at = behindOneLineEnd(bytes, at + 1, range.upperBound)
        guard let (destination, end) = scanner.destination(at: at) else { return nil }
        let address = Escapes.undone(bytes, bytes.trimmed(destination))
        var definition = LinkDefinition(label: name, destination: address, title: [])
        let title = behindOneLineEnd(bytes, end, range.upperBound)
        if title > end, let titleEnd = scanner.title(at: title) {
            definition.title = Escapes.undone(bytes, title + 1..<titleEnd - 1)
            if let lineEnd = lineEnd(bytes, titleEnd, range.upperBound) { return (definition, lineEnd) }
        }
        // A title on the next line that something follows is text; it is the title all the same, as in cmark-gfm.
        return lineEnd(bytes, end, range.upperBound).map { (definition, $0) }
    }

    /// Behind white space that holds one line end at most.
    private static func behindOneLineEnd(_ bytes: Bytes, _ place: Int, _ end: Int) -> Int {
        var at = place
        while at < end, bytes[at].isBlank { at += 1 }
        guard at < end, bytes[at] == .lineFeed else { return at }
        at += 1
        while at < end, bytes[at].isBlank { at += 1 }
        return at
    }

    /// Behind the end of the line, if nothing but space is before it.
    private static func lineEnd(_ bytes: Bytes, _ place: Int, _ end: Int) -> Int? {
        var at = place
        while at < end, bytes[at].isBlank { at += 1 }
        guard at < end else { return at }
        return bytes[at] == .lineFeed ? at + 1 : nil
    }
}
