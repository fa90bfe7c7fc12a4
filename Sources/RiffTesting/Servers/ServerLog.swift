// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import Synchronization

/// The lines a server wrote, and who waits for one.
final class ServerLog: Sendable {
    private struct State {
        var lines: [String] = []
        var splitter = LineSplitter(limitBytes: 1 << 20, overflow: .pieces, stripsCR: true)
        var hasEnded = false
        var waiters = WaitList()
    }

    private let state = Mutex(State())

    var text: String { state.withLock { $0.lines.map { $0 + "\n" }.joined() } }
    var lineCount: Int { state.withLock { $0.lines.count } }

    /// Adds bytes, split anywhere.
    func append(_ bytes: [UInt8]) {
        let waiters = state.withLock { state in
            for line in state.splitter.push(bytes) {
                state.lines.append(String(decoding: line.bytes, as: UTF8.self))
            }
            return state.waiters.take()
        }
        waiters.wake()
    }

    /// No more lines will come.
    func end() {
        let waiters = state.withLock { state in
            state.hasEnded = true
            return state.waiters.take()
        }
        waiters.wake()
    }

    /// The first line from index `start` on that contains one of the texts, or `nil` when the log ended without one.
    func line(containing needles: [String], from start: Int) async throws -> String? {
        try await state.wait(in: \.waiters) { state -> String?? in
            if let found = state.lines.dropFirst(start).first(where: { $0.containsAny(of: needles) }) { return found }
            return state.hasEnded ? .some(nil) : .none
        }
    }

    /// As `line(containing:from:)`, with a deadline and an error that shows the log.
    func line(containing needles: [String], from start: Int, of server: String, within usual: Duration) async throws
        -> String
    {
        let limit = usual.patient
        let found = try await withThrowingTaskGroup { group in
            group.addTask { try await self.line(containing: needles, from: start) }
            group.addTask { () -> String? in
                try await Task.sleep(for: limit)
                throw TestingError(
                    .serverSilent,
                    "\(server) did not write \(needles) within \(limit). Its log:\n\(self.text)"
                )
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        guard let found else {
            throw TestingError(.serverEnded, "\(server) ended before it wrote \(needles). Its log:\n\(text)")
        }
        return found
    }

    /// Suspends until `end()`, also in a cancelled task.
    func waitForEnd() async {
        await state.waitEvenIfCancelled(in: \.waiters) { !$0.hasEnded }
    }
}

extension String {
    fileprivate func containsAny(of needles: [String]) -> Bool { needles.contains { contains($0) } }
}

extension TestingErrorCode {
    /// A server did not say in time what was waited for.
    public static let serverSilent = TestingError.Code(rawValue: "serverSilent")
    /// A server ended while it was needed.
    public static let serverEnded = TestingError.Code(rawValue: "serverEnded")
}
