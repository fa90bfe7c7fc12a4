// Riff
// SPDX-License-Identifier: Apache-2.0

/// The words of a paragraph of Markdown.
enum InlineProse {
    static func text(of paragraph: String) -> String {
        let bare = words(of: SpokenPictures.removed(from: withoutLinks(withoutCode(paragraph))))
        return tidied(bare.map(withoutReference).map(withoutMarks).joined(separator: " "))
    }

    /// Returns a text without the parts between runs of as many backticks.
    private static func withoutCode(_ text: String) -> String {
        var runs: [Substring] = []
        var rest = text[...]
        while let tick = rest.firstIndex(of: "`") {
            let run = rest[tick...].prefix { $0 == "`" }
            runs.append(run)
            rest = rest[run.endIndex...]
        }
        // For each run the next one of its length, found from the end: looking for it would cost the square of a
        // text of many lengths.
        var (next, closes) = ([Int: Int](), [Int?](repeating: nil, count: runs.count))
        for index in runs.indices.reversed() { closes[index] = next.updateValue(index, forKey: runs[index].utf8.count) }
        var (result, place, index) = ("", text.startIndex, 0)
        while index < runs.count {
            result += text[place..<runs[index].startIndex]
            let close = closes[index] ?? index
            place = runs[close].endIndex
            index = close + 1
        }
        return result + text[place...]
    }

    /// Links become their text, pictures and tags nothing.
    private static func withoutLinks(_ text: String) -> String {
        var (rest, result, mayHaveTags) = (text[...], "", true)
        while let place = rest.firstIndex(where: { "[<!\\".contains($0) }) {
            result += rest[..<place]
            let here = rest[place...]
            if here.first == "\\", here.dropFirst().first?.isPunctuation == true {
                result += here.prefix(2).dropFirst()
                rest = here.dropFirst(2)
            } else if here.hasPrefix("!["), let link = link(here.dropFirst()) {
                rest = link.rest
            } else if here.first == "[", let link = link(here) {
                result += withoutLinks(String(link.text))
                rest = link.rest
            } else if mayHaveTags, here.first == "<", isTag(here.dropFirst()) {
                let end = here.firstIndex(of: ">")
                // Where no tag ends any more, none is looked for again.
                mayHaveTags = end != nil
                if end == nil { result += "<" }
                rest = here[(end ?? place)...].dropFirst()
            } else {
                result += here.prefix(1)
                rest = here.dropFirst()
            }
        }
        return result + rest
    }

    /// `[text](address)` or `[text][name]` at the beginning of a text.
    private static func link(_ text: Substring) -> (text: Substring, rest: Substring)? {
        guard let end = closing("[", "]", text) else { return nil }
        let after = text[end...].dropFirst()
        let name = text[..<end].dropFirst()
        if after.first == "(", let close = closing("(", ")", after) { return (name, after[close...].dropFirst()) }
        if after.first == "[", let close = closing("[", "]", after) { return (name, after[close...].dropFirst()) }
        return nil
    }

    private static func closing(_ open: Character, _ close: Character, _ text: Substring) -> Substring.Index? {
        var depth = 0
        // Few links are longer, and a text of brackets alone is not looked at to its end for each of them.
        for index in text.indices.prefix(400) {
            if text[index] == open { depth += 1 }
            if text[index] == close { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    private static func isTag(_ inside: Substring) -> Bool {
        guard let first = inside.first else { return false }
        return first.isLetter || first == "/" || first == "!"
    }

    private static func words(of text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }

    /// Of an address, a path, `#12` or `@name` only the brackets around it and the end of the sentence are left.
    private static func withoutReference(_ word: Substring) -> Substring {
        let open = word.prefix { "([{\"'“‘*_".contains($0) }
        let rest = word[open.endIndex...]
        let close = rest.reversed().prefix { ")]}\"'”’*_.,;:!?".contains($0) }.count
        guard isReference(String(rest.dropLast(close))) else { return word }
        return Substring(
            String(open.filter { "([{".contains($0) } + rest.suffix(close).filter { ")]}.!?".contains($0) })
        )
    }

    private static func isReference(_ text: String) -> Bool {
        if text.contains("://") || text.hasPrefix("www.") || text.hasPrefix("mailto:") { return true }
        if text.count > 1, text.first == "#" || text.first == "@" { return true }
        return isPath(text)
    }

    private static func isPath(_ text: String) -> Bool {
        if ["/", "~/", "./", "../"].contains(where: { text.hasPrefix($0) && text.count > $0.count }) { return true }
        if text.dropFirst().hasPrefix(":\\") { return true }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1, parts.contains(where: { $0.contains(where: \.isLetter) }) else { return false }
        // "and/or" is none, and neither is "him/her/them"; a folder or a file has something else to show it.
        let isPlain = parts.allSatisfy { $0.allSatisfy(\.isLetter) && !$0.isEmpty }
        return !isPlain && parts.contains { $0.isEmpty || $0.contains(".") || $0.contains("_") || $0.contains("-") }
    }

    /// Without the marks of emphasis; an underscore within a word is a space.
    private static func withoutMarks(_ word: Substring) -> String {
        var text = word.filter { $0 != "*" && $0 != "~" }[...]
        text = text.drop { $0 == "_" }
        while text.last == "_" { text.removeLast() }
        return String(text).replacing("_", with: " ")
    }

    /// Without what the removed words leave behind, and without what no voice can say.
    private static func tidied(_ text: String) -> String {
        var result = text
        for (entity, character) in [
            ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
        ] {
            result = result.replacing(entity, with: character)
        }
        result = String(
            result.unicodeScalars.filter { scalar in
                !(0x2500...0x259F).contains(scalar.value) && scalar.value != 0x7F && (scalar.value >= 0x20)
            }.map(Character.init)
        )
        for empty in ["()", "[]", "( )", "[ ]", "\"\"", "''", "“”"] { result = result.replacing(empty, with: "") }
        result = result.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for mark in [",", ".", ";", ":", "!", "?", ")"] { result = result.replacing(" " + mark, with: mark) }
        result = result.replacing("( ", with: "(")
        // What stood behind a picture that was left out.
        return String(result.drop { ",;:!?".contains($0) || $0.isWhitespace })
    }
}
