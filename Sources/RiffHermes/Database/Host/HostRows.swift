// Riff
// SPDX-License-Identifier: Apache-2.0

/// The form in which rows come from a host: each value with its kind and its length, so that nothing in it can be taken
/// for something else, however it was cut on its way.
///
///     answer = item*; item = row | look | failure | end
///     row     = "R" value* LF                 as many values as the statement has columns
///     value   = kind digits ":" bytes         as many bytes as the digits say
///     kind = "n" null, "i" whole number, "q" real times 2^22, "r" real, "t" text, "x" text in hexadecimal, "b" blob in
///     it look = "L" bytes LF the files, as they were behind the statement failure = "F" value LF SQLite refused, in
///     these words end = "E" nonce "." number LF
package struct HostRows {
    /// The result of one statement.
    package struct Answer {
        package var rows: [SQLRow] = []
        package var look = ""
        package var failure: String?
    }

    /// Bytes that cannot be understood, or too many.
    package enum Malformed: Error {
        case unexpected
        case tooLarge
    }

    private let columns: Int
    private let end: [UInt8]
    private let limits: HermesDatabase.Limits
    private var buffer: [UInt8] = []
    private var at = 0
    private var row: SQLRow?
    private var answer = Answer()
    private var total = 0

    /// An answer that begins.
    ///
    /// - Parameters:
    ///   - columns: How many values a row has.
    ///   - end: What stands behind the last row.
    ///   - limits: How much of it is kept.
    package init(columns: Int, end: String, limits: HermesDatabase.Limits) {
        self.columns = columns
        self.end = Array("E\(end)\n".utf8)
        self.limits = limits
    }

    /// Takes bytes, cut anywhere.
    ///
    /// - Returns: The answer, once it is complete.
    package mutating func feed(_ bytes: [UInt8]) throws(Malformed) -> Answer? {
        total += bytes.count
        guard total <= 3 * limits.bytes else { throw .tooLarge }
        buffer += bytes
        defer {
            buffer.removeFirst(at)
            at = 0
        }
        while at < buffer.count {
            if row != nil {
                guard try readValues() else { return nil }
                continue
            }
            switch buffer[at] {
            case UInt8(ascii: "R"):
                at += 1
                row = []
            case UInt8(ascii: "L"):
                guard let line = line() else { return nil }
                answer.look = String(decoding: line.dropFirst(), as: UTF8.self)
            case UInt8(ascii: "F"):
                at += 1
                guard let value = try value() else {
                    at -= 1
                    return nil
                }
                answer.failure = value.text ?? ""
            // Its line's end is passed over below.
            case 0x0A: at += 1
            case UInt8(ascii: "E"):
                guard let line = line() else { return nil }
                guard line.elementsEqual(end.dropLast()) else { throw .unexpected }
                return answer
            default: throw .unexpected
            }
        }
        return nil
    }

    /// The rest of a row; `false` where it is not there yet.
    private mutating func readValues() throws(Malformed) -> Bool {
        while var values = row, values.count < columns {
            guard let value = try value() else { return false }
            row = nil
            values.append(value)
            row = values
        }
        guard at < buffer.count else { return false }
        guard buffer[at] == 0x0A, let values = row else { throw .unexpected }
        at += 1
        answer.rows.append(values)
        row = nil
        if answer.rows.count > limits.rows { throw .tooLarge }
        return true
    }

    private mutating func line() -> ArraySlice<UInt8>? {
        guard let end = buffer[at...].firstIndex(of: 0x0A) else { return nil }
        defer { at = end + 1 }
        return buffer[at..<end]
    }

    private mutating func value() throws(Malformed) -> SQLValue? {
        guard at < buffer.count else { return nil }
        let kind = buffer[at]
        var place = at + 1
        var count = 0
        while true {
            guard place < buffer.count else { return nil }
            let byte = buffer[place]
            place += 1
            if byte == UInt8(ascii: ":") { break }
            guard (0x30...0x39).contains(byte), count < 1 << 40 else { throw .unexpected }
            count = count * 10 + Int(byte - 0x30)
        }
        guard count <= 3 * limits.bytes else { throw .tooLarge }
        guard buffer.count - place >= count else { return nil }
        let bytes = buffer[place..<(place + count)]
        guard let value = Self.value(kind, bytes) else { throw .unexpected }
        at = place + count
        return value
    }

    private static func value(_ kind: UInt8, _ bytes: ArraySlice<UInt8>) -> SQLValue? {
        func text() -> String { String(decoding: bytes, as: UTF8.self) }
        switch kind {
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "i"): return Int64(text()).map(SQLValue.integer)
        case UInt8(ascii: "q"): return Int64(text()).map { .real(Double($0) / SQLLiteral.scale) }
        case UInt8(ascii: "r"): return Double(text().lowercased()).map(SQLValue.real)
        case UInt8(ascii: "t"): return .text(text())
        case UInt8(ascii: "x"): return unhex(bytes).map { .text(String(decoding: $0, as: UTF8.self)) }
        case UInt8(ascii: "b"): return unhex(bytes).map(SQLValue.blob)
        default: return nil
        }
    }

    private static func unhex(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
        func value(_ digit: UInt8) -> UInt8? {
            switch digit {
            case 0x30...0x39: digit - 0x30
            case 0x41...0x46: digit - 0x37
            case 0x61...0x66: digit - 0x57
            default: nil
            }
        }
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            guard let nibble = value(digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | nibble)
                high = nil
            } else {
                high = nibble
            }
        }
        return bytes
    }

    // MARK: Writing it in SQL

    /// A statement whose rows the `sqlite3` program prints in this way.
    ///
    /// A text with control characters comes in hexadecimal: newer versions of the program print them as pictures, and
    /// all end a text at a NUL. The limit keeps SQLite from merging the two statements, and with it from computing a
    /// column once for each time it is named.
    package static func printing(_ query: SQLQuery) -> String {
        let names = (0..<query.columns).map { "c\($0)" }
        let values = names.map { "(\(printing($0)))" }.joined(separator: " || ")
        return "WITH riff(\(names.joined(separator: ", "))) AS (\(SQLLiteral.render(query))) "
            + "SELECT 'R' || \(values) FROM riff LIMIT -1;"
    }

    private static func printing(_ name: String) -> String {
        let control =
            "'*[' || char(1) || '-' || char(8) || char(11) || '-' || char(31) || char(127) || '-' || char(159) || ']*'"
        func sized(_ kind: String, _ text: String) -> String { "'\(kind)' || length(\(text)) || ':' || \(text)" }
        let scaled = "CAST(\(name) * 4194304.0 AS INTEGER)"
        return "CASE typeof(\(name)) WHEN 'null' THEN 'n0:' WHEN 'integer' THEN \(sized("i", name)) "
            + "WHEN 'real' THEN CASE WHEN abs(\(name)) < 2147483648.0 AND \(scaled) = \(name) * 4194304.0 "
            + "THEN \(sized("q", scaled)) ELSE \(sized("r", "printf('%!.17g', \(name))")) END "
            + "WHEN 'blob' THEN \(sized("b", "hex(\(name))")) "
            + "ELSE CASE WHEN instr(\(name), char(0)) > 0 OR \(name) GLOB \(control) THEN \(sized("x", "hex(\(name))")) "
            + "ELSE 't' || length(CAST(\(name) AS BLOB)) || ':' || \(name) END END"
    }
}
