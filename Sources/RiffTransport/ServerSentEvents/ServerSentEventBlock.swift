// Riff
// SPDX-License-Identifier: Apache-2.0

/// The lines up to an empty one, and the event that they make (WHATWG HTML, section 9.2.6).
///
/// It compares bytes. As characters, a colon and an accent that follows it are one, and so are CR and LF.
struct ServerSentEventBlock: Sendable {
    /// The capacity that buffers may keep when they are emptied: enough for usual events, so that they do not allocate.
    static let idleCapacity = 64 * 1024

    /// The ID that the last empty line made valid.
    private(set) var lastEventID: String
    /// The ID that the next one makes valid. It belongs to the stream, and stays for later events.
    private var id: String
    private var type = ""
    /// The data's lines, with a LF between them.
    private var data: [UInt8] = []
    private var hasData = false
    /// The most bytes that are kept, which the owner sees to.
    private let limit: Int
    /// Whether lines that say an error in no field of the format are events of the type `error`.
    private let readsErrors: Bool

    init(lastEventID: String, limit: Int, readsErrors: Bool = false) {
        self.lastEventID = lastEventID
        self.limit = limit
        self.readsErrors = readsErrors
        id = lastEventID
    }

    /// The number of bytes that are kept.
    var byteCount: Int { data.count + type.utf8.count + id.utf8.count }

    /// The number of bytes that are allocated for the kept ones.
    var keptCapacity: Int { data.capacity + type.utf8.count + id.utf8.count }

    /// Takes a line.
    ///
    /// - Parameter line: The line without its end.
    /// - Returns: What it says at once, or completes.
    mutating func take(_ line: UnsafeRawBufferPointer) -> ServerSentEventParser.Output? {
        guard let first = line.first else { return end().map { .event($0) } }
        if readsErrors, let words = Self.error(in: line) {
            return .event(ServerSentEvent(type: "error", data: words, lastEventID: lastEventID))
        }
        switch first {
        case UInt8(ascii: "d"):
            if let value = line.value(of: "data") { append(value) }
        case UInt8(ascii: "e"):
            if let value = line.value(of: "event") { type = String(decoding: value, as: UTF8.self) }
        case UInt8(ascii: "i"):
            if let value = line.value(of: "id"), !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        case UInt8(ascii: "r"):
            if let value = line.value(of: "retry"), let wait = value.milliseconds { return .retry(wait) }
        case UInt8(ascii: ":"):
            return .comment(String(decoding: line[1...], as: UTF8.self))
        default: break
        }
        return nil
    }

    /// Takes a line out of a buffer of its own, which is empty afterwards.
    ///
    /// The first line of data stays in its buffer, which becomes the data's: of a line of many megabytes there are no
    /// two copies.
    mutating func take(emptying line: inout [UInt8]) -> ServerSentEventParser.Output? {
        defer { line.removeAll(keepingCapacity: line.capacity <= Self.idleCapacity) }
        let value = hasData ? nil : line.withUnsafeBytes { $0.value(of: "data")?.count }
        guard let value else { return line.withUnsafeBytes { take($0) } }
        swap(&line, &data)
        data.removeFirst(data.count - value)
        hasData = true
        return nil
    }

    /// Returns the error in a line that is no field of the format: `error: {...}`, as llama.cpp writes it, or an object
    /// with that member, as services do that fail after the head of their answer.
    static func error(in line: UnsafeRawBufferPointer) -> String? {
        if let value = line.value(of: "error"), !value.isEmpty { return String(decoding: value, as: UTF8.self) }
        guard line.first == UInt8(ascii: "{") else { return nil }
        let rest = line.dropFirst().drop { $0 == UInt8(ascii: " ") }
        guard rest.starts(with: #""error""#.utf8) || rest.starts(with: #""detail""#.utf8) else { return nil }
        return String(decoding: line, as: UTF8.self)
    }

    private mutating func append(_ value: UnsafeRawBufferPointer) {
        data.makeRoom(for: value.count + 1, within: limit)
        if hasData { data.append(UInt8(ascii: "\n")) }
        data.append(contentsOf: value)
        hasData = true
    }

    /// An empty line: the ID becomes valid, and with data there is an event.
    private mutating func end() -> ServerSentEvent? {
        lastEventID = id
        defer { type = "" }
        guard hasData else { return nil }
        defer {
            data.removeAll(keepingCapacity: data.capacity <= Self.idleCapacity)
            hasData = false
        }
        return ServerSentEvent(
            type: type.isEmpty ? "message" : type,
            data: String(decoding: data, as: UTF8.self),
            lastEventID: id
        )
    }
}

extension UnsafeRawBufferPointer {
    /// The value of a line with this name: what follows the first colon, less one space; empty without a colon.
    fileprivate func value(of name: StaticString) -> UnsafeRawBufferPointer? {
        let length = name.utf8CodeUnitCount
        guard count >= length else { return nil }
        let expected = UnsafeBufferPointer(start: name.utf8Start, count: length)
        for index in 0..<length where self[index] != expected[index] { return nil }
        guard count > length else { return UnsafeRawBufferPointer(rebasing: self[length...]) }
        guard self[length] == UInt8(ascii: ":") else { return nil }
        let hasSpace = count > length + 1 && self[length + 1] == UInt8(ascii: " ")
        return UnsafeRawBufferPointer(rebasing: self[(length + (hasSpace ? 2 : 1))...])
    }

    /// The number that ASCII digits say, as milliseconds; the largest there is where they say more.
    fileprivate var milliseconds: Duration? {
        guard !isEmpty else { return nil }
        var value: Int64 = 0
        for byte in self {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value > (.max - 9) / 10 ? .max : value * 10 + Int64(digit)
        }
        return .milliseconds(value)
    }
}
