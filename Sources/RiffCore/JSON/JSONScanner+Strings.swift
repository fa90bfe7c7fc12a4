// Riff
// SPDX-License-Identifier: Apache-2.0

extension JSONScanner {
    /// Reads a text; `at` is at its quote.
    mutating func string() throws(CoreError) -> String {
        at += 1
        let first = at
        try skipPlain()
        if at.pointee == UInt8(ascii: "\"") {
            defer { at += 1 }
            return String(decoding: UnsafeBufferPointer(start: first, count: at - first), as: UTF8.self)
        }
        return try escapedString(from: first)
    }

    /// Moves to the next quote or backslash.
    mutating func skipPlain() throws(CoreError) {
        // Eight bytes at a time: a byte of `word ^ pattern` is zero where the pattern's byte is, and the borrow trick
        // finds zero bytes. It may also report a byte above a true hit, never one below, so the lowest hit is right.
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        while end - at >= 8 {
            let word = UInt64(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt64.self))
            let quote = word ^ (ones &* 0x22)
            let slash = word ^ (ones &* 0x5C)
            let hit = ((quote &- ones) & ~quote | (slash &- ones) & ~slash) & highs
            guard hit == 0 else {
                at += hit.trailingZeroBitCount / 8
                return
            }
            at += 8
        }
        while at < end, at.pointee != UInt8(ascii: "\""), at.pointee != UInt8(ascii: "\\") { at += 1 }
        guard at < end else { throw failure("a text has no end") }
    }

    private mutating func escapedString(from first: UnsafePointer<UInt8>) throws(CoreError) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * (at - first) + 32)
        var run = first
        while true {
            text.append(contentsOf: UnsafeBufferPointer(start: run, count: at - run))
            if at.pointee == UInt8(ascii: "\"") {
                at += 1
                return String(decoding: text, as: UTF8.self)
            }
            at += 1
            try escape(into: &text)
            run = at
            try skipPlain()
        }
    }

    private mutating func escape(into text: inout [UInt8]) throws(CoreError) {
        guard at < end else { throw failure("a text has no end") }
        let letter = at.pointee
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            at += 1
            try unicode(into: &text)
            return
        default: throw failure("an unknown escape")
        }
        at += 1
    }

    private mutating func unicode(into text: inout [UInt8]) throws(CoreError) {
        var code = UInt32(try fourDigits())
        if code & 0xFC00 == 0xD800, end - at >= 6, at[0] == UInt8(ascii: "\\"), at[1] == UInt8(ascii: "u") {
            let before = at
            at += 2
            let low = UInt32(try fourDigits())
            if low & 0xFC00 == 0xDC00 {
                code = 0x10000 + (code & 0x3FF) << 10 + (low & 0x3FF)
            } else {
                at = before
            }
        }
        // Half of a pair is no character: the initializer refuses exactly those.
        text.append(contentsOf: UTF8.encode(Unicode.Scalar(code) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
    }

    mutating func fourDigits() throws(CoreError) -> UInt16 {
        guard end - at >= 4 else { throw failure("a text has no end") }
        var code: UInt16 = 0
        for _ in 0..<4 {
            let digit: UInt8
            switch at.pointee {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = at.pointee - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = at.pointee - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = at.pointee - UInt8(ascii: "A") + 10
            default: throw failure("an escape that is not four digits")
            }
            code = code << 4 | UInt16(digit)
            at += 1
        }
        return code
    }
}
