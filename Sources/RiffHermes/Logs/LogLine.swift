// Riff
// SPDX-License-Identifier: Apache-2.0

/// The beginning of an entry's first line, in both of the agent's forms:
///
/// ```
/// 2026-11-21 03:19:07,420 INFO [20261121_031836_a3cbaa] agent.turn_context: message     (log files)
/// 2026-11-21 03:19:07 [INFO] agent.turn_context: message                                (standard error)
/// ```
struct LogLine {
    var timestamp: String
    var level: LogEntry.Level
    var session: String?
    var logger: String?
    var message: String

    /// Reads a line; `nil` for one that begins no entry.
    init?(_ line: [UInt8]) {
        guard line.count > 20, Self.isTime(line) else { return nil }
        var at = 19
        if line[at] == UInt8(ascii: ",") || line[at] == UInt8(ascii: ".") {
            at += 1
            while at < line.count, Self.isDigit(line[at]) { at += 1 }
        }
        let time = at
        guard at < line.count, line[at] == 0x20 else { return nil }
        at += 1
        let isBracketed = at < line.count && line[at] == UInt8(ascii: "[")
        if isBracketed { at += 1 }
        let name = line[at...].prefix { (0x41...0x5A).contains($0) }
        guard (3...10).contains(name.count) else { return nil }
        at += name.count
        if isBracketed {
            guard at < line.count, line[at] == UInt8(ascii: "]") else { return nil }
            at += 1
        }
        guard at == line.count || line[at] == 0x20 else { return nil }
        timestamp = String(decoding: line[..<time], as: UTF8.self)
        level = LogEntry.Level(rawValue: String(decoding: name, as: UTF8.self))
        at = min(at + 1, line.count)
        if !isBracketed, at < line.count, line[at] == UInt8(ascii: "["),
            let end = line[at...].firstIndex(of: UInt8(ascii: "]")), end > at + 1,
            end + 1 == line.count || line[end + 1] == 0x20
        {
            session = String(decoding: line[(at + 1)..<end], as: UTF8.self)
            at = min(end + 2, line.count)
        }
        let word = line[at...].prefix { $0 != 0x20 }
        if word.last == UInt8(ascii: ":"), word.count > 1 {
            logger = String(decoding: word.dropLast(), as: UTF8.self)
            at = min(word.endIndex + 1, line.count)
        }
        message = String(decoding: line[at...], as: UTF8.self)
    }

    /// `YYYY-MM-DD HH:MM:SS`
    private static func isTime(_ line: [UInt8]) -> Bool {
        for place in 0..<19 {
            let byte = line[place]
            switch place {
            case 4, 7: if byte != UInt8(ascii: "-") { return false }
            case 10: if byte != 0x20 { return false }
            case 13, 16: if byte != UInt8(ascii: ":") { return false }
            default: if !isDigit(byte) { return false }
            }
        }
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
