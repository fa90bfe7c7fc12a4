// Riff
// SPDX-License-Identifier: Apache-2.0

/// Parts what a model thinks from what it answers, where it writes its thoughts into the answer: from `<think>` at the
/// beginning to `</think>`. The marks may be split over pieces anywhere.
///
/// A mark further behind is a word of the answer, and so is the end of thoughts that never began.
struct ThinkingSplitter: Sendable {
    /// A piece of one of the two texts.
    struct Part: Equatable {
        var isThought: Bool
        var text: String
    }

    private enum State { case start, thinking, behind, answering }

    private static let marks = [(open: "<think>", close: "</think>"), (open: "<thinking>", close: "</thinking>")]

    private var state = State.start
    /// The text that may be the beginning of a mark: never more than a mark is long.
    private var held = ""
    /// The end that is waited for.
    private var close = ""

    /// Takes a piece of the answer.
    ///
    /// - Returns: What it adds to which text, in order.
    mutating func append(_ piece: String) -> [Part] {
        guard state != .answering else { return piece.isEmpty ? [] : [Part(isThought: false, text: piece)] }
        var parts: [Part] = []
        var rest = held + piece
        held = ""
        while !rest.isEmpty, step(&rest, into: &parts) {}
        return parts
    }

    /// Ends the answer.
    ///
    /// - Returns: What was held back.
    mutating func finish() -> [Part] {
        defer { held = "" }
        return held.isEmpty ? [] : [Part(isThought: state == .thinking, text: held)]
    }

    /// Takes the beginning of what is there.
    ///
    /// - Returns: Whether there is more to look at.
    private mutating func step(_ rest: inout String, into parts: inout [Part]) -> Bool {
        switch state {
        case .start:
            let blank = rest.utf8.prefix { Self.isBlank($0) }.count
            if blank > 0 { parts.append(Part(isThought: false, text: Self.take(blank, from: &rest))) }
            if rest.isEmpty { return false }
            if let mark = Self.marks.first(where: { rest.utf8.starts(with: $0.open.utf8) }) {
                rest = String(rest.unicodeScalars.dropFirst(mark.open.unicodeScalars.count))
                close = mark.close
                state = .thinking
            } else if Self.marks.contains(where: { $0.open.utf8.starts(with: rest.utf8) }) {
                (held, rest) = (rest, "")
            } else {
                state = .answering
            }
        case .thinking:
            if let end = Self.place(of: close, in: rest) {
                if end > 0 { parts.append(Part(isThought: true, text: Self.take(end, from: &rest))) }
                _ = Self.take(close.utf8.count, from: &rest)
                state = .behind
            } else {
                let kept = Self.beginning(of: close, atEndOf: rest)
                let thought = Self.take(rest.utf8.count - kept, from: &rest)
                if !thought.isEmpty { parts.append(Part(isThought: true, text: thought)) }
                (held, rest) = (rest, "")
            }
        case .behind:
            _ = Self.take(rest.utf8.prefix { Self.isBlank($0) }.count, from: &rest)
            if !rest.isEmpty { state = .answering }
        case .answering:
            parts.append(Part(isThought: false, text: rest))
            rest = ""
        }
        return !rest.isEmpty
    }

    /// Returns the place of a mark, in bytes; a mark is ASCII, so that it is at no place inside a character of UTF-8.
    private static func place(of mark: String, in text: String) -> Int? {
        let bytes = Array(text.utf8)
        let mark = Array(mark.utf8)
        var start = 0
        while let less = bytes[start...].firstIndex(of: UInt8(ascii: "<")) {
            if bytes[less...].starts(with: mark) { return less }
            start = less + 1
        }
        return nil
    }

    /// Returns the number of bytes at the end of a text that a mark may begin with.
    private static func beginning(of mark: String, atEndOf text: String) -> Int {
        let tail = Array(text.utf8.suffix(mark.utf8.count - 1))
        return (0...tail.count).reversed().first { mark.utf8.starts(with: tail.suffix($0)) } ?? 0
    }

    /// Takes so many bytes off the beginning of a text, all of them of whole characters of Unicode.
    private static func take(_ count: Int, from text: inout String) -> String {
        let end = text.utf8.index(text.startIndex, offsetBy: count)
        defer { text = String(text[end...]) }
        return String(text[..<end])
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
