// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffSessions
import RiffTransport
import Synchronization

/// What a session's terminal was given to show. Its output is read all the time, as a front end would; each piece of it
/// is the event upon which a condition is looked at again.
final class Screen: Sendable {
    private final class Drawn: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }

    private let drawn = Drawn()
    private let changes: AsyncStream<Void>
    private let name: String

    init(_ session: TerminalSession) {
        name = session.name
        let (changes, report) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        // Ends with the session, which everybody who makes a screen closes.
        Task.detached { [output = session.output, drawn] in
            for await bytes in output {
                drawn.bytes.withLock { $0 += bytes }
                report.yield()
            }
            report.finish()
        }
    }

    /// Forgets what was drawn until now.
    func mark() { drawn.bytes.withLock { $0 = [] } }

    /// What was drawn since ``mark()``, without the escape sequences.
    var text: String { PlainText(drawn.bytes.withLock { $0 }).text }

    /// Suspends until a condition is met; it is looked at now and whenever something was drawn.
    ///
    /// - Throws: ``Failure`` past the limit or at the session's end; what `condition` throws.
    func wait(
        for what: String,
        within limit: Duration = .seconds(20),
        until condition: @escaping @Sendable () async throws -> Bool
    ) async throws {
        try await within(limit, what) { [name, changes] in
            var iterator = changes.makeAsyncIterator()
            while true {
                if try await condition() { return }
                guard await iterator.next() != nil else {
                    try Task.checkCancellation()
                    throw Failure("The session \(name) ended before \(what) came.")
                }
            }
        }
    }
}
