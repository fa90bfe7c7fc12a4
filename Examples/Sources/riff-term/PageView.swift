// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import RiffSessions
import RiffTransport

/// A session's terminal as it is shown: what it drew on a screen, and the keys on their way to it.
@MainActor
final class PageView {
    let session: TerminalSession
    private(set) var screen: Screen
    /// When its rows were last drawn.
    private var drawn: Screen.Mark
    private let keys: AsyncStream<[UInt8]>.Continuation
    private var tasks: [Task<Void, Never>] = []
    /// Since when a control string has not ended.
    private var stringStart: ContinuousClock.Instant?

    /// A view.
    ///
    /// - Parameters:
    ///   - session: Read from now on; each of its terminals has one view.
    ///   - size: The page's size.
    ///   - drew: It drew something.
    ///   - failed: Keys were not delivered.
    init(
        _ session: TerminalSession,
        size: TerminalSize,
        drew: @escaping @MainActor ([ScreenEvent]) -> Void,
        failed: @escaping @MainActor (any Error) -> Void
    ) {
        self.session = session
        screen = Screen(size: size)
        drawn = screen.mark()
        // Keys wait here while the session gets ready to take them; a person who types on sees nothing happen and
        // stops.
        let (typed, keys) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingOldest(1024))
        self.keys = keys
        tasks = [
            Task { [weak self] in
                for await bytes in session.output {
                    guard let self else { return }
                    feed(bytes)
                    drew(screen.takeEvents())
                }
            },
            Task {
                for await bytes in typed {
                    do { try await session.write(bytes) } catch { failed(error) }
                }
            },
        ]
    }

    /// Shows what the session showed in another life, until it draws.
    func show(_ last: String) {
        if screen.visibleText.allSatisfy(\.isWhitespace) { screen.feed(last) }
    }

    /// Shows what came. A control string that has not ended for five seconds never will.
    private func feed(_ bytes: some Sequence<UInt8>) {
        let now = ContinuousClock.now
        if let stringStart, stringStart.duration(to: now) > .seconds(5) {
            screen.dropControlString()
            self.stringStart = nil
        }
        screen.feed(bytes)
        stringStart = screen.isInControlString ? stringStart ?? now : nil
    }

    /// Sends keys, in order.
    ///
    /// - Returns: Whether there was room for them; if not, they are gone.
    func send(_ bytes: [UInt8]) -> Bool {
        if case .dropped = keys.yield(bytes) { false } else { true }
    }

    func resize(to size: TerminalSize) { screen.resize(to: size) }

    /// The rows of the screen, made anew where they changed since the last call.
    ///
    /// - Parameter before: The rows as they were then; `nil` makes all.
    /// - Returns: All rows.
    func rows(since before: [ScreenRow]?) -> [ScreenRow] {
        let (first, count) = (screen.visibleLines.lowerBound, screen.size.rows)
        var rows = before.map { Array($0.prefix(count)) } ?? []
        if rows.count == count {
            for row in screen.changedRows(since: drawn) {
                let line = first + row
                rows[row] = ScreenRow(cells: screen.cells(ofLine: line), isWrapped: screen.isWrapped(line: line))
            }
        } else {
            rows = screen.picture.rows
        }
        drawn = screen.mark()
        return rows
    }

    /// Ends the reading, and returns when nothing of it runs.
    func end() async {
        keys.finish()
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
