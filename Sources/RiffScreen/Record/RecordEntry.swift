// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A part of a session's record, in which secrets are dots already: only a ``ScreenRecorder`` makes one.
public struct RecordEntry: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        /// The screen has this size, and all of it is drawn again after this.
        case resized(TerminalSize)
        /// A drawing that changes the screen.
        case drew(String)
        /// Lines that went out of sight, in the agent's state of that time.
        case lines([String], state: String)
        /// A mark of what an agent did.
        case mark(RecordMark)
    }

    /// The time, in seconds since 1970.
    public let time: Double
    package let content: Content

    package init(time: Double, content: Content) {
        self.time = time
        self.content = content
    }
}

extension Cast {
    /// Makes a cast of a record.
    ///
    /// - Parameters:
    ///   - record: The entries in the order of their times.
    ///   - title: The title.
    ///   - version: The format: players before 2025 know version 2 alone.
    public init(_ record: some Sequence<RecordEntry>, title: String? = nil, version: CastHeader.Version = .two) {
        var header = CastHeader(version: version, size: .standard, title: title)
        var events: [CastEvent] = []
        var beginning: Double?
        var size: TerminalSize?
        for entry in record {
            if beginning == nil {
                beginning = entry.time
                header.other["timestamp"] = .integer(Int64(exactly: entry.time.rounded(.down)) ?? 0)
            }
            let seconds = min(max(entry.time - (beginning ?? entry.time), 0), 1e9)
            let time = Duration.microseconds(Int64((seconds * 1e6).rounded()))
            switch entry.content {
            case .resized(let next) where size == nil:
                header.size = next
                size = next
            case .resized(let next):
                if next != size { events.append(CastEvent(time: time, resizedTo: next)) }
                size = next
            case .drew(let text): events.append(CastEvent(time: time, .output, text))
            case .mark(let mark): events.append(CastEvent(time: time, .marker, mark.label))
            case .lines: break
            }
        }
        self.init(header: header, events: events)
    }
}
