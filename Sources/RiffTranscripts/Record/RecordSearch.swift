// Riff
// SPDX-License-Identifier: Apache-2.0

/// A search for lines of records.
public struct RecordSearch: Sendable, Hashable {
    /// The words to find, whatever their case and their accents.
    public var query: FTSQuery
    /// Only in this session; `nil` for all.
    public var session: String?
    /// Only of this time, in seconds since 1970; `nil` for all.
    public var period: ClosedRange<Double>?
    /// Only in this state of the agent, such as `working`; `nil` for all.
    public var state: String?
    /// The most that are found, the newest of them.
    public var limit: Int

    /// Creates a search.
    public init(
        _ query: FTSQuery,
        session: String? = nil,
        period: ClosedRange<Double>? = nil,
        state: String? = nil,
        limit: Int = 100
    ) {
        self.query = query
        self.session = session
        self.period = period
        self.state = state
        self.limit = min(max(limit, 1), 10_000)
    }
}

/// A line that was found.
public struct RecordHit: Sendable, Hashable {
    /// The session's name.
    public let session: String
    /// The time at which the line went out of sight, in seconds since 1970.
    public let time: Double
    /// The agent's state at that time; empty if none was known.
    public let state: String
    /// The line.
    public let text: String
}

/// The last screen of a session, to be shown before anything is connected.
public struct LastScreen: Sendable, Hashable {
    /// The screen as text with control sequences, a line feed between rows.
    public let ansi: String
    /// The time, in seconds since 1970.
    public let time: Double
    /// The front end's own note of the place in the output at that time.
    public let place: String

    package init(ansi: String, time: Double, place: String) {
        self.ansi = ansi
        self.time = time
        self.place = place
    }
}

/// An agreement of the user to keep what a session shows on this device.
public struct RecordConsent: Sendable, Hashable, Codable {
    /// The time of it, in seconds since 1970.
    public let agreedAt: Double

    /// Creates a consent; only for a user who agreed.
    public init(agreedAt: Double) { self.agreedAt = agreedAt }
}
