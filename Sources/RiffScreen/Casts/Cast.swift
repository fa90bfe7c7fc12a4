// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample: bytes: [UInt8]
/// A recorded terminal session: asciicast of version 2 or 3 (https://docs.asciinema.org/manual/asciicast/v3).
///
/// ```swift
/// let cast = try Cast(bytes)
/// var replay = CastReplay(cast)
/// print(replay.seek(to: .seconds(10)).visibleText)
/// ```
public struct Cast: Sendable, Hashable {
    /// The facts about the whole session.
    public var header: CastHeader
    /// The events of the session, in order.
    public var events: [CastEvent]

    /// Creates a recording.
    public init(header: CastHeader, events: [CastEvent]) {
        self.header = header
        self.events = events
    }

    /// Reads a whole file.
    ///
    /// - Throws: As ``CastReader/feed(_:)``.
    public init(_ bytes: some Sequence<UInt8>) throws(CoreError) {
        var reader = CastReader()
        var events = try reader.feed(bytes)
        events += try reader.finish()
        guard let header = reader.header else {
            throw CoreError(.malformedCast, "A cast without a header: the file is empty.")
        }
        self.init(header: header, events: events)
    }

    /// The file, in the header's version.
    public var bytes: [UInt8] {
        var writer = CastWriter(header)
        return events.reduce(into: writer.start()) { $0 += writer.write($1) }
    }
}

/// The facts about a recorded session as a whole.
public struct CastHeader: Sendable, Hashable {
    /// The format of the file: 2 has times since the beginning, 3 times since the event before, and ends of programs.
    public enum Version: Int, Sendable, Hashable, CaseIterable {
        /// `{"version": 2, "width": 80, "height": 24}`.
        case two = 2
        /// `{"version": 3, "term": {"cols": 80, "rows": 24}}`.
        case three = 3
    }

    /// The format of the file.
    public var version: Version
    /// The terminal's size at the beginning.
    public var size: TerminalSize
    /// The most time that a player lets pass without anything happening; `nil` for as long as it was.
    public var idleTimeLimit: Duration?
    /// The title of the session.
    public var title: String?
    /// Everything else, under the names of the format: `timestamp`, `command`, `env`, `term`, `theme` and others.
    public var other: JSONObject

    /// Creates a header.
    public init(
        version: Version = .three,
        size: TerminalSize,
        idleTimeLimit: Duration? = nil,
        title: String? = nil,
        other: JSONObject = JSONObject()
    ) {
        self.version = version
        self.size = size
        self.idleTimeLimit = idleTimeLimit
        self.title = title
        self.other = other
    }
}

/// Something that happened in a recorded session.
public struct CastEvent: Sendable, Hashable {
    /// The open set of kinds; a player passes over those that it does not know.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The letter in the file.
        public let rawValue: String

        /// Any letter, also one this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The program drew.
        public static let output = Code(rawValue: "o")
        /// The keys of the person.
        public static let input = Code(rawValue: "i")
        /// A marked place; its data is the name that it was given.
        public static let marker = Code(rawValue: "m")
        /// A new size, as ``CastEvent/size``.
        public static let resize = Code(rawValue: "r")
        /// The program ended, with ``CastEvent/exitStatus``; of version 3.
        public static let exit = Code(rawValue: "x")
    }

    /// Time since the beginning, in whole microseconds.
    public var time: Duration
    /// The kind of the event.
    public var code: Code
    /// The data of the event.
    public var data: String

    /// Creates an event.
    public init(time: Duration, _ code: Code, _ data: String) {
        self.time = time
        self.code = code
        self.data = data
    }

    /// An event that sets a size.
    public init(time: Duration, resizedTo size: TerminalSize) {
        self.init(time: time, .resize, "\(size.columns)x\(size.rows)")
    }

    /// The size that a resize sets; `nil` for any other event, and where it is none.
    public var size: TerminalSize? {
        let parts = data.split(separator: "x", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard code == .resize, parts.count == 2, parts.allSatisfy({ $0 > 0 }) else { return nil }
        return TerminalSize(columns: parts[0], rows: parts[1])
    }

    /// The status with which the program ended; `nil` for any other event, and where it is none.
    public var exitStatus: Int32? { code == .exit ? Int32(data) : nil }
}
