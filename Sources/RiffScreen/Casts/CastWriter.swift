// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Writes a cast line by line, as things happen.
public struct CastWriter: Sendable {
    private let header: CastHeader
    /// When the event before was, in microseconds.
    private var last: Int64 = 0

    /// A writer of a cast in the header's version.
    public init(_ header: CastHeader) { self.header = header }

    /// The first line.
    public func start() -> [UInt8] {
        var members = JSONObject([("version", .integer(Int64(header.version.rawValue)))])
        let (columns, rows) = (
            JSONValue.integer(Int64(header.size.columns)), JSONValue.integer(Int64(header.size.rows))
        )
        if header.version == .three {
            var terminal = JSONObject([("cols", columns), ("rows", rows)])
            for member in header.other["term"]?.object ?? JSONObject() { terminal[member.key] = member.value }
            members["term"] = .object(terminal)
        } else {
            members["width"] = columns
            members["height"] = rows
        }
        if let limit = header.idleTimeLimit { members["idle_time_limit"] = Self.seconds(Self.microseconds(limit)) }
        if let title = header.title { members["title"] = .string(title) }
        for member in header.other where members[member.key] == nil { members[member.key] = member.value }
        return JSONValue.object(members).bytes() + [0x0A]
    }

    /// A line for an event. Events come in the order of their times.
    public mutating func write(_ event: CastEvent) -> [UInt8] {
        let now = max(Self.microseconds(event.time), last)
        let told = header.version == .three ? now - last : now
        last = now
        let line: JSONValue = [Self.seconds(told), .string(event.code.rawValue), .string(event.data)]
        return line.bytes() + [0x0A]
    }

    private static func microseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    /// Seconds with six digits behind the point: what was read is written the same.
    private static func seconds(_ microseconds: Int64) -> JSONValue {
        let fraction = String(microseconds % 1_000_000)
        return .numeral("\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction)
    }
}
