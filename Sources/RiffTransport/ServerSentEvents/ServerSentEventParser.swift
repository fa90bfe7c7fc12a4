// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample:
/// Reads an event stream (`text/event-stream`, WHATWG HTML, sections 9.2.5 and 9.2.6): bytes in, split anywhere, events
/// out.
///
/// One parser reads the body of one connection. The next connection gets a new one, with the ``lastEventID`` of this
/// one. There is nothing to do at the end of a body: a block that no empty line ended is no event, and its ID does not
/// count.
///
/// ```swift
/// var parser = ServerSentEventParser()
/// var outputs: [ServerSentEventParser.Output] = []
/// try parser.feed(Array("id: 7\ndata: hello\n\n".utf8), into: &outputs)
/// // outputs == [.event(ServerSentEvent(data: "hello", lastEventID: "7"))]
/// ```
///
/// Bytes that are not UTF-8 become U+FFFD, one for each maximal part of a character (Unicode, section 3.9). What is
/// kept between two calls is the line and the block that are not complete, and never more than the limits allow.
public struct ServerSentEventParser: Sendable {
    /// Something that a stream says, in the order in which it says it.
    public enum Output: Sendable, Hashable {
        /// An event of the stream.
        case event(ServerSentEvent)
        /// A comment, without its colon: a sign of life, and nothing else.
        case comment(String)
        /// The time to wait before a connection is made again; whole milliseconds, at most 2^63 - 1 of them.
        case retry(Duration)
    }

    /// The sizes that a stream's parts may reach.
    public struct Limits: Sendable, Hashable {
        /// The most bytes of a line, without its end.
        public var lineBytes: Int
        /// The most bytes of what is kept for an event: its data, type and ID, and the line that is being read.
        public var eventBytes: Int

        /// Limits; 64 MiB for each unless said otherwise.
        public init(lineBytes: Int = 64 << 20, eventBytes: Int = 64 << 20) {
            self.lineBytes = lineBytes
            self.eventBytes = eventBytes
        }
    }

    private let limits: Limits
    private let readsErrors: Bool
    private var block: ServerSentEventBlock
    /// The beginning of a line whose end has not come.
    private var line: [UInt8] = []
    /// A line ended with CR: a LF that follows, even in a later chunk, belongs to that end.
    private var skipsLineFeed = false
    /// The number of bytes of a byte order mark that came; `nil` if none can come any more.
    private var markBytes: Int? = 0
    private var failure: TransportError?

    /// A parser at the beginning of a connection's body.
    ///
    /// - Parameters:
    ///   - lastEventID: The last event ID of the connection before, which holds until the stream sets another.
    ///   - limits: How large the stream's parts may become.
    public init(lastEventID: String = "", limits: Limits = Limits()) {
        self.init(lastEventID: lastEventID, limits: limits, readsErrors: false)
    }

    /// Creates a parser that also takes a line for an error that no field of the format says: `error: {...}`, or an
    /// object with that member. Each is an event of the type `error` at once, without an empty line behind it.
    package init(lastEventID: String = "", limits: Limits, readsErrors: Bool) {
        self.limits = limits
        self.readsErrors = readsErrors
        block = ServerSentEventBlock(lastEventID: lastEventID, limit: limits.eventBytes, readsErrors: readsErrors)
    }

    /// The error in the last line, if the body ended without the line's end.
    package var unfinishedError: String? {
        readsErrors ? line.withUnsafeBytes { ServerSentEventBlock.error(in: $0) } : nil
    }

    /// The ID to send as `Last-Event-ID` when the connection is made again; empty where there is none.
    public var lastEventID: String { block.lastEventID }

    /// The number of bytes that are allocated for the kept ones.
    package var keptCapacity: Int { line.capacity + block.keptCapacity }

    /// Takes bytes of the body.
    ///
    /// - Parameters:
    ///   - bytes: The next bytes, split anywhere; may be empty.
    ///   - outputs: What they complete is added here, also when an error is thrown.
    /// - Throws: `TransportError` with `eventTooLarge` past a limit, and again for whatever follows.
    package mutating func feed(_ bytes: UnsafeRawBufferPointer, into outputs: inout [Output]) throws(TransportError) {
        if let failure { throw failure }
        do { try read(bytes, into: &outputs) } catch {
            failure = error
            // Nothing of it will be needed.
            line = []
            block = ServerSentEventBlock(lastEventID: lastEventID, limit: limits.eventBytes, readsErrors: readsErrors)
            throw error
        }
    }

    /// Takes bytes of the body; see the other form.
    ///
    /// - Throws: `TransportError` with `eventTooLarge` past a limit, and again for whatever follows.
    public mutating func feed(_ bytes: [UInt8], into outputs: inout [Output]) throws(TransportError) {
        try feed(bytes[...], into: &outputs)
    }

    /// Takes bytes of the body; see the other form.
    ///
    /// - Throws: `TransportError` with `eventTooLarge` past a limit, and again for whatever follows.
    public mutating func feed(_ bytes: ArraySlice<UInt8>, into outputs: inout [Output]) throws(TransportError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(TransportError) in
            try feed(UnsafeRawBufferPointer(bytes), into: &outputs)
        }
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer, into outputs: inout [Output]) throws(TransportError) {
        var rest = bytes[...]
        if markBytes != nil { skipMark(&rest) }
        if skipsLineFeed, let first = rest.first {
            skipsLineFeed = false
            if first == UInt8(ascii: "\n") { rest = rest.dropFirst() }
        }
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = part.countBeforeLineEnd
            let piece = UnsafeRawBufferPointer(rebasing: part[..<count])
            try check(piece.count)
            guard count < part.count else { return keep(piece) }
            if let output = end(piece) { outputs.append(output) }
            rest = rest[(rest.startIndex + count + 1)...]
            guard part[count] == UInt8(ascii: "\r") else { continue }
            if let next = rest.first {
                if next == UInt8(ascii: "\n") { rest = rest.dropFirst() }
            } else {
                skipsLineFeed = true
            }
        }
    }

    /// Ends the line whose last bytes these are.
    private mutating func end(_ piece: UnsafeRawBufferPointer) -> Output? {
        if line.isEmpty { return block.take(piece) }
        keep(piece)
        return block.take(emptying: &line)
    }

    private mutating func keep(_ piece: UnsafeRawBufferPointer) {
        line.makeRoom(for: piece.count, within: limits.lineBytes)
        line.append(contentsOf: piece)
    }

    /// Refuses a line that becomes too long by so many bytes, or that makes its event too large.
    private func check(_ count: Int) throws(TransportError) {
        let lineCount = line.count + count
        guard lineCount <= limits.lineBytes else {
            throw TransportError(.eventTooLarge, "The event stream has a line of more than \(limits.lineBytes) bytes.")
        }
        guard lineCount + block.byteCount <= limits.eventBytes else {
            throw TransportError(
                .eventTooLarge,
                "The event stream has an event of more than \(limits.eventBytes) bytes."
            )
        }
    }

    /// Moves over a byte order mark at the beginning of the body, which may come byte by byte.
    private mutating func skipMark(_ rest: inout Slice<UnsafeRawBufferPointer>) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        while var count = markBytes, let byte = rest.first {
            if byte == mark[count] {
                count += 1
                rest = rest.dropFirst()
                markBytes = count < mark.count ? count : nil
            } else {
                line = Array(mark[..<count])
                markBytes = nil
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The number of bytes before the first CR or LF; all of them if there is none.
    fileprivate var countBeforeLineEnd: Int {
        // Eight bytes at a time: a byte of `word ^ pattern` is zero where the pattern's byte is, and the borrow trick
        // marks zero bytes. It may also mark a byte above a true one, never one below, so the lowest mark is right.
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        var index = 0
        while count - index >= 8 {
            let word = UInt64(littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let feed = word ^ (ones &* 0x0A)
            let carriage = word ^ (ones &* 0x0D)
            let marks = ((feed &- ones) & ~feed | (carriage &- ones) & ~carriage) & highs
            if marks != 0 { return index + marks.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < count, self[index] != 0x0A, self[index] != 0x0D { index += 1 }
        return index
    }
}

extension [UInt8] {
    /// Makes room for more bytes in a buffer that is known never to hold more than a limit, nor much more than that.
    mutating func makeRoom(for more: Int, within limit: Int) {
        // Near the limit, twice as much as before would be too much.
        if count + more > capacity, count + more > limit / 2 { reserveCapacity(Swift.max(count + more, limit)) }
    }
}

extension TransportErrorCode {
    /// An event stream has a line or an event that is larger than the limits allow.
    public static let eventTooLarge = TransportError.Code(rawValue: "eventTooLarge")
}
