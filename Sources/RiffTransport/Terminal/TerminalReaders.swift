// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule
internal import RiffCore
internal import Synchronization

/// The readers of one terminal's output: each gets every chunk that comes while it reads.
///
/// There is no task: the reader that needs a chunk takes the next one from the pipe, for the others as well. The
/// slowest sets the pace, within a bound; one that is gone is waited for no more. Bytes stay in the pipe while nobody
/// reads.
final class TerminalReaders: Sendable {
    private struct Backlog {
        var chunks = Deque<[UInt8]>()
        var bytes = 0
    }

    private struct State {
        var nextID = 0
        var backlogs: [Int: Backlog] = [:]
        var isTaking = false
        var isOver = false
        var waiters = WaitList()
    }

    /// The next step of a reader.
    private enum Step {
        case chunk([UInt8])
        case over
        case take
    }

    private let state = Mutex(State())
    let pipe: BytePipe

    init(_ pipe: BytePipe) { self.pipe = pipe }

    /// One reader, for as long as it is held.
    final class Reader: Sendable {
        private let readers: TerminalReaders
        private let id: Int

        fileprivate init(_ readers: TerminalReaders, _ id: Int) { (self.readers, self.id) = (readers, id) }

        deinit { readers.remove(id) }

        /// The next chunk; `nil` at the end, and when the task is cancelled.
        func next() async -> [UInt8]? { try? await readers.next(id) }
    }

    /// A reader of all that comes from now on; the first one also of what waits in the pipe.
    func makeReader() -> Reader {
        let id = state.withLock { state in
            state.nextID += 1
            state.backlogs[state.nextID] = Backlog()
            return state.nextID
        }
        return Reader(self, id)
    }

    private func remove(_ id: Int) { change { $0.backlogs[id] = nil } }

    private func next(_ id: Int) async throws -> [UInt8]? {
        let step = try await state.wait(in: \.waiters) { state -> (Step, WaitList)? in
            if let chunk = state.backlogs[id]?.chunks.popFirst() {
                state.backlogs[id]?.bytes -= chunk.count
                // Somebody may wait for this room.
                return (.chunk(chunk), state.waiters.take())
            }
            if state.isOver { return (.over, WaitList()) }
            guard !state.isTaking, state.backlogs.values.allSatisfy({ $0.bytes < self.pipe.highWater }) else {
                return nil
            }
            state.isTaking = true
            return (.take, WaitList())
        }
        step.1.wake()
        switch step.0 {
        case .chunk(let chunk): return chunk
        case .over: return nil
        case .take: return try await take(for: id)
        }
    }

    private func take(for id: Int) async throws -> [UInt8]? {
        let chunk: [UInt8]?
        do { chunk = try await pipe.next() } catch let error as CancellationError {
            change { $0.isTaking = false }
            throw error
        } catch {
            // A terminal's end is told by its closure.
            chunk = nil
        }
        change { state in
            state.isTaking = false
            guard let chunk else { return state.isOver = true }
            for other in state.backlogs.keys where other != id {
                state.backlogs[other]?.chunks.append(chunk)
                state.backlogs[other]?.bytes += chunk.count
            }
        }
        return chunk
    }

    private func change(_ body: (inout State) -> Void) {
        let waiters = state.withLock { state in
            body(&state)
            return state.waiters.take()
        }
        waiters.wake()
    }
}
