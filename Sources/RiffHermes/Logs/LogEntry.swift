// Riff
// SPDX-License-Identifier: Apache-2.0

extension LogEntry {
    /// The severity of an entry; an open set.
    public struct Level: RawRepresentable, Sendable, Hashable, Comparable {
        /// The name, in capitals.
        public let rawValue: String

        /// Creates a level, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// For those who look for a fault.
        public static let debug = LogEntry.Level(rawValue: "DEBUG")
        /// A note of normal work.
        public static let info = LogEntry.Level(rawValue: "INFO")
        /// A note of something unexpected.
        public static let warning = LogEntry.Level(rawValue: "WARNING")
        /// A failure of one thing.
        public static let error = LogEntry.Level(rawValue: "ERROR")
        /// A failure of everything.
        public static let critical = LogEntry.Level(rawValue: "CRITICAL")

        /// The known levels, from harmless to grave.
        public static let known: [LogEntry.Level] = [.debug, .info, .warning, .error, .critical]

        /// Python's number for it (`logging`); an unknown one counts as `INFO`.
        package var severity: Int {
            switch rawValue {
            case "DEBUG": 10
            case "WARNING", "WARN": 30
            case "ERROR": 40
            case "CRITICAL", "FATAL": 50
            default: 20
            }
        }

        /// Returns whether one is less severe.
        public static func < (left: LogEntry.Level, right: LogEntry.Level) -> Bool { left.severity < right.severity }
    }
}

/// One entry of a log: a line with a time and what belongs to it (the lines of a traceback, of a prompt).
public struct LogEntry: Sendable, Hashable, Identifiable {
    /// Counts the entries of one reading, from 0.
    public let id: UInt64
    /// The time by the host's clock and in its time zone, which the log does not tell: `2026-11-21 03:19:07,420`. `nil`
    /// for lines before the first entry.
    public let timestamp: String?
    /// The severity of the entry.
    public let level: LogEntry.Level?
    /// The session it is about, where it says so.
    public let session: String?
    /// The part of the agent that wrote it: `agent.turn_context`.
    public let logger: String?
    /// The text of the entry; lines are separated by `\n`.
    public internal(set) var message: String
    /// Whether it continues the entry before, which was given out already: the writer paused, or the entry is longer
    /// than the limit of an entry.
    public let continuesPrevious: Bool

    /// Creates an entry from its parts.
    public init(
        id: UInt64,
        timestamp: String?,
        level: LogEntry.Level?,
        session: String?,
        logger: String?,
        message: String,
        continuesPrevious: Bool = false
    ) {
        self.id = id
        self.timestamp = timestamp
        self.level = level
        self.session = session
        self.logger = logger
        self.message = message
        self.continuesPrevious = continuesPrevious
    }

    /// The part of the agent that wrote it: `agent`, `tools`, `gateway`, `cron`, `cli`, or another logger's first word.
    public var component: String? {
        guard let first = logger?.split(separator: ".").first else { return nil }
        return first == "hermes_cli" ? "cli" : String(first)
    }
}

/// A choice of log entries.
public struct LogFilter: Sendable, Hashable {
    /// The least grave level; `nil` for all.
    public var minimumLevel: LogEntry.Level?
    /// The parts of the agent (``LogEntry/component``); empty for all.
    public var components: Set<String>
    /// The session; `nil` for all.
    public var session: String?
    /// A text that message or logger must have, in capitals or not; empty for all.
    public var search: String

    /// Creates a filter; it lets everything pass unless told otherwise.
    public init(
        minimumLevel: LogEntry.Level? = nil,
        components: Set<String> = [],
        session: String? = nil,
        search: String = ""
    ) {
        self.minimumLevel = minimumLevel
        self.components = components
        self.session = session
        self.search = search
    }

    /// Returns whether an entry passes.
    public func matches(_ entry: LogEntry) -> Bool {
        if let minimumLevel, (entry.level ?? .info) < minimumLevel { return false }
        if !components.isEmpty, !components.contains(entry.component ?? "") { return false }
        if let session, entry.session != session { return false }
        guard !search.isEmpty else { return true }
        let wanted = search.lowercased()
        return entry.message.lowercased().contains(wanted) || entry.logger?.lowercased().contains(wanted) == true
    }
}
