// Riff
// SPDX-License-Identifier: Apache-2.0

public import Observation
public import RiffCore
public import RiffScreen

/// A terminal's screen that a user interface can bind to: follow its output in a task, read ``screen`` in a view.
@MainActor
@Observable
public final class ObservedScreen {
    /// The screen as it is.
    public private(set) var screen: Screen
    /// What programs asked for since it was asked last: a title, a notification, a text to copy. The newest 256.
    @ObservationIgnored private var events: [ScreenEvent] = []

    /// Starts with an empty screen.
    public init(size: TerminalSize = .standard) { screen = Screen(size: size) }

    /// Draws what a terminal writes, until its output ends or the task is cancelled.
    ///
    /// - Parameter output: A terminal's output, such as a session's; nobody else reads it.
    /// - Throws: What the output throws.
    public func follow<Output: AsyncSequence>(_ output: Output) async throws(Output.Failure)
    where Output.Element == [UInt8] {
        var iterator = output.makeAsyncIterator()
        while let bytes = try await iterator.next(isolation: MainActor.shared) {
            Self.draw(bytes, on: &screen, &events)
        }
    }

    /// In place, and as one change: a scrollback is not copied for each piece, and a view is drawn once for it.
    private static func draw(_ bytes: [UInt8], on screen: inout Screen, _ events: inout [ScreenEvent]) {
        screen.feed(bytes)
        events += screen.takeEvents()
        if events.count > 256 { events.removeFirst(events.count - 256) }
        // A terminal of the host's has answered already.
        _ = screen.takeReplies()
    }

    /// Changes the size, when the view has.
    public func resize(to size: TerminalSize) { screen.resize(to: size) }

    /// Takes what programs asked for.
    ///
    /// - Returns: The events since the last call, oldest first.
    public func takeEvents() -> [ScreenEvent] {
        defer { events = [] }
        return events
    }
}
