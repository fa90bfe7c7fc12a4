// Riff
// SPDX-License-Identifier: Apache-2.0

/// Finds what looks like a secret in one logical line: keys by their known beginnings, values by their names, passwords
/// in addresses, and long random words.
///
/// It errs on the side of finding too much: what is taken for a secret is only shown as dots.
struct SecretScanner {
    private let text: [UInt32]
    private(set) var found: [Range<Int>] = []
    /// The end of what was found, and the last run of characters that a value may have, with its last digit: so that no
    /// character is looked at for each sign before it.
    private var foundEnd = 0
    private var run = (start: 0, end: 0, lastDigit: -1)

    /// - Parameter text: One scalar for each character; ``RowShape/letter`` where a character has several.
    init(_ text: [UInt32]) {
        self.text = text
        var index = 0
        while index < text.count {
            guard Self.isToken(text[index]) else {
                index += 1
                continue
            }
            var end = index
            while end < text.count, Self.isToken(text[end]) { end += 1 }
            word(index..<end)
            index = end
        }
        addresses()
    }

    /// Keys that say what they are: how they begin, and how many characters more it takes to be one.
    private static let beginnings: [(scalars: [UInt32], count: Int)] = [
        ("sk-ant-", 1), ("sk-", 10), ("sk_live_", 1), ("sk_test_", 1), ("rk_live_", 1), ("whsec_", 4), ("ghp_", 2),
        ("gho_", 2), ("ghu_", 2), ("ghs_", 2), ("ghr_", 2), ("github_pat_", 1), ("glpat-", 1), ("xoxa-", 2),
        ("xoxb-", 2), ("xoxp-", 2), ("xoxr-", 2), ("xoxs-", 2), ("xapp-", 2), ("hf_", 8), ("npm_", 8), ("pypi-", 10),
        ("dop_v1_", 1), ("AKIA", 4), ("ASIA", 4), ("AIza", 4), ("eyJ", 4), ("ya29.", 4), ("AGE-SECRET-KEY-1", 1),
        ("lin_api_", 1), ("tskey-", 4), ("dckr_pat_", 1), ("nvapi-", 4), ("gsk_", 8), ("xai-", 10), ("shpat_", 2),
        ("SG.", 16), ("pplx-", 10), ("key-", 24), ("r8_", 20),
    ].map { ($0.0.unicodeScalars.map(\.value), $0.1) }

    private static let names = [
        "secret", "token", "passw", "passphrase", "passwd", "pwd", "apikey", "api_key", "api-key", "accesskey",
        "access_key", "access-key", "privatekey", "private_key", "private-key", "credential", "auth_key", "authkey",
        "signature",
    ].map { $0.unicodeScalars.map(\.value) }

    /// A run of characters that a key may have.
    private mutating func word(_ range: Range<Int>) {
        var start = range.lowerBound
        // A word may hold several parts: a name, a sign and the value.
        while start < range.upperBound {
            let isAtBoundary = start == range.lowerBound || !Self.isAlphanumeric(text[start - 1])
            if isAtBoundary, let end = key(at: start, upTo: range.upperBound) {
                add(start..<end)
                start = end
                continue
            }
            if text[start] == 0x3D || text[start] == 0x3A { value(after: start) }
            start += 1
        }
        if range.upperBound < text.count, text[range.upperBound] == 0x3A || text[range.upperBound] == 0x22 {
            // `"name": "value"`: the colon comes after the quote.
            let colon = text[range.upperBound] == 0x3A ? range.upperBound : range.upperBound + 1
            if colon < text.count, text[colon] == 0x3A || text[colon] == 0x3D { value(after: colon) }
        }
        option(range)
        bearer(range)
        // A name before it stays.
        for part in text[range].split(whereSeparator: { $0 == 0x3D || $0 == 0x3A }) where Self.isRandom(part) {
            add(part.startIndex..<part.endIndex)
        }
    }

    private func key(at start: Int, upTo end: Int) -> Int? {
        for beginning in Self.beginnings {
            let length = beginning.scalars.count
            guard end - start >= length + beginning.count, text[start] == beginning.scalars[0],
                text[start..<start + length].elementsEqual(beginning.scalars)
            else { continue }
            return end
        }
        return nil
    }

    /// The value of a name that says that it is a secret, after `=` or `:`.
    private mutating func value(after sign: Int) {
        guard sign >= foundEnd else { return }
        var nameEnd = sign
        while nameEnd > 0, text[nameEnd - 1] == 0x22 || text[nameEnd - 1] == 0x27 || text[nameEnd - 1] == 0x20 {
            nameEnd -= 1
        }
        var nameStart = nameEnd
        while nameStart > 0, nameEnd - nameStart < 64, Self.isName(text[nameStart - 1]) { nameStart -= 1 }
        let name = text[nameStart..<nameEnd].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let isQuery = nameStart > 0 && (text[nameStart - 1] == 0x3F || text[nameStart - 1] == 0x26)
        guard Self.isSecretName(name) || isQuery && Self.queryNames.contains(name) else { return }
        var start = sign + 1
        while start < text.count, start - sign < 4, text[start] == 0x20 { start += 1 }
        var quote: UInt32?
        if start < text.count, text[start] == 0x22 || text[start] == 0x27 {
            quote = text[start]
            start += 1
        }
        let end: Int
        if let quote {
            // One that does not end soon does not end in this line.
            let near = text[start..<min(start + 512, text.count)]
            end = near.firstIndex(of: quote) ?? near.firstIndex { Self.endsValue($0, false) } ?? near.endIndex
        } else {
            if !(run.start..<max(run.end, run.start)).contains(start) || isQuery { findRun(from: start, isQuery) }
            end = run.end
        }
        guard end > start else { return }
        let isNumber = text[start..<end].allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2C || $0 == 0x2E }
        // `tokens: 4,096` is a count.
        if isNumber, end - start < 8, !name.starts(with: Self.names[2]) { return }
        if text[sign] == 0x3A, quote == nil, !Self.isPassword(name) {
            guard end - start >= 8, run.lastDigit >= start else { return }
        }
        add(start..<end)
    }

    private mutating func findRun(from start: Int, _ isQuery: Bool) {
        var end = start
        var lastDigit = -1
        while end < text.count, !Self.endsValue(text[end], isQuery) {
            if (0x30...0x39).contains(text[end]) { lastDigit = end }
            end += 1
        }
        run = (start, end, lastDigit)
    }

    private mutating func add(_ range: Range<Int>) {
        found.append(range)
        foundEnd = max(foundEnd, range.upperBound)
    }

    /// The word after `--token` and its like.
    private mutating func option(_ range: Range<Int>) {
        let word = text[range]
        guard word.count > 4, word.starts(with: [0x2D, 0x2D]), !word.contains(0x3D),
            Self.isSecretName(word.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
        else { return }
        // Another option is no value.
        let value = text[range.upperBound...].first { $0 != 0x20 }
        if value != 0x2D { next(after: range.upperBound, least: 1) }
    }

    /// What comes after `Bearer`.
    private mutating func bearer(_ range: Range<Int>) {
        let word = text[range].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        guard word == Self.bearerWord || word == Self.basicWord else { return }
        next(after: range.upperBound, least: word == Self.bearerWord ? 6 : 12)
    }

    private mutating func next(after end: Int, least: Int) {
        var start = end
        while start < text.count, text[start] == 0x20 || text[start] == 0x22 || text[start] == 0x27 { start += 1 }
        guard start > end, start < text.count else { return }
        var last = start
        while last < text.count, !Self.endsValue(text[last], false) { last += 1 }
        if last - start >= least { add(start..<last) }
    }

    /// `scheme://name:password@host`.
    private mutating func addresses() {
        var index = 0
        while index + 3 < text.count {
            guard text[index] == 0x3A, text[index + 1] == 0x2F, text[index + 2] == 0x2F else {
                index += 1
                continue
            }
            index += 3
            let start = index
            var colon: Int?
            while index < text.count, text[index] != 0x20, text[index] != 0x2F, text[index] != 0x40 {
                if text[index] == 0x3A, colon == nil { colon = index }
                index += 1
            }
            let from = colon.map { $0 + 1 } ?? start
            guard index > from else { continue }
            if index < text.count {
                if text[index] == 0x40 { add(from..<index) }
            } else if colon != nil, !text[from..<index].allSatisfy({ (0x30...0x39).contains($0) }) {
                // The host's name is still to come.
                add(from..<index)
            }
        }
    }

    // MARK: Kinds of characters

    private static let bearerWord = "bearer".unicodeScalars.map(\.value)
    private static let basicWord = "basic".unicodeScalars.map(\.value)
    private static let queryNames = Set(["key", "sig", "code", "auth", "sas"].map { $0.unicodeScalars.map(\.value) })

    private static func isSecretName(_ name: [UInt32]) -> Bool {
        names.contains { part in
            name.count >= part.count
                && (0...name.count - part.count).contains { name[$0..<$0 + part.count].elementsEqual(part) }
        }
    }

    private static func isPassword(_ name: [UInt32]) -> Bool {
        [names[2], names[3], names[5]].contains { part in
            name.count >= part.count
                && (0...name.count - part.count).contains { name[$0..<$0 + part.count].elementsEqual(part) }
        }
    }

    /// 32 characters or more of small and capital letters and digits, without the signs of paths and sentences.
    private static func isRandom(_ word: ArraySlice<UInt32>) -> Bool {
        guard word.count >= 32 else { return false }
        var (small, capital, digits, signs) = (0, 0, 0, 0)
        for scalar in word {
            switch scalar {
            case 0x61...0x7A: small += 1
            case 0x41...0x5A: capital += 1
            case 0x30...0x39: digits += 1
            case 0x2E, 0x2F, 0x3A: signs += 1
            default: break
            }
        }
        return small > 2 && capital > 2 && digits > (word.count < 40 ? 2 : 0) && signs <= 2
    }

    static func isToken(_ scalar: UInt32) -> Bool {
        switch scalar {
        // + - . / : = _ ~ $
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E, 0x2F, 0x3A, 0x3D, 0x5F, 0x7E, 0x24: true
        default: false
        }
    }

    private static func isAlphanumeric(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    private static func isName(_ scalar: UInt32) -> Bool {
        isAlphanumeric(scalar) || scalar == 0x5F || scalar == 0x2D || scalar == 0x2E
    }

    private static func endsValue(_ scalar: UInt32, _ isQuery: Bool) -> Bool {
        switch scalar {
        case 0x20, 0x22, 0x27, 0x60, 0x3B, 0x29, 0x2C: true
        case 0x26: isQuery
        default: false
        }
    }
}
