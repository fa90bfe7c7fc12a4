// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The lines a server wrote, and who waits for one.
final class ServerLog: Sendable {
    private struct Waiter {
        let needles: [String]
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var lines: [String] = []
        var partial: [UInt8] = []
        var hasEnded = false
        var waiters: [UInt64: Waiter] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Mutex(State())

    var text: String { state.withLock { $0.lines.map { $0 + "\n" }.joined() } }
    var lineCount: Int { state.withLock { $0.lines.count } }

    /// Adds bytes, split anywhere.
    func append(_ bytes: [UInt8]) {
        let ready = state.withLock { state in
            let first = state.lines.count
            for byte in bytes {
                if byte == UInt8(ascii: "\n") {
                    if state.partial.last == UInt8(ascii: "\r") { state.partial.removeLast() }
                    state.lines.append(String(decoding: state.partial, as: UTF8.self))
                    state.partial = []
                } else {
                    state.partial.append(byte)
                }
            }
            let new = state.lines[first...]
            let done = state.waiters.filter { waiter in new.contains { $0.containsAny(of: waiter.value.needles) } }
            for id in done.keys { state.waiters[id] = nil }
            return done.values.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// No more lines will come.
    func end() {
        let ready = state.withLock { state in
            state.hasEnded = true
            defer { state.waiters = [:] }
            return state.waiters.values.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// The first line from index `start` on that contains one of the texts, or `nil` when the log ended without one.
    func line(containing needles: [String], from start: Int) async throws -> String? {
        while true {
            let (found, hasEnded) = state.withLock { state in
                (state.lines.dropFirst(start).first { $0.containsAny(of: needles) }, state.hasEnded)
            }
            if let found { return found }
            if hasEnded { return nil }
            try Task.checkCancellation()
            await wait(for: needles, from: start)
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
        await withCheckedContinuation { continuation in
            let mustWait = state.withLock { state in
                guard !state.hasEnded else { return false }
                state.nextID += 1
                state.waiters[state.nextID] = Waiter(needles: [], continuation: continuation)
                return true
            }
            if !mustWait { continuation.resume() }
        }
    }

    private func wait(for needles: [String], from start: Int) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    let isThere = state.lines.dropFirst(start).contains { $0.containsAny(of: needles) }
                    guard !isThere, !state.hasEnded, !Task.isCancelled else { return false }
                    state.waiters[id] = Waiter(needles: needles, continuation: continuation)
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
        }
    }
}

extension String {
    fileprivate func containsAny(of needles: [String]) -> Bool { needles.contains { contains($0) } }
}

extension TestingError.Code {
    /// A server did not say in time what was waited for.
    public static let serverSilent = TestingError.Code(rawValue: "serverSilent")
    /// A server ended while it was needed.
    public static let serverEnded = TestingError.Code(rawValue: "serverEnded")
}
