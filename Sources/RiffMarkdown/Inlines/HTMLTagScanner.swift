// Riff
// SPDX-License-Identifier: Apache-2.0

/// Reads raw HTML as CommonMark 6.6 allows it: tags, comments, instructions, declarations and CDATA sections.
///
/// A search that reached the end without what it looked for is remembered, so that a megabyte of `<!--` is read once.
struct HTMLTagScanner {
    enum Result: Equatable {
        /// It ends before this place.
        case found(Int)
        case none
        /// The text ended first: more of it could make it one.
        case unfinished
    }

    private let bytes: Bytes
    private let end: Int
    /// What is known not to occur up to the end from wherever it was first looked for.
    private var missing: Set<UInt8> = []

    init(_ bytes: Bytes, end: Int) {
        self.bytes = bytes
        self.end = end
    }

    /// Reads what starts with the `<` at a place.
    mutating func tag(at place: Int) -> Result {
        guard place + 1 < end else { return .unfinished }
        switch bytes[place + 1] {
        case UInt8(ascii: "!"): return declaration(from: place + 2)
        case UInt8(ascii: "?"): return instruction(from: place + 2)
        case UInt8(ascii: "/"): return closingTag(from: place + 2)
        default: return openingTag(from: place + 1)
        }
    }

    private func name(from place: Int) -> Int? {
        guard place < end, bytes[place].isLetter else { return nil }
        var at = place + 1
        while at < end, bytes[at].isAlphanumeric || bytes[at] == UInt8(ascii: "-") { at += 1 }
        return at
    }

    private func space(from place: Int) -> Int {
        var at = place
        while at < end, bytes[at].isTagSpace { at += 1 }
        return at
    }

    private func closingTag(from place: Int) -> Result {
        guard place < end else { return .unfinished }
        guard var at = name(from: place) else { return .none }
        at = space(from: at)
        guard at < end else { return .unfinished }
        return bytes[at] == UInt8(ascii: ">") ? .found(at + 1) : .none
    }

    private mutating func openingTag(from place: Int) -> Result {
        guard var at = name(from: place) else { return .none }
        while true {
            let behind = space(from: at)
            guard behind < end else { return .unfinished }
            switch bytes[behind] {
            case UInt8(ascii: ">"): return .found(behind + 1)
            case UInt8(ascii: "/"):
                guard behind + 1 < end else { return .unfinished }
                return bytes[behind + 1] == UInt8(ascii: ">") ? .found(behind + 2) : .none
            case let byte where behind > at && (byte.isLetter || "_:".utf8.contains(byte)):
                switch attribute(from: behind) {
                case .found(let next): at = next
                case let other: return other
                }
            default: return .none
            }
        }
    }

    private mutating func attribute(from place: Int) -> Result {
        var at = place + 1
        while at < end, bytes[at].isAlphanumeric || ":._-".utf8.contains(bytes[at]) { at += 1 }
        let equals = space(from: at)
        guard equals < end, bytes[equals] == UInt8(ascii: "=") else { return .found(at) }
        at = space(from: equals + 1)
        guard at < end else { return .unfinished }
        let quote = bytes[at]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            guard !missing.contains(quote) else { return .unfinished }
            guard let close = bytes.firstPlace(of: quote, in: at + 1..<end) else {
                missing.insert(quote)
                return .unfinished
            }
            return .found(close + 1)
        }
        let value = at
        while at < end, !bytes[at].isTagSpace, !"\"'=<>`".utf8.contains(bytes[at]) { at += 1 }
        return at > value ? .found(at) : .none
    }

    /// An instruction: it ends with `?>`, but two question marks are read as one thing, so that an even number of them
    /// before the `>` ends nothing.
    private mutating func instruction(from place: Int) -> Result {
        let mark = UInt8(ascii: "?")
        var at = place
        while at < end {
            let run = at
            while at < end, bytes[at] == mark { at += 1 }
            if at < end, bytes[at] == UInt8(ascii: ">"), (at - run) % 2 == 1 { return .found(at + 1) }
            // A run behind the first is the same from wherever it is reached.
            if run > place, missing.contains(mark) { return .unfinished }
            guard let next = bytes.firstPlace(of: mark, in: at..<end) else { break }
            at = next
        }
        missing.insert(mark)
        return .unfinished
    }

    private mutating func declaration(from place: Int) -> Result {
        guard place < end else { return .unfinished }
        switch bytes[place] {
        case UInt8(ascii: "-"): return comment(from: place + 1)
        case UInt8(ascii: "["): return section(from: place)
        default: break
        }
        var at = place
        while at < end, (0x41...0x5A).contains(bytes[at]) { at += 1 }
        guard at > place else { return .none }
        guard at < end else { return .unfinished }
        guard bytes[at].isTagSpace else { return .none }
        guard !missing.contains(UInt8(ascii: ">")) else { return .unfinished }
        if let close = bytes.firstPlace(of: UInt8(ascii: ">"), in: at..<end) { return .found(close + 1) }
        missing.insert(UInt8(ascii: ">"))
        return .unfinished
    }

    /// A comment: it must not start with `>` or `->`, nor hold `--`.
    private mutating func comment(from place: Int) -> Result {
        guard place < end else { return .unfinished }
        guard bytes[place] == UInt8(ascii: "-") else { return .none }
        let dash = UInt8(ascii: "-")
        let first = place + 1
        if bytes.hasWord("-->", at: first, before: end) { return .found(first + 3) }
        guard first + 1 < end else { return .unfinished }
        let start = bytes[first] == dash ? first + 1 : first
        guard bytes[start] != UInt8(ascii: ">"), bytes[start] != dash else { return .none }
        guard !missing.contains(dash) else { return .unfinished }
        var at = start + 1
        while let found = bytes.firstPlace(of: dash, in: at..<end) {
            guard found + 2 < end else { break }
            if bytes[found + 1] == dash { return bytes[found + 2] == UInt8(ascii: ">") ? .found(found + 3) : .none }
            at = found + 2
        }
        missing.insert(dash)
        return .unfinished
    }

    private mutating func section(from place: Int) -> Result {
        let opening = "[CDATA["
        guard bytes[place..<min(place + opening.utf8.count, end)].elementsEqual(opening.utf8) else {
            return end - place < opening.utf8.count ? .unfinished : .none
        }
        let bracket = UInt8(ascii: "]")
        guard !missing.contains(bracket) else { return .unfinished }
        var at = place + opening.utf8.count
        while at + 2 < end {
            if bytes[at] != bracket {
                at += 1
            } else if bytes[at + 1] != bracket {
                at += 2
            } else if bytes[at + 2] == UInt8(ascii: ">") {
                return .found(at + 3)
            } else {
                at += 3
            }
        }
        missing.insert(bracket)
        return .unfinished
    }
}
