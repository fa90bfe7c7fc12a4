// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// Reads a cast as its bytes come, split anywhere.
///
/// Empty lines are passed over, and so are comments (lines that begin with `#`, of version 3).
public struct CastReader: Sendable {
    /// The header, once it was read.
    public private(set) var header: CastHeader?

    private var splitter = LineSplitter(limitBytes: CastReader.longestLine, overflow: .drops, stripsCR: false)
    private var number = 0
    private var time = Duration.zero

    /// The most bytes of a line.
    private static let longestLine = 16 << 20

    /// A reader at the beginning of a file.
    public init() {}

    /// Takes bytes.
    ///
    /// - Returns: The events that are whole with them.
    /// - Throws: ``CoreError`` with `malformedCast`, which names the line. The reader is of no use then.
    public mutating func feed(_ bytes: some Sequence<UInt8>) throws(CoreError) -> [CastEvent] {
        var events: [CastEvent] = []
        var rest = Array(bytes)[...]
        while let line = splitter.next(in: &rest) {
            if let event = try take(line) { events.append(event) }
        }
        if splitter.isCut { throw tooLong }
        return events
    }

    /// Takes a last line that does not end.
    ///
    /// - Returns: Its event.
    /// - Throws: As ``feed(_:)``: a recording that was cut short ends in half a line.
    public mutating func finish() throws(CoreError) -> [CastEvent] {
        guard let line = splitter.finish(), let event = try take(line) else { return [] }
        return [event]
    }

    private mutating func take(_ whole: LineSplitter.Line) throws(CoreError) -> CastEvent? {
        if whole.isCut { throw tooLong }
        number += 1
        var line = whole.bytes
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        guard let first = line.first else { return nil }
        if first == UInt8(ascii: "#"), header?.version == .three { return nil }
        let json: JSONValue
        do { json = try JSONValue(parsing: line) } catch { throw malformed("is no JSON: \(error.message)") }
        guard let header else {
            header = try readHeader(json)
            return nil
        }
        return try readEvent(json, header.version)
    }

    private func readHeader(_ json: JSONValue) throws(CoreError) -> CastHeader {
        guard var members = json.object, let version = members["version"]?.integer else {
            throw malformed("is no header of a cast")
        }
        guard let version = CastHeader.Version(rawValue: Int(clamping: version)) else {
            throw malformed("says version \(version); 2 and 3 can be read")
        }
        var terminal = version == .three ? members["term"]?.object ?? JSONObject() : members
        let names = version == .three ? ("cols", "rows") : ("width", "height")
        guard let columns = terminal[names.0]?.integer, let rows = terminal[names.1]?.integer,
            (1...65_535).contains(columns), (1...65_535).contains(rows)
        else { throw malformed("tells no size") }
        terminal[names.0] = nil
        terminal[names.1] = nil
        if version == .two { members = terminal } else { members["term"] = terminal.isEmpty ? nil : .object(terminal) }
        var header = CastHeader(version: version, size: TerminalSize(columns: Int(columns), rows: Int(rows)))
        if let limit = members["idle_time_limit"]?.double {
            header.idleTimeLimit = try duration(limit)
            members["idle_time_limit"] = nil
        }
        if let title = members["title"]?.text {
            header.title = title
            members["title"] = nil
        }
        members["version"] = nil
        header.other = members
        return header
    }

    private mutating func readEvent(_ json: JSONValue, _ version: CastHeader.Version) throws(CoreError) -> CastEvent {
        guard let parts = json.array, parts.count >= 3, let seconds = parts[0].double, let code = parts[1].text else {
            throw malformed("is no event")
        }
        let told = try duration(seconds)
        // Time does not run backwards, whatever a file says.
        time = version == .three ? time + told : max(time, told)
        // What codes of other versions come with need not be a text.
        let data = parts[2].text ?? String(decoding: parts[2].bytes(), as: UTF8.self)
        let event = CastEvent(time: time, CastEvent.Code(rawValue: code), data)
        if event.code == .resize, event.size == nil { throw malformed("tells no size") }
        if event.code == .exit, event.exitStatus == nil { throw malformed("tells no exit status") }
        return event
    }

    private func duration(_ seconds: Double) throws(CoreError) -> Duration {
        guard (0...1e9).contains(seconds) else { throw malformed("tells no time") }
        return .microseconds(Int64((seconds * 1e6).rounded()))
    }

    private var tooLong: CoreError { malformed("is longer than 16 MiB") }

    private func malformed(_ reason: String) -> CoreError {
        CoreError(.malformedCast, "Line \(max(number, 1)) of the cast \(reason).")
    }
}
