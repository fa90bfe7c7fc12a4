// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffDeflate
internal import RiffScreen

/// Entries of a record as they are kept: a line of JSON each, compressed.
enum RecordPiece {
    /// The most that one piece may hold.
    private static let limits = DeflateLimits(outputBytes: 32 << 20)

    static func data(_ entries: [RecordEntry]) throws(DataError) -> [UInt8] {
        var bytes: [UInt8] = []
        for entry in entries {
            let time = JSONValue.number(entry.time)
            switch entry.content {
            case .resized(let size):
                bytes += JSONValue.array([time, "r", .integer(Int64(size.columns)), .integer(Int64(size.rows))]).bytes()
            case .drew(let text): bytes += JSONValue.array([time, "o", .string(text)]).bytes()
            case .mark(let mark):
                bytes += JSONValue.array([time, "m", .string(mark.kind.rawValue), .string(mark.text)]).bytes()
            case .lines: continue
            }
            bytes.append(0x0A)
        }
        return try Deflate.compress(bytes, as: .zlib)
    }

    static func entries(_ data: [UInt8]) throws -> [RecordEntry] {
        let bytes = try Deflate.decompress(data, as: .zlib, limits: limits)
        return try bytes.split(separator: 0x0A).map { line in
            let parts = try JSONValue(parsing: line).array ?? []
            guard let entry = entry(parts) else {
                throw DataError(.databaseCorrupt, "A piece of the record cannot be read.")
            }
            return entry
        }
    }

    private static func entry(_ parts: [JSONValue]) -> RecordEntry? {
        guard parts.count > 2, let time = parts[0].double, time.isFinite, let kind = parts[1].text else { return nil }
        let second: JSONValue? = parts.count > 3 ? parts[3] : nil
        switch kind {
        case "o": return parts[2].text.map { RecordEntry(time: time, content: .drew($0)) }
        case "m":
            guard let name = parts[2].text, let text = second?.text else { return nil }
            let mark = RecordMark(time: time, kind: RecordMark.Kind(rawValue: name), text: text)
            return RecordEntry(time: time, content: .mark(mark))
        case "r":
            guard let columns = parts[2].integer, let rows = second?.integer, (1...65_535).contains(columns),
                (1...65_535).contains(rows)
            else { return nil }
            return RecordEntry(time: time, content: .resized(TerminalSize(columns: Int(columns), rows: Int(rows))))
        default: return nil
        }
    }
}
