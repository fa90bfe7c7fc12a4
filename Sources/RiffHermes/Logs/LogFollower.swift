// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
package import RiffTransport

/// The position of a reading of a log: the bytes before it. It holds through renames, rotations and lost connections.
package struct LogPosition: Sendable, Hashable {
    /// The number of bytes of the file that were read.
    var offset: UInt64
    /// The last of them, by which the file is known again under whatever name.
    var context: [UInt8]

    /// A position behind so many bytes, of which these are the last.
    package init(offset: UInt64, context: [UInt8]) { (self.offset, self.context) = (offset, context) }

    /// The beginning of a file.
    package static let beginning = LogPosition(offset: 0, context: [])
}

/// Reads a log and the files it was rotated to, in order and each byte once, by their contents alone: a host need not
/// tell which file is which, and a connection may be lost between any two calls.
///
/// Every read takes the bytes before the position along and compares them. Where they differ, the file was renamed or
/// truncated, and the position is looked for in `NAME.1`, `NAME.2` and so on; from there on the reading comes back,
/// file by file. A file is left once a newer one has bytes. Rotation by rename, and by a copy and truncation, are the
/// same here, and so is whether rotated files are compressed, now or later (`NAME.1.gz`).
package struct LogFollower {
    /// The result of a look at the log.
    package enum Piece: Sendable, Equatable {
        /// The next bytes.
        case bytes([UInt8])
        /// The next bytes are another file's.
        case boundary
        /// Bytes were gone before they could be read: the file they were in is not there any more, or it is compressed
        /// and damaged.
        case gap
    }

    static let contextBytes = 1024
    /// Fewer bytes than this may begin two files alike.
    private static let surePlace = 64
    private static let chunkBytes = 256 * 1024
    private static let mostPasses = 100

    private let path: String
    private var files: LogFiles
    package private(set) var position: LogPosition
    /// The file that the position is in, by its number; 0 is the log itself.
    private var place = 0
    /// The beginning of that file, as far as it was read; empty if that is not known.
    private var head: [UInt8] = []
    /// The beginning of the newest rotated file when it was last looked at: newer ones were rotated since.
    private var newestRotated: [UInt8]?
    private let readsRotated: Bool
    private var isStarted = false
    /// The piece that was read already and comes next.
    private var queued: Piece?

    /// A reading behind a position of the log, or from the beginning of the oldest file that it was rotated to.
    package init(_ path: String, on host: any HostSession, at position: LogPosition?) {
        self.path = path
        self.position = position ?? .beginning
        files = LogFiles(path, on: host)
        readsRotated = position == nil
    }

    /// The next piece; `nil` when everything there is was read.
    package mutating func next() async throws -> Piece? {
        if let piece = queued {
            queued = nil
            return piece
        }
        if !isStarted {
            if !readsRotated {
                newestRotated = try await newestHead()
                head = try await headOfLog()
            }
            let piece = readsRotated ? try await beginOldestUnread() : nil
            isStarted = true
            if let piece { return piece }
        }
        for _ in 0..<100 {
            guard let bytes = try await read(place, behind: position, count: Self.chunkBytes) else {
                if try await findPlace() { continue }
                return try await startAnew()
            }
            if place == 0, position.context.count < Self.surePlace, try await wasRotated() {
                if position.offset > 0, try await findPlace(from: 1) { continue }
                return try await position.offset > 0 ? startAnew() : beginOldestUnread()
            }
            if !bytes.isEmpty {
                advance(by: bytes)
                return .bytes(bytes)
            }
            guard place > 0 else { return nil }
            if let piece = try await leave() { return piece }
            // Nothing newer has bytes yet, or files moved meanwhile.
            if try await read(place, behind: position, count: 1)?.isEmpty == true { return nil }
        }
        throw tooFast
    }

    /// Returns the bytes after a position in a file; `nil` if that file does not have the position.
    private mutating func read(_ place: Int, behind position: LogPosition, count: Int) async throws -> [UInt8]? {
        let known = position.context.count
        let bytes = try await files.read(place, from: position.offset - UInt64(known), count: known + count)
        guard let bytes else { return place == 0 && position.offset == 0 ? [] : nil }
        return bytes.starts(with: position.context) ? Array(bytes[known...]) : nil
    }

    private mutating func advance(by bytes: [UInt8]) {
        if position.offset == UInt64(head.count) { head += bytes.prefix(LogFiles.headBytes - head.count) }
        position.advance(by: bytes)
    }

    /// Returns the beginning of the log before the position that the reading begins at; empty if it does not have that
    /// any more.
    private mutating func headOfLog() async throws -> [UInt8] {
        guard position.offset > 0, let head = try await files.head(of: 0),
            try await read(0, behind: position, count: 0) != nil
        else { return [] }
        return Array(head.prefix(Int(min(position.offset, UInt64(LogFiles.headBytes)))))
    }

    // MARK: Rotation

    private func wasRotated() async throws -> Bool {
        let head = try await newestHead()
        // One that still grows begins as it did.
        guard let head, let newestRotated else { return head != nil }
        return !head.starts(with: newestRotated)
    }

    /// Looks for the position in the files from a number on.
    ///
    /// They only ever move to higher numbers, so that one pass meets it even while they move, as long as it follows
    /// them to the highest. Only where nothing moved during two passes is the file gone: a busy machine rotates faster
    /// than this looks.
    private mutating func findPlace(from first: Int = 0) async throws -> Bool {
        var quietPasses = 0
        for _ in 0..<Self.mostPasses {
            let newest = try await newestHead()
            var (place, last) = (first, try await files.highestNumber())
            while place <= last + 2 {
                if try await take(place) { return true }
                place += 1
                if place > last + 2 { last = max(last, try await files.highestNumber()) }
            }
            quietPasses = try await newestHead() == newest ? quietPasses + 1 : 0
            if quietPasses == 2 { return false }
        }
        throw tooFast
    }

    /// Continues in a file if it has the position.
    private mutating func take(_ place: Int) async throws -> Bool {
        guard try await read(place, behind: position, count: 0) != nil else { return false }
        // All that is newer than the file itself is unread.
        let head = try await place == 0 ? newestHead() : files.head(of: place)
        guard try await read(place, behind: position, count: 0) != nil else { return false }
        (self.place, newestRotated) = (place, head)
        return true
    }

    private var tooFast: TransportError {
        TransportError(.fileFailed, "\(path) is rotated faster than it can be read.", recovery: .retry)
    }

    /// Continues with the oldest file that is newer than the known ones, since the file that holds the position is
    /// gone.
    private mutating func startAnew() async throws -> Piece {
        // Where this fails, the loss is met again.
        if let cut = try await headOfCutCopy() { newestRotated = cut }
        queued = try await beginOldestUnread()
        return .gap
    }

    /// Returns the beginning of the copy that was made of the file that holds the position, if it ends in front of it:
    /// bytes that came between the copy and the truncation were read, and are in no file. Nothing of the copy is
    /// unread.
    private mutating func headOfCutCopy() async throws -> [UInt8]? {
        var unread: [(place: Int, head: [UInt8])] = []
        try await lookThroughHeads { place, head in
            if let newestRotated, head.starts(with: newestRotated) { return true }
            unread.append((place, head))
            return false
        }
        for (place, head) in unread where isBeginning(head) {
            let known = position.context.count
            let start = position.offset - UInt64(known)
            // A file that was moved meanwhile is met as an unread one; that is no worse than not to look.
            guard let rest = try await files.read(place, from: start, count: known), rest.count < known,
                position.context.starts(with: rest), try await files.head(of: place)?.starts(with: head) == true
            else { continue }
            // Where the beginnings are not known, that it ends within what was read last is all that tells.
            if !self.head.isEmpty || !rest.isEmpty { return head }
        }
        return nil
    }

    /// Whether a file that begins so may be a beginning of the one that was read.
    private func isBeginning(_ other: [UInt8]) -> Bool {
        head.isEmpty || (other.count < head.count ? head.starts(with: other) : other.starts(with: head))
    }

    /// Reads the beginning of the oldest file that nothing was read of.
    private mutating func beginOldestUnread() async throws -> Piece? {
        for _ in 0..<100 {
            let oldest = try await oldestUnread()
            let bytes = try await read(oldest, behind: .beginning, count: Self.chunkBytes)
            // Files that moved in between have other numbers now.
            guard try await oldestUnread() == oldest else { continue }
            (position, place, head) = (.beginning, oldest, [])
            guard let bytes, !bytes.isEmpty else { return nil }
            advance(by: bytes)
            return .bytes(bytes)
        }
        (position, place, head) = (.beginning, 0, [])
        return nil
    }

    /// Returns the beginning of the newest rotated file that is not empty; `nil` if there is none.
    private func newestHead() async throws -> [UInt8]? {
        var newest: [UInt8]?
        try await lookThroughHeads { _, head in
            newest = head
            return true
        }
        return newest
    }

    /// The number of the oldest rotated file that is newer than those that were known; 0 for none.
    private func oldestUnread() async throws -> Int {
        var oldest = 0
        try await lookThroughHeads { place, head in
            if let newestRotated, head.starts(with: newestRotated) { return true }
            oldest = place
            return false
        }
        return oldest
    }

    /// Shows how the rotated files begin that are not empty, the newest first, until one is what is looked for.
    ///
    /// There may be gaps in the numbers: a log that is not there is rotated, too. And files move to higher numbers
    /// meanwhile.
    private func lookThroughHeads(_ isFound: (_ place: Int, _ head: [UInt8]) -> Bool) async throws {
        var (place, last) = (1, try await files.highestNumber())
        while place <= last + 2 {
            if let head = try await files.head(of: place), !head.isEmpty, isFound(place, head) { return }
            place += 1
            if place > last + 2 { last = max(last, try await files.highestNumber()) }
        }
    }

    /// Continues with the next newer file, once one has bytes and nothing more came to this one.
    private mutating func leave() async throws -> Piece? {
        var (newer, first) = (place, [UInt8]())
        while newer > 0, first.isEmpty {
            newer -= 1
            first = try await read(newer, behind: .beginning, count: Self.chunkBytes) ?? []
        }
        guard !first.isEmpty else { return nil }
        let head = try await files.head(of: newer + 1)
        // Files move to higher numbers, the highest first: as long as this one has not moved, the newer one is its
        // next.
        guard let rest = try await read(place, behind: position, count: Self.chunkBytes) else { return nil }
        guard rest.isEmpty else {
            advance(by: rest)
            return .bytes(rest)
        }
        let isDamaged = files.isDamaged
        newestRotated = try await head?.isEmpty ?? true ? files.head(of: place) : head
        place = newer
        (position, self.head) = (.beginning, [])
        advance(by: first)
        queued = .bytes(first)
        return isDamaged ? .gap : .boundary
    }
}

extension LogPosition {
    mutating func advance(by bytes: [UInt8]) {
        // A host can say that a log has any size.
        let (sum, isBeyond) = offset.addingReportingOverflow(UInt64(bytes.count))
        offset = isBeyond ? .max : sum
        context = Array((context + bytes.suffix(LogFollower.contextBytes)).suffix(LogFollower.contextBytes))
    }
}
