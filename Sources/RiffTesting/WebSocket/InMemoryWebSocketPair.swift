// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport
internal import Synchronization

/// The state that the two ends of ``InMemoryWebSocket`` share.
final class InMemoryWebSocketPair: Sendable {
    private struct End {
        var inbox = [WebSocketMessage]()
        var inboxBytes = 0
        var receivedBytes: UInt64 = 0
        var isSilent = false
        var ending: WebSocketEnding?
        var receivers = WaitList()
        var senders = WaitList()
        var pingers = WaitList()
    }

    private struct State {
        var ends = [End(), End()]
        /// Those that are woken once the lock is free.
        var woken: [WaitList] = []
    }

    private enum Step<Value> {
        case done(Value)
        case wait
    }

    /// The least number of bytes that a frame has beside its payload.
    private static let headerBytes = 2
    private let highWater: Int
    private let state = Mutex(State())
    private let endings = [EventualValue<WebSocketEnding>(), EventualValue<WebSocketEnding>()]

    init(highWater: Int) { self.highWater = highWater }

    func ending(_ side: Int) -> EventualValue<WebSocketEnding> { endings[side] }

    func receivedBytes(_ side: Int) -> UInt64 { state.withLock { $0.ends[side].receivedBytes } }

    func receive(_ side: Int) async throws -> WebSocketMessage? {
        try await run(side, \.ends[side].receivers) { state -> Step<WebSocketMessage?> in
            // After its own close nothing comes any more; after the peer's, what was sent before.
            guard state.ends[side].ending?.side != .local, let message = state.ends[side].inbox.first else {
                return state.ends[side].ending == nil ? .wait : .done(nil)
            }
            state.ends[side].inbox.removeFirst()
            let wasFull = state.ends[side].inboxBytes >= self.highWater
            state.ends[side].inboxBytes -= message.heldBytes
            if wasFull, state.ends[side].inboxBytes < self.highWater {
                state.woken.append(state.ends[1 - side].senders.take())
            }
            return .done(message)
        }
    }

    func send(_ message: WebSocketMessage, from side: Int) async throws {
        try await run(side, \.ends[side].senders) { state -> Step<Void> in
            if let ending = state.ends[side].ending { throw ending.error }
            guard state.ends[1 - side].inboxBytes < self.highWater else { return .wait }
            state.ends[1 - side].inbox.append(message)
            state.ends[1 - side].inboxBytes += message.heldBytes
            state.ends[1 - side].receivedBytes += UInt64(message.byteCount + Self.headerBytes)
            state.woken.append(state.ends[1 - side].receivers.take())
            return .done(())
        }
    }

    func ping(from side: Int) async throws {
        // Counted once, also where its answer is waited for.
        state.withLock { state in
            if state.ends[side].ending == nil { state.ends[1 - side].receivedBytes += UInt64(Self.headerBytes) }
        }
        try await run(side, \.ends[side].pingers) { state -> Step<Void> in
            if let ending = state.ends[side].ending { throw ending.error }
            guard !state.ends[1 - side].isSilent else { return .wait }
            state.ends[side].receivedBytes += UInt64(Self.headerBytes)
            return .done(())
        }
    }

    func setSilent(_ side: Int, _ isSilent: Bool) {
        withState { state in
            state.ends[side].isSilent = isSilent
            if !isSilent { state.woken.append(state.ends[1 - side].pingers.take()) }
        }
    }

    func close(from side: Int, _ code: WebSocketEnding.Code, reason: String) {
        let local = WebSocketEnding(code, reason: reason, side: .local)
        let peer = WebSocketEnding(code, reason: reason, side: .peer)
        end(side == 0 ? [local, peer] : [peer, local], emptying: side)
    }

    func cut() {
        let ending = WebSocketEnding.lost("the WebSocket in memory was cut")
        end([ending, ending])
    }

    /// Handles an end that is not held any more.
    func abandon(_ side: Int) { close(from: side, .goingAway, reason: "") }

    // MARK: Under the lock

    /// Ends both at one moment; only the first time counts.
    private func end(_ ending: [WebSocketEnding], emptying side: Int? = nil) {
        let decided = withState { state in
            if let side { (state.ends[side].inbox, state.ends[side].inboxBytes) = ([], 0) }
            for side in 0...1 {
                if state.ends[side].ending == nil { state.ends[side].ending = ending[side] }
                state.woken += [
                    state.ends[side].receivers.take(), state.ends[side].senders.take(), state.ends[side].pingers.take(),
                ]
            }
            return state.ends.map(\.ending)
        }
        for (side, ending) in decided.enumerated() {
            if let ending { endings[side].resolve(ending) }
        }
    }

    /// Works under the lock, and wakes behind it: resuming waits for the task's own lock, which a cancellation holds
    /// while its handler waits for this one.
    private func withState<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        let (value, woken) = state.withLock { state in
            let value = body(&state)
            defer { state.woken = [] }
            return (value, state.woken)
        }
        for list in woken { list.wake() }
        return value
    }

    /// Tries a step until it is done, and waits in a list of its end in between.
    private func run<Value: Sendable>(
        _ side: Int,
        _ list: any WritableKeyPath<State, WaitList> & Sendable,
        _ step: (inout State) throws -> Step<Value>
    ) async throws -> Value {
        let (value, woken) = try await state.wait(in: list) { state -> (Value, [WaitList])? in
            guard case .done(let value) = try step(&state) else {
                let isAlone = list != \.ends[side].receivers || state.ends[side].receivers.isEmpty
                guard isAlone else { throw CoreError.hasReader("A WebSocket") }
                return nil
            }
            defer { state.woken = [] }
            return (value, state.woken)
        }
        for list in woken { list.wake() }
        return value
    }
}
