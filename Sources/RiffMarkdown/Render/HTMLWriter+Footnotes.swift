// Riff
// SPDX-License-Identifier: Apache-2.0

extension HTMLWriter {
    private func footnote(_ record: NodeRecord) -> FootnoteMark { tree.footnotes[Int(record.value)] }

    mutating func writeMark(_ record: NodeRecord) {
        let footnote = footnote(record)
        put("<sup class=\"footnote-ref\"><a href=\"#fn-")
        escapeAddress(footnote.text)
        put("\" id=\"fnref-")
        escapeAddress(footnote.text)
        if footnote.occurrence > 1 {
            put("-")
            put(footnote.occurrence)
        }
        put("\" data-footnote-ref>")
        put(footnote.number)
        put("</a></sup>")
    }

    mutating func openFootnote(_ record: NodeRecord) {
        footnoteCount += 1
        put("<li id=\"fn-")
        escapeAddress(footnote(record).text)
        put("\">\n")
    }

    mutating func closeFootnote(_ record: NodeRecord) {
        if writeBackLinks(to: footnote(record)) { put("\n") }
        put("</li>\n")
    }

    /// The last paragraph of a footnote ends with the links back.
    mutating func writeBackLinks(behind paragraph: NodeRecord, in parent: Int?) {
        guard footnoteCount > writtenBackLinks, let parent else { return }
        let footnote = tree.records[parent]
        guard footnote.tag == .footnote, footnote.end == paragraph.end else { return }
        put(" ")
        writeBackLinks(to: self.footnote(footnote))
    }

    @discardableResult
    private mutating func writeBackLinks(to footnote: FootnoteMark) -> Bool {
        guard writtenBackLinks < footnoteCount else { return false }
        writtenBackLinks = footnoteCount
        for occurrence in 1...max(footnote.occurrence, 1) {
            if occurrence > 1 { put(" ") }
            put("<a href=\"#fnref-")
            escapeAddress(footnote.text)
            if occurrence > 1 {
                put("-")
                put(occurrence)
            }
            put("\" class=\"footnote-backref\" data-footnote-backref aria-label=\"Back to content\">↩")
            if occurrence > 1 {
                put("<sup class=\"footnote-ref\">")
                put(occurrence)
                put("</sup>")
            }
            put("</a>")
        }
        return true
    }
}
