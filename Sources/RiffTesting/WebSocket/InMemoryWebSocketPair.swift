// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport
internal import Synchronization

/// What the two ends of ``InMemoryWebSocket`` share.
final class InMemoryWebSocketPair: Sendable {
    /// Who waits for what at one end.
    private struct Waiter {
        enum Purpose { case message, room, pong }
        let id: UInt64
        let purpose: Purpose
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct End {
        var inbox = [WebSocketMessage]()
        var inboxBytes = 0
        var receivedBytes: UInt64 = 0
        var isSilent = false
        var ending: WebSocketEnding?
        var waiters: [Waiter] = []
    }

    private struct State {
        var ends = [End(), End()]
        var lastID: UInt64 = 0
        /// Who is resumed once the lock is free.
        var woken: [CheckedContinuation<Void, Never>] = []
    }

    private enum Step<Value> {
        case done(Value)
        case wait
    }

    /// What a frame has at least beside its payload.
    private static let headerBytes = 2
    private let highWater: Int
    private let state = Mutex(State())
    private let endings = [EventualValue<WebSocketEnding>(), EventualValue<WebSocketEnding>()]

    init(highWater: Int) { self.highWater = highWater }

    func ending(_ side: Int) -> EventualValue<WebSocketEnding> { endings[side] }

    func receivedBytes(_ side: Int) -> UInt64 { state.withLock { $0.ends[side].receivedBytes } }

    func receive(_ side: Int) async throws -> WebSocketMessage? {
        try await run(side, .message) { state -> Step<WebSocketMessage?> in
            // After its own close nothing comes any more; after the peer's, what was sent before.
            guard state.ends[side].ending?.side != .local, let message = state.ends[side].inbox.first else {
                return state.ends[side].ending == nil ? .wait : .done(nil)
            }
            state.ends[side].inbox.removeFirst()
            let wasFull = state.ends[side].inboxBytes >= self.highWater
            state.ends[side].inboxBytes -= message.heldBytes
            if wasFull, state.ends[side].inboxBytes < self.highWater { Self.wake(&state, 1 - side, .room) }
            return .done(message)
        }
    }

    func send(_ message: WebSocketMessage, from side: Int) async throws {
        try await run(side, .room) { state -> Step<Void> in
            if let ending = state.ends[side].ending { throw ending.error }
            guard state.ends[1 - side].inboxBytes < self.highWater else { return .wait }
            state.ends[1 - side].inbox.append(message)
            state.ends[1 - side].inboxBytes += message.heldBytes
            state.ends[1 - side].receivedBytes += UInt64(message.byteCount + Self.headerBytes)
            Self.wake(&state, 1 - side, .message)
            return .done(())
        }
    }

    func ping(from side: Int) async throws {
        // Counted once, also where its answer is waited for.
        state.withLock { state in
            if state.ends[side].ending == nil { state.ends[1 - side].receivedBytes += UInt64(Self.headerBytes) }
        }
        try await run(side, .pong) { state -> Step<Void> in
            if let ending = state.ends[side].ending { throw ending.error }
            guard !state.ends[1 - side].isSilent else { return .wait }
            state.ends[side].receivedBytes += UInt64(Self.headerBytes)
            return .done(())
        }
    }

    func setSilent(_ side: Int, _ isSilent: Bool) {
        withState { state in
            state.ends[side].isSilent = isSilent
            if !isSilent { Self.wake(&state, 1 - side, .pong) }
        }
    }

    func close(from side: Int, _ code: WebSocketCloseCode, reason: String) {
        let local = WebSocketEnding(code, reason: reason, side: .local)
        let peer = WebSocketEnding(code, reason: reason, side: .peer)
        end(side == 0 ? [local, peer] : [peer, local], emptying: side)
    }

    func cut() {
        let ending = WebSocketEnding.lost("the WebSocket in memory was cut")
        end([ending, ending])
    }

    /// Nobody holds this end any more.
    func abandon(_ side: Int) { close(from: side, .goingAway, reason: "") }

    // MARK: Under the lock

    /// Ends both at one moment; only the first time counts.
    private func end(_ ending: [WebSocketEnding], emptying side: Int? = nil) {
        let decided = withState { state in
            if let side { (state.ends[side].inbox, state.ends[side].inboxBytes) = ([], 0) }
            for side in 0...1 {
                if state.ends[side].ending == nil { state.ends[side].ending = ending[side] }
                for purpose in [Waiter.Purpose.message, .room, .pong] { Self.wake(&state, side, purpose) }
            }
            return state.ends.map(\.ending)
        }
        for (side, ending) in decided.enumerated() {
            if let ending { endings[side].resolve(ending) }
        }
    }

    private static func wake(_ state: inout State, _ side: Int, _ purpose: Waiter.Purpose) {
        for waiter in state.ends[side].waiters where waiter.purpose == purpose {
            state.woken.append(waiter.continuation)
        }
        state.ends[side].waiters.removeAll { $0.purpose == purpose }
    }

    /// Works under the lock, and wakes behind it: resuming waits for the task's own lock, which a cancellation holds while
    /// its handler waits for this one.
    private func withState<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        let (value, woken) = state.withLock { state in
            let value = body(&state)
            defer { state.woken = [] }
            return (value, state.woken)
        }
        for continuation in woken { continuation.resume() }
        return value
    }

    /// Tries a step until it is done, and waits in between for its purpose at its end.
    private func run<Value: Sendable>(
        _ side: Int,
        _ purpose: Waiter.Purpose,
        _ step: (inout State) throws -> Step<Value>
    ) async throws -> Value {
        while true {
            try Task.checkCancellation()
            let id = state.withLock { state in
                state.lastID += 1
                return state.lastID
            }
            var result: Result<Step<Value>, any Error> = .success(.wait)
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let mustWait = withState { state in
                        result = Result { try step(&state) }
                        guard case .success(.wait) = result, !Task.isCancelled else { return false }
                        if purpose == .message {
                            let isAlone = !state.ends[side].waiters.contains { $0.purpose == .message }
                            precondition(isAlone, "A WebSocket has one receiver; a second one is waiting.")
                        }
                        state.ends[side].waiters.append(
                            Waiter(id: id, purpose: purpose, continuation: continuation)
                        )
                        return true
                    }
                    if !mustWait { continuation.resume() }
                }
            } onCancel: {
                let waiter = state.withLock { state in
                    state.ends[side].waiters.firstIndex { $0.id == id }.map { state.ends[side].waiters.remove(at: $0) }
                }
                waiter?.continuation.resume()
            }
            if case .done(let value) = try result.get() { return value }
        }
    }
}
