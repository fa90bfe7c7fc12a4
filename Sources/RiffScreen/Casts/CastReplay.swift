// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A cast that is shown at any moment: played at any speed by whoever has a clock, and jumped about in.
///
/// Screens on the way are kept, at most 64 of them, so that a jump draws a small part again.
public struct CastReplay: Sendable {
    /// A place that was marked.
    public struct Mark: Sendable, Hashable {
        /// The time since the beginning.
        public var time: Duration
        /// The words of the mark.
        public var text: String
    }

    /// The recording that is replayed.
    public let cast: Cast
    /// The marks, in order.
    public let marks: [Mark]
    /// The time of the screen that is shown, since the beginning.
    public private(set) var time: Duration = .zero
    /// The screen at that time, all events of that time included.
    public private(set) var screen: Screen

    private let limits: Screen.Limits
    /// The number of events that are drawn.
    private var count = 0
    private var keys: [(count: Int, screen: Screen)]

    /// Creates a replay that shows the beginning.
    ///
    /// - Parameters:
    ///   - cast: The recording.
    ///   - scrollbackBytes: The scrollback that the screen keeps.
    public init(_ cast: Cast, scrollbackBytes: Int = 1 << 20) {
        self.cast = cast
        var limits = Screen.Limits()
        limits.scrollbackBytes = scrollbackBytes
        self.limits = limits
        screen = Screen(size: cast.header.size, limits: limits)
        keys = [(0, screen)]
        marks = cast.events.filter { $0.code == .marker }.map { Mark(time: $0.time, text: $0.data) }
        _ = seek(to: .zero)
    }

    /// The time of the last event.
    public var duration: Duration { cast.events.last?.time ?? .zero }

    /// Shows a moment.
    ///
    /// - Parameter time: The time since the beginning; brought into the recording.
    /// - Returns: The screen at that time.
    @discardableResult
    public mutating func seek(to time: Duration) -> Screen {
        let time = max(min(time, duration), .zero)
        let target = eventCount(until: time)
        if target < count || (keys.last { $0.count <= target }?.count ?? 0) > count {
            let key = keys.last { $0.count <= target } ?? keys[0]
            (count, screen) = (key.count, key.screen)
        }
        draw(to: target)
        self.time = time
        return screen
    }

    /// Shows the next mark, or the one before.
    ///
    /// - Parameter isForward: Whether it is the next one.
    /// - Returns: The mark; `nil` if there is none on that side, and then nothing changes.
    public mutating func seekToMark(isForward: Bool) -> Mark? {
        let mark = isForward ? marks.first { $0.time > time } : marks.last { $0.time < time }
        if let mark { seek(to: mark.time) }
        return mark
    }

    /// The time to be shown after some real time, at a speed, with pauses no longer than the cast's limit.
    ///
    /// - Parameters:
    ///   - elapsed: The real time since ``time`` was shown.
    ///   - speed: How many times as fast; more than 0.
    /// - Returns: The time to give to ``seek(to:)``.
    public func time(after elapsed: Duration, speed: Double = 1) -> Duration {
        guard speed > 0, speed.isFinite, elapsed > .zero else { return time }
        var left = min(elapsed, .seconds(1 << 32)) * min(speed, 1e6)
        var now = time
        for event in cast.events[eventCount(until: time)...] where event.time > now {
            let pause = event.time - now
            let shown = min(pause, cast.header.idleTimeLimit ?? pause)
            if left < shown { return now + left }
            left -= shown
            now = event.time
        }
        return now
    }

    /// Returns the number of events up to a time.
    private func eventCount(until time: Duration) -> Int {
        var (low, high) = (0, cast.events.count)
        while low < high {
            let middle = (low + high) / 2
            if cast.events[middle].time > time { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private mutating func draw(to target: Int) {
        let step = max(cast.events.count / 64, 64)
        while count < target {
            let event = cast.events[count]
            if event.code == .output { screen.feed(event.data) }
            if let size = event.size { screen.resize(to: size) }
            _ = screen.takeEvents()
            _ = screen.takeReplies()
            count += 1
            if count % step == 0, keys.last.map({ $0.count < count }) ?? true { keys.append((count, screen)) }
        }
    }
}
