// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The position of a client of a kept agent in everything that the agent ever wrote. Pure.
package struct KeptInbound {
    /// The keeper's message when a client is attached.
    package struct Header: Hashable {
        package enum State: Hashable { case running, ended(Int32), lost }
        /// Which start of the agent this is.
        package var generation: String
        /// The number of the first byte that follows.
        package var start: UInt64
        /// The last message of this client that was handed over.
        package var lastNumber: UInt64
        package var state: State
        /// The number of the last prompt that any client sent, and the turns that had not ended.
        package var lastTurn: UInt64 = 0
        package var turns: [OtherTurn] = []
        /// The agent's answer to the handshake, where one was made.
        package var greeting: JSONValue?

        /// Reads the two lines behind the marker.
        init?(_ line: String, greeting: ArraySlice<UInt8>) {
            let words = line.split(separator: " ")
            // No agent ever writes 2^63 bytes; a number beyond would leave no room to count on.
            guard words.count >= 4, let start = UInt64(words[1]), start <= Int64.max, let last = UInt64(words[2])
            else { return nil }
            switch (words[3], words.count > 4 ? Int32(words[4]) : nil) {
            case ("running", _):
                state = .running
                lastTurn = words.count > 4 ? UInt64(words[4]) ?? 0 : 0
                turns = words.dropFirst(5).prefix(16).compactMap { OtherTurn(word: $0) }
            case ("ended", let status?): state = .ended(status)
            case ("lost", _): state = .lost
            default: return nil
            }
            generation = String(words[0])
            self.start = start
            lastNumber = last
            // Kept from a client that could read it; without it a handshake is made.
            self.greeting = greeting.isEmpty ? nil : try? JSONValue(parsing: greeting)
        }
    }

    /// The contents of a chunk.
    package struct Taken {
        package var header: Header?
        package var frames: [ACPFrame] = []
    }

    /// The number of the byte that comes next; `nil` before the first attachment, which begins with the oldest.
    package private(set) var next: UInt64?
    package private(set) var header: Header?
    private var generation: String?
    private var framer: LineFramer
    /// The lines of the header and before it, and the place in them; `nil` after it.
    private var head: (lines: LineSplitter, place: HeadPlace)?
    private var marker: [UInt8] = []
    private let lineLimit: Int

    /// The line of a header that comes next.
    private enum HeadPlace {
        case marker, words
        case greeting(words: String)
    }

    /// - Parameters:
    ///   - next: Where to begin; `nil` begins with the oldest line.
    ///   - lineLimit: The most bytes of one line.
    package init(from next: UInt64?, lineLimit: Int) {
        self.next = next
        self.lineLimit = lineLimit
        framer = LineFramer(limit: lineLimit)
    }

    /// The number of the first byte behind the last whole line; `nil` before there was one, to begin with the oldest.
    package var position: UInt64? {
        guard !framer.isSkipping else { return nil }
        return next.map { $0 - min($0, UInt64(framer.pendingBytes)) }
    }

    /// Begins to read a new attachment.
    package mutating func begin(marker: String) {
        self.marker = Array(marker.utf8)
        // The header's own lines need some room, however little an agent's may have. A greeting without room is none.
        let limit = max(lineLimit, 64 * 1024)
        head = (LineSplitter(limitBytes: limit, overflow: .drops, stripsCR: false), .marker)
        header = nil
    }

    /// Takes a chunk.
    ///
    /// - Throws: ``ACPError`` with `agentExited` where the agent is another one than before, and `linesLost` where what
    ///   comes next is not kept any more.
    package mutating func push(_ chunk: [UInt8]) throws(ACPError) -> Taken {
        var rest = chunk[...]
        var taken = Taken()
        while let line = head?.lines.next(in: &rest) {
            guard let header = try read(line.bytes) else { continue }
            self.header = header
            taken.header = header
            head = nil
        }
        if head == nil, !rest.isEmpty { taken.frames = frames(rest) }
        return taken
    }

    /// Takes a line of the header, or before it; the last one completes it.
    private mutating func read(_ line: ArraySlice<UInt8>) throws(ACPError) -> Header? {
        switch head?.place {
        case .marker:
            // A profile may have printed something before it, without a line's end.
            if line.suffix(marker.count).elementsEqual(marker) { head?.place = .words }
        case .words: head?.place = .greeting(words: String(decoding: line, as: UTF8.self))
        case .greeting(let words):
            guard let header = Header(words, greeting: line) else {
                let read = InertText.line(String(words.prefix(100)))
                throw ACPError(.unexpectedAnswer, "The agent's keeper answered '\(read)', which cannot be read.")
            }
            try check(header)
            return header
        case nil: break
        }
        return nil
    }

    private mutating func check(_ header: Header) throws(ACPError) {
        if let generation, generation != header.generation {
            throw ACPError(.agentExited, "The agent was ended and started anew. Load its session.", recovery: .retry)
        }
        generation = header.generation
        if let next, next != header.start {
            let message =
                "The agent wrote more than is kept while nobody was connected. Attach anew, and load its session."
            throw ACPError(.linesLost, message, recovery: .retry)
        }
        // The first line that is kept may be half of one.
        if next == nil, header.start > 0 { framer.skipLine() }
        next = header.start
    }

    private mutating func frames(_ chunk: ArraySlice<UInt8>) -> [ACPFrame] {
        next = (next ?? 0) + UInt64(chunk.count)
        return framer.push(chunk)
    }

    /// What is left when the agent has ended.
    package mutating func finish() -> ACPFrame? { framer.finish() }
}

extension ACPErrorCode {
    /// The output that the agent wrote while no client was connected is not kept any more.
    public static let linesLost = ACPError.Code(rawValue: "linesLost")
}
