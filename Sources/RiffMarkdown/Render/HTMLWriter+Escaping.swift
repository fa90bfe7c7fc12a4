// Riff
// SPDX-License-Identifier: Apache-2.0

extension HTMLWriter {
    /// Writes text.
    mutating func escape(_ text: ArraySlice<UInt8>) {
        var start = text.startIndex
        for index in text.indices {
            let escape: StaticString
            switch text[index] {
            case UInt8(ascii: "&"): escape = "&amp;"
            case UInt8(ascii: "<"): escape = "&lt;"
            case UInt8(ascii: ">"): escape = "&gt;"
            case UInt8(ascii: "\""): escape = "&quot;"
            default: continue
            }
            output.append(contentsOf: text[start..<index])
            put(escape)
            start = index + 1
        }
        output.append(contentsOf: text[start...])
    }

    /// Writes an address for an attribute.
    mutating func escapeAddress(_ address: [UInt8]) {
        for byte in address {
            switch byte {
            case UInt8(ascii: "&"): put("&amp;")
            case UInt8(ascii: "'"): put("&#x27;")
            case _ where byte.isAlphanumeric || "-_.+!*(),%#@?=;:/$~".utf8.contains(byte): output.append(byte)
            default:
                output.append(UInt8(ascii: "%"))
                output.append(Self.hexDigit(byte >> 4))
                output.append(Self.hexDigit(byte & 0xF))
            }
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x41 + value - 10 }

    /// Writes raw HTML.
    mutating func writeHTML(_ html: ArraySlice<UInt8>, isBlock: Bool) {
        switch options.rawHTML {
        case .escaped: if isBlock { writeEscapedBlock(html) } else { escape(html) }
        case .omitted: escapeVisible(html)
        case .verbatim: output.append(contentsOf: html)
        case .filtered: filter(html, isBlock: isBlock)
        }
    }

    private mutating func writeEscapedBlock(_ html: ArraySlice<UInt8>) {
        put("<p>")
        escape(html.last == .lineFeed ? html.dropLast() : html)
        put("</p>")
    }

    /// Writes what is not in a tag; a tag without an end is left out too.
    private mutating func escapeVisible(_ html: ArraySlice<UInt8>) {
        Array(html).withUnsafeBufferPointer { bytes in
            var scanner = HTMLTagScanner(bytes, end: bytes.count)
            var start = 0
            while let tag = bytes.firstPlace(of: UInt8(ascii: "<"), in: start..<bytes.count) {
                escape(ArraySlice(bytes[start..<tag]))
                switch scanner.tag(at: tag) {
                case .found(let end): start = end
                case .unfinished: return
                case .none:
                    put("&lt;")
                    start = tag + 1
                }
            }
            escape(ArraySlice(bytes[start...]))
        }
    }

    // MARK: - The tag filter

    private static let filtered: [StaticString] = [
        "title", "textarea", "style", "xmp", "iframe", "noembed", "noframes", "script", "plaintext",
    ]

    /// Writes raw HTML with a `&lt;` for each `<` that starts a filtered tag; of a single tag only its own is looked
    /// at.
    private mutating func filter(_ html: ArraySlice<UInt8>, isBlock: Bool) {
        Array(html).withUnsafeBufferPointer { bytes in
            var start = 0
            while let tag = bytes.firstPlace(of: UInt8(ascii: "<"), in: start..<bytes.count) {
                output.append(contentsOf: bytes[start..<tag])
                put(isFiltered(bytes, tag) ? "&lt;" : "<")
                start = tag + 1
                if !isBlock { break }
            }
            output.append(contentsOf: bytes[start...])
        }
    }

    private func isFiltered(_ bytes: Bytes, _ tag: Int) -> Bool {
        let slash = tag + 1 < bytes.count && bytes[tag + 1] == UInt8(ascii: "/")
        let name = tag + (slash ? 2 : 1)
        return Self.filtered.contains { word in
            guard bytes.hasWord(word, at: name, before: bytes.count) else { return false }
            let end = name + word.utf8CodeUnitCount
            guard end < bytes.count else { return false }
            if bytes[end].isSpace || bytes[end] == UInt8(ascii: ">") { return true }
            return bytes[end] == UInt8(ascii: "/") && end + 1 < bytes.count && bytes[end + 1] == UInt8(ascii: ">")
        }
    }
}
