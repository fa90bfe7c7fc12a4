// Riff
// SPDX-License-Identifier: Apache-2.0

/// Reads the parts of a link: label, destination and title.
struct LinkScanner {
    let bytes: Bytes
    let end: Int

    /// The deepest parentheses in a destination.
    private static let mostParentheses = 32

    /// Returns the range between brackets, of which none may be inside unescaped, without the white space around it.
    ///
    /// - Returns: From behind the opening bracket to the closing one; nil if there is no label.
    func label(at place: Int) -> Range<Int>? {
        guard place < end, bytes[place] == UInt8(ascii: "[") else { return nil }
        var at = place + 1
        while at < end, bytes[at] != UInt8(ascii: "["), bytes[at] != UInt8(ascii: "]") {
            if bytes[at] == .backslash, at + 1 < end, bytes[at + 1].isPunctuation { at += 1 }
            at += 1
            guard at - place - 1 <= LinkLabel.longest else { return nil }
        }
        guard at < end, bytes[at] == UInt8(ascii: "]") else { return nil }
        return place + 1..<at
    }

    /// Returns the range of a destination, and its end.
    ///
    /// - Returns: It, without its angle brackets, and the place behind it.
    func destination(at place: Int) -> (Range<Int>, Int)? {
        guard place < end, bytes[place] == UInt8(ascii: "<") else { return bareDestination(at: place) }
        var at = place + 1
        while at < end {
            switch bytes[at] {
            case UInt8(ascii: ">"): return at + 1 < end ? (place + 1..<at, at + 1) : nil
            case .backslash: at += 2
            case .lineFeed, UInt8(ascii: "<"): return nil
            default: at += 1
            }
        }
        return nil
    }

    private func bareDestination(at place: Int) -> (Range<Int>, Int)? {
        var at = place
        var depth = 0
        while at < end {
            switch bytes[at] {
            case .backslash where at + 1 < end && bytes[at + 1].isPunctuation: at += 2
            case UInt8(ascii: "("):
                depth += 1
                at += 1
                guard depth <= Self.mostParentheses else { return nil }
            case UInt8(ascii: ")"):
                guard depth > 0 else { return (place..<at, at) }
                depth -= 1
                at += 1
            case let byte where byte.isSpace: return at > place ? (place..<at, at) : nil
            default: at += 1
            }
        }
        return nil
    }

    /// The place behind a title, which starts at a place with its quote.
    ///
    /// An escaped quote ends it only if no other does.
    func title(at place: Int) -> Int? {
        guard place < end else { return nil }
        let open = bytes[place]
        guard open == UInt8(ascii: "\"") || open == UInt8(ascii: "'") || open == UInt8(ascii: "(") else { return nil }
        let close = open == UInt8(ascii: "(") ? UInt8(ascii: ")") : open
        var at = place + 1
        var escaped: Int?
        while at < end {
            if bytes[at] == close {
                guard at > place + 1, bytes[at - 1] == .backslash else { return at + 1 }
                escaped = at + 1
            } else if bytes[at] == open, bytes[at - 1] != .backslash {
                return escaped
            }
            at += 1
        }
        return escaped
    }

    /// Behind white space of any kind.
    func behindSpace(from place: Int) -> Int {
        var at = place
        while at < end, bytes[at].isTagSpace { at += 1 }
        return at
    }
}
