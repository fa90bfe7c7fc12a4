// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// What a client of a kept agent read: where it is in everything that the agent ever wrote. Pure.
package struct KeptInbound {
    /// What the keeper says when a client is attached.
    package struct Header: Hashable {
        package enum State: Hashable { case running, ended(Int32), lost }
        /// Which start of the agent this is.
        package var generation: String
        /// The number of the first byte that follows.
        package var start: UInt64
        /// The last message of this client that was handed over.
        package var lastNumber: UInt64
        package var state: State
        /// The agent's answer to the handshake, where one was made.
        package var greeting: JSONValue?

        /// Reads the two lines behind the marker.
        init?(_ line: String, greeting: ArraySlice<UInt8>) {
            let words = line.split(separator: " ")
            // No agent ever writes 2^63 bytes; a number beyond would leave no room to count on.
            guard words.count >= 4, let start = UInt64(words[1]), start <= Int64.max, let last = UInt64(words[2])
            else { return nil }
            switch (words[3], words.count > 4 ? Int32(words[4]) : nil) {
            case ("running", _): state = .running
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

    /// What a chunk held.
    package struct Taken {
        package var header: Header?
        package var frames: [ACPFrame] = []
    }

    /// The number of the byte that comes next; `nil` before the first attachment, which begins with the oldest.
    package private(set) var next: UInt64?
    package private(set) var header: Header?
    private var generation: String?
    private var framer: LineFramer
    /// What came before the header was whole.
    private var head: [UInt8] = []
    private var marker: [UInt8] = []
    private var isInHeader = false
    /// The first line is half of one.
    private var dropsFirst = false

    /// - Parameters:
    ///   - next: Where to begin; `nil` begins with the oldest line.
    ///   - lineLimit: The most bytes of one line.
    package init(from next: UInt64?, lineLimit: Int) {
        self.next = next
        framer = LineFramer(limit: lineLimit)
    }

    /// The number of the first byte behind the last whole line.
    package var position: UInt64? { next.map { $0 - min($0, UInt64(framer.pendingBytes)) } }

    /// What comes now comes from a new attachment.
    package mutating func begin(marker: String) {
        self.marker = Array((marker + "\n").utf8)
        head = []
        isInHeader = true
        header = nil
    }

    /// Takes a chunk.
    ///
    /// - Throws: ``ACPError`` with `agentExited` where the agent is another one than before, and `linesLost` where what
    ///   comes next is not kept any more.
    package mutating func push(_ chunk: [UInt8]) throws(ACPError) -> Taken {
        guard isInHeader else { return Taken(frames: frames(chunk)) }
        head += chunk
        guard let range = head.firstRange(of: marker) else { return Taken() }
        let lines = head[range.upperBound...].split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3 else { return Taken() }
        let line = String(decoding: lines[0], as: UTF8.self)
        guard let header = Header(line, greeting: lines[1]) else {
            let read = InertText.line(String(line.prefix(100)))
            throw ACPError(.unexpectedAnswer, "The agent's keeper answered '\(read)', which cannot be read.")
        }
        try check(header)
        self.header = header
        isInHeader = false
        let rest = Array(lines[2])
        head = []
        return Taken(header: header, frames: rest.isEmpty ? [] : frames(rest))
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
        if next == nil { dropsFirst = header.start > 0 }
        next = header.start
    }

    private mutating func frames(_ chunk: [UInt8]) -> [ACPFrame] {
        next = (next ?? 0) + UInt64(chunk.count)
        var chunk = chunk
        if dropsFirst {
            guard let end = chunk.firstIndex(of: 0x0A) else { return [] }
            dropsFirst = false
            chunk.removeFirst(end + 1)
        }
        return framer.push(chunk)
    }

    /// What is left when the agent has ended.
    package mutating func finish() -> ACPFrame? { framer.finish() }
}

extension ACPErrorCode {
    /// What the agent wrote while nobody was connected is not kept any more.
    public static let linesLost = ACPError.Code(rawValue: "linesLost")
}
