// Riff
// SPDX-License-Identifier: Apache-2.0

/// A line of Markdown as a block, as far as reading aloud needs to know.
struct ProseLine {
    enum Kind {
        /// The beginning of a block of code, by the mark that ends it.
        case fence(String)
        case heading(String)
        case item(String)
        case row([String])
        case text(String)
        /// Blank, a rule, the line beneath a table's head, the definition of a link.
        case nothing
    }

    let kind: Kind
    private let trimmed: Substring

    init(_ line: Substring) {
        var text = line.drop(while: \.isWhitespace)
        while text.first == ">" { text = text.dropFirst().drop(while: \.isWhitespace) }
        while text.last?.isWhitespace == true { text = text.dropLast() }
        trimmed = text
        kind = Self.kind(of: text)
    }

    /// Whether a block of code that began with a mark ends here.
    func closes(_ mark: String) -> Bool { trimmed.hasPrefix(mark) && trimmed.allSatisfy { $0 == mark.first } }

    private static func kind(of text: Substring) -> Kind {
        guard let first = text.first else { return .nothing }
        if let mark = fence(text) { return .fence(mark) }
        if isRule(text) || isDefinition(text) { return .nothing }
        if first == "#", case let heading = text.drop(while: { $0 == "#" }), heading.first?.isWhitespace == true {
            return .heading(String(heading.drop(while: \.isWhitespace).reversed().drop { $0 == "#" }.reversed()))
        }
        if let item = item(text) { return .item(item) }
        if first == "|", text.dropFirst().contains("|") { return .row(cells(text)) }
        return .text(String(text))
    }

    private static func fence(_ text: Substring) -> String? {
        guard let first = text.first, first == "`" || first == "~" else { return nil }
        let mark = text.prefix { $0 == first }
        // ``` with another one on the line is code within a sentence.
        guard mark.count >= 3, !text.dropFirst(mark.count).contains("`") else { return nil }
        return String(mark)
    }

    private static func isRule(_ text: Substring) -> Bool {
        let marks = text.filter { !$0.isWhitespace }
        return marks.count >= 3 && marks.allSatisfy { "-*_=─━═╌|:+".contains($0) }
    }

    private static func isDefinition(_ text: Substring) -> Bool {
        guard text.first == "[", let end = text.firstIndex(of: "]") else { return false }
        return text[end...].hasPrefix("]:")
    }

    private static func item(_ text: Substring) -> String? {
        var rest = text
        // Many answers have a picture for the mark of an item: "✅ Built", "❌ Failed".
        if let first = text.first, "-*+•".contains(first) || SpokenPictures.isPicture(first) {
            rest = text.dropFirst()
        } else {
            let digits = text.prefix(while: \.isNumber)
            guard (1...9).contains(digits.count), let end = text.dropFirst(digits.count).first, ".)".contains(end)
            else {
                return nil
            }
            rest = text.dropFirst(digits.count + 1)
        }
        guard rest.first?.isWhitespace == true else { return nil }
        rest = rest.drop(while: \.isWhitespace)
        for box in ["[ ] ", "[x] ", "[X] "] where rest.hasPrefix(box) { rest = rest.dropFirst(box.count) }
        return String(rest)
    }

    private static func cells(_ text: Substring) -> [String] {
        text.split(separator: "|").map { String($0.drop(while: \.isWhitespace)) }.filter {
            !$0.allSatisfy { $0.isWhitespace || SpokenPictures.isPicture($0) }
        }
    }
}
