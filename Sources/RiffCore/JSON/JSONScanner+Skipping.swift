// Riff
// SPDX-License-Identifier: Apache-2.0

/// The parts that a ``JSONCursor`` needs beside the scanner's own reading: they pass over values, as strictly as they
/// are read.
extension JSONScanner {
    /// Passes over a text; `at` is at its quote.
    ///
    /// - Returns: Whether it has escapes.
    @discardableResult
    mutating func skipString() throws(CoreError) -> Bool {
        at += 1
        var isEscaped = false
        while true {
            try skipPlain()
            let byte = at.pointee
            at += 1
            if byte == UInt8(ascii: "\"") { return isEscaped }
            isEscaped = true
            guard at < end else { throw failure("a text has no end") }
            let letter = at.pointee
            at += 1
            switch letter {
            case UInt8(ascii: "u"): _ = try fourDigits()
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
                UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                break
            default: throw failure("an unknown escape")
            }
        }
    }

    /// Passes over what is no text, no object and no list.
    mutating func skipScalar() throws(CoreError) {
        guard at < end, at.pointee &- UInt8(ascii: "0") < 10 else {
            // Words and negative numbers; the depth does not matter to them.
            _ = try value(depth: 0)
            return
        }
        let first = at
        try skipDigits()
        guard first.pointee != UInt8(ascii: "0") || at - first == 1 else {
            throw failure("a number with a leading zero")
        }
        _ = try skipFraction()
    }
}
