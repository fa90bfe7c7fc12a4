// Riff
// SPDX-License-Identifier: Apache-2.0

extension JSONScanner {
    /// Reads a number by JSON's grammar.
    mutating func number() throws(CoreError) -> JSONValue {
        let first = at
        let isNegative = at.pointee == UInt8(ascii: "-")
        if isNegative { at += 1 }
        let digits = at
        var value: UInt64 = 0
        while at < end, let digit = Self.digit(at.pointee) {
            // 18 digits always fit; a longer one is read again below.
            if at - digits < 18 { value = value * 10 + UInt64(digit) }
            at += 1
        }
        let count = at - digits
        guard count > 0 else { throw failure("an unexpected character") }
        guard digits.pointee != UInt8(ascii: "0") || count == 1 else { throw failure("a number with a leading zero") }
        let isWhole = try !skipFraction()
        if isWhole, count <= 18, value != 0 || !isNegative {
            return .integer(isNegative ? -Int64(value) : Int64(value))
        }
        let text = String(decoding: UnsafeBufferPointer(start: first, count: at - first), as: UTF8.self)
        return isWhole ? Self.whole(text) : Self.fraction(text)
    }

    /// Moves over fraction and exponent; whether there were any.
    mutating func skipFraction() throws(CoreError) -> Bool {
        let first = at
        if at < end, at.pointee == UInt8(ascii: ".") {
            at += 1
            try skipDigits()
        }
        if at < end, at.pointee | 0x20 == UInt8(ascii: "e") {
            at += 1
            if at < end, at.pointee == UInt8(ascii: "+") || at.pointee == UInt8(ascii: "-") { at += 1 }
            try skipDigits()
        }
        return at != first
    }

    mutating func skipDigits() throws(CoreError) {
        let first = at
        while at < end, Self.digit(at.pointee) != nil { at += 1 }
        guard at > first else { throw failure("a number without digits") }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        let digit = byte &- UInt8(ascii: "0")
        return digit < 10 ? digit : nil
    }

    private static func whole(_ text: String) -> JSONValue {
        if text == "-0" { return .number(-0.0) }
        return Int64(text).map { .integer($0) } ?? .numeral(text)
    }

    /// A `Double` where it says exactly what the text says.
    private static func fraction(_ text: String) -> JSONValue {
        guard let value = Double(text), value.isFinite else { return .numeral(text) }
        let significant = Decimal(text)
        // Up to 15 digits survive the way to a Double and back (DBL_DIG), unless they underflow; for more, look.
        if significant.digits.count <= 15, value.isNormal || significant.digits.isEmpty { return .number(value) }
        return Decimal("\(value)") == significant ? .number(value) : .numeral(text)
    }

    /// The digits that count in a number's text, and where its point is: equal for texts of one magnitude.
    private struct Decimal: Equatable {
        var digits: [UInt8] = []
        var exponent = 0

        init(_ text: String) {
            var afterPoint = false
            var written = 0
            var bytes = text.utf8[...]
            if bytes.first == UInt8(ascii: "-") { bytes = bytes.dropFirst() }
            while let byte = bytes.popFirst(), byte | 0x20 != UInt8(ascii: "e") {
                guard byte != UInt8(ascii: ".") else {
                    afterPoint = true
                    continue
                }
                if afterPoint { exponent -= 1 }
                if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte) }
            }
            written = Int(String(Substring(bytes))) ?? 0
            while digits.last == UInt8(ascii: "0") {
                digits.removeLast()
                exponent += 1
            }
            exponent = digits.isEmpty ? 0 : exponent &+ written
        }
    }
}
