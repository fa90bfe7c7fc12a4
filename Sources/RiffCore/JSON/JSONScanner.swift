// Riff
// SPDX-License-Identifier: Apache-2.0

/// Reads one JSON document from bytes in one pass.
///
/// RFC 8259, and beyond it what real agents write: a byte order mark in front, control characters inside of texts, half
/// surrogate pairs and invalid UTF-8 (each becomes U+FFFD), and Python's `NaN` and `Infinity` (read as null). Nesting
/// is bounded, so that no input can exhaust the stack.
///
/// It works on raw pointers, because that is what makes it several times as fast as Foundation's decoder (decision 21);
/// every read is preceded by a comparison with `end`, and no pointer leaves ``parse(_:)``.
struct JSONScanner {
    /// The number of levels that lists and objects may be nested.
    static let depthLimit = 256

    private let start: UnsafePointer<UInt8>
    let end: UnsafePointer<UInt8>
    var at: UnsafePointer<UInt8>

    /// Reads a whole document.
    ///
    /// - Throws: ``CoreError`` with `invalidJSON`, naming the byte where reading stopped.
    static func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(CoreError) -> JSONValue {
        var scanner = try begin(bytes)
        let value = try scanner.value(depth: 0)
        try scanner.finish()
        return value
    }

    /// A scanner at the beginning of a document.
    static func begin(_ bytes: UnsafeBufferPointer<UInt8>) throws(CoreError) -> JSONScanner {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            throw CoreError(.invalidJSON, "The text is not JSON: it is empty.")
        }
        var scanner = JSONScanner(start: start, end: start + bytes.count, at: start)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.at += 3 }
        return scanner
    }

    /// Throws if the document has more after its value.
    mutating func finish() throws(CoreError) {
        skipSpace()
        guard at == end else { throw failure("something follows the value") }
    }

    private init(start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, at: UnsafePointer<UInt8>) {
        self.start = start
        self.end = end
        self.at = at
    }

    /// The error for the place reached.
    func failure(_ reason: String) -> CoreError {
        CoreError(.invalidJSON, "The text is not JSON: \(reason), at byte \(at - start).")
    }

    mutating func skipSpace() {
        while at < end, at.pointee == 0x20 || (at.pointee >= 0x09 && at.pointee <= 0x0D) { at += 1 }
    }

    mutating func value(depth: Int) throws(CoreError) -> JSONValue {
        skipSpace()
        guard at < end else { throw failure("it ends too early") }
        switch at.pointee {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["): return .array(try array(depth: depth))
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "N"): return try word("NaN", .null)
        case UInt8(ascii: "I"): return try word("Infinity", .null)
        case UInt8(ascii: "-") where end - at > 1 && at[1] == UInt8(ascii: "I"): return try word("-Infinity", .null)
        default: return try number()
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(CoreError) -> JSONValue {
        let count = word.utf8CodeUnitCount
        guard end - at >= count else { throw failure("it ends too early") }
        for offset in 0..<count where at[offset] != word.utf8Start[offset] { throw failure("an unknown word") }
        at += count
        return value
    }

    private mutating func object(depth: Int) throws(CoreError) -> JSONObject {
        try enter(depth)
        var members: [JSONObject.Member] = []
        skipSpace()
        if try take(UInt8(ascii: "}")) { return JSONObject() }
        members.reserveCapacity(4)
        while true {
            skipSpace()
            guard at < end, at.pointee == UInt8(ascii: "\"") else { throw failure("a member needs a name") }
            let key = try string()
            skipSpace()
            guard try take(UInt8(ascii: ":")) else { throw failure("a colon is missing") }
            members.append(JSONObject.Member(key: key, value: try value(depth: depth + 1)))
            skipSpace()
            if try take(UInt8(ascii: ",")) { continue }
            if try take(UInt8(ascii: "}")) { return JSONObject(uniquing: members) }
            throw failure("a comma is missing")
        }
    }

    private mutating func array(depth: Int) throws(CoreError) -> [JSONValue] {
        try enter(depth)
        skipSpace()
        if try take(UInt8(ascii: "]")) { return [] }
        var elements: [JSONValue] = []
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if try take(UInt8(ascii: ",")) { continue }
            if try take(UInt8(ascii: "]")) { return elements }
            throw failure("a comma is missing")
        }
    }

    mutating func enter(_ depth: Int) throws(CoreError) {
        guard depth < Self.depthLimit else { throw failure("more than \(Self.depthLimit) levels") }
        at += 1
    }

    mutating func take(_ byte: UInt8) throws(CoreError) -> Bool {
        guard at < end else { throw failure("it ends too early") }
        guard at.pointee == byte else { return false }
        at += 1
        return true
    }
}

extension CoreErrorCode {
    /// Bytes that should be JSON are not.
    public static let invalidJSON = CoreError.Code(rawValue: "invalidJSON")
}
