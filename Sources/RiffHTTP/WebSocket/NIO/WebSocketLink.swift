// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule
internal import RiffCore
package import RiffTransport
internal import Synchronization

/// What the user's side of a WebSocket and its channel share: the queues both ways, who waits, and the end. Everything is
/// decided under one lock, so that an end and a wait cannot miss each other.
package final class WebSocketLink: Sendable {
    /// A message on its way out.
    struct Outgoing: Sendable {
        let isText: Bool
        let bytes: [UInt8]
    }

    /// What the channel is to do next.
    struct Work: Sendable {
        var pings: [UInt64] = []
        var mayRead = true
        var close: (code: WebSocketCloseCode, reason: String)?
    }

    private struct Waiter {
        enum Purpose: Equatable {
            case message, room
            case pong(UInt64)
        }
        let id: UInt64
        let purpose: Purpose
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var inbox = Deque<WebSocketMessage>()
        var inboxBytes = 0
        var outbox = Deque<Outgoing>()
        var outboxBytes = 0
        var work = Work()
        var isReadPaused = false
        var lastPing: UInt64 = 0
        var lastPong: UInt64 = 0
        var receivedBytes: UInt64 = 0
        /// Set with the first `close` here, before the connection has ended.
        var isClosing = false
        var ending: WebSocketEnding?
        var waiters: [Waiter] = []
        var lastID: UInt64 = 0
        var wakeChannel: (@Sendable () -> Void)?
        var isChannelAwake = false
    }

    private enum Step<Value: Sendable> {
        case done(Value, wakes: Bool)
        case wait
    }

    private let receiveBufferBytes: Int
    private let sendBufferBytes: Int
    private let state = Mutex(State())
    private let end = EventualValue<WebSocketEnding>()

    package init(limits: WebSocketLimits) {
        receiveBufferBytes = max(limits.receiveBufferBytes, 1)
        sendBufferBytes = max(limits.sendBufferBytes, 1)
    }

    // MARK: The user's side

    var receivedBytes: UInt64 { state.withLock { $0.receivedBytes } }
    var ended: WebSocketEnding? { end.current }
    func ending() async throws -> WebSocketEnding { try await end.cancellableValue() }

    func receive() async throws -> WebSocketMessage? {
        try await run(.message) { state -> Step<WebSocketMessage?> in
            guard !state.isClosing else { return .done(nil, wakes: false) }
            guard let message = state.inbox.popFirst() else {
                return state.ending == nil ? .wait : .done(nil, wakes: false)
            }
            state.inboxBytes -= message.heldBytes
            guard state.isReadPaused, state.inboxBytes <= self.receiveBufferBytes / 2 else {
                return .done(message, wakes: false)
            }
            state.isReadPaused = false
            state.work.mayRead = true
            return .done(message, wakes: true)
        }
    }

    func send(_ message: WebSocketMessage) async throws {
        let outgoing =
            switch message {
            case .text(let text): Outgoing(isText: true, bytes: Array(text.utf8))
            case .binary(let bytes): Outgoing(isText: false, bytes: bytes)
            }
        try await run(.room) { state -> Step<Void> in
            try Self.checkOpen(state)
            guard state.outboxBytes < self.sendBufferBytes else { return .wait }
            state.outbox.append(outgoing)
            // A message of nothing takes room as well.
            state.outboxBytes += outgoing.bytes.count + WebSocketFrameEncoder.headerBytes
            return .done((), wakes: true)
        }
    }

    func ping() async throws {
        let (number, wake) = try state.withLock { state in
            try Self.checkOpen(state)
            state.lastPing += 1
            state.work.pings.append(state.lastPing)
            return (state.lastPing, Self.channelWake(&state))
        }
        wake?()
        try await run(.pong(number)) { state -> Step<Void> in
            if state.lastPong >= number { return .done((), wakes: false) }
            try Self.checkOpen(state)
            return .wait
        }
    }

    func close(_ code: WebSocketCloseCode, reason: String) async {
        requestClose(code, reason: reason)
        _ = await end.value()
    }

    /// Asks for a close and does not wait for it.
    func requestClose(_ code: WebSocketCloseCode, reason: String) {
        let (waiters, wakeChannel) = state.withLock { state -> ([Waiter], (@Sendable () -> Void)?) in
            state.inbox = []
            state.inboxBytes = 0
            guard !state.isClosing else { return ([], nil) }
            state.isClosing = true
            let waiters = Self.takeWaiters(&state) { _ in true }
            guard state.ending == nil else { return (waiters, nil) }
            state.work.close = (code.isSendable ? code : .normal, reason)
            state.work.mayRead = true
            state.isReadPaused = false
            return (waiters, Self.channelWake(&state))
        }
        Self.resume(waiters)
        wakeChannel?()
    }

    // MARK: The channel's side

    /// Sets how the channel is told that there is something to do, and tells it at once where there is.
    func attach(_ wakeChannel: @escaping @Sendable () -> Void) {
        let wake = state.withLock { state in
            state.wakeChannel = wakeChannel
            return Self.channelWake(&state)
        }
        wake?()
    }

    /// What is to be done; from now on the channel is woken again.
    func takeWork() -> Work {
        state.withLock { state in
            state.isChannelAwake = false
            defer {
                state.work.pings = []
                state.work.close = nil
            }
            return state.work
        }
    }

    func nextOutgoing() -> Outgoing? { state.withLock { $0.outbox.popFirst() } }

    /// A message has been written.
    func sent(_ outgoing: Outgoing) {
        let waiters = state.withLock { state in
            state.outboxBytes -= outgoing.bytes.count + WebSocketFrameEncoder.headerBytes
            return state.outboxBytes < sendBufferBytes ? Self.takeWaiters(&state) { $0 == .room } : []
        }
        Self.resume(waiters)
    }

    /// Bytes came, and with them messages.
    ///
    /// - Returns: Whether more may be read.
    func deliver(_ messages: [WebSocketMessage], receivedBytes: UInt64) -> Bool {
        let (waiters, mayReadMore) = state.withLock { state -> ([Waiter], Bool) in
            state.receivedBytes = receivedBytes
            guard !state.isClosing, state.ending == nil else { return ([], true) }
            state.inbox.append(contentsOf: messages)
            for message in messages { state.inboxBytes += message.heldBytes }
            let waiters = messages.isEmpty ? [] : Self.takeWaiters(&state) { $0 == .message }
            if state.inboxBytes >= receiveBufferBytes {
                state.isReadPaused = true
                state.work.mayRead = false
            }
            return (waiters, !state.isReadPaused)
        }
        Self.resume(waiters)
        return mayReadMore
    }

    /// The peer answered a ping, and with it all before (RFC 6455 section 5.5.3).
    func pong(_ number: UInt64) {
        let waiters = state.withLock { state -> [Waiter] in
            guard number <= state.lastPing, number > state.lastPong else { return [] }
            state.lastPong = number
            return Self.takeWaiters(&state) { purpose in
                if case .pong(let waited) = purpose { return waited <= number }
                return false
            }
        }
        Self.resume(waiters)
    }

    /// Decides how the connection ended; only the first call counts. What came before can still be received.
    func finish(_ ending: WebSocketEnding) {
        let waiters = state.withLock { state -> [Waiter]? in
            guard state.ending == nil else { return nil }
            state.ending = ending
            state.outbox = []
            state.wakeChannel = nil
            return Self.takeWaiters(&state) { _ in true }
        }
        guard let waiters else { return }
        Self.resume(waiters)
        end.resolve(ending)
    }

    // MARK: Under the lock

    private static func checkOpen(_ state: State) throws(TransportError) {
        if let ending = state.ending { throw ending.error }
        guard !state.isClosing else { throw TransportError(.closed, "The WebSocket is being closed by us.") }
    }

    private static func channelWake(_ state: inout State) -> (@Sendable () -> Void)? {
        guard !state.isChannelAwake, let wake = state.wakeChannel else { return nil }
        state.isChannelAwake = true
        return wake
    }

    private static func takeWaiters(_ state: inout State, _ isMeant: (Waiter.Purpose) -> Bool) -> [Waiter] {
        let waiters = state.waiters.filter { isMeant($0.purpose) }
        state.waiters.removeAll { isMeant($0.purpose) }
        return waiters
    }

    /// Not under the lock: resuming waits for the task's own lock, which a cancellation holds while its handler waits for
    /// this one.
    private static func resume(_ waiters: [Waiter]) {
        for waiter in waiters { waiter.continuation.resume() }
    }

    /// Tries a step until it is done, and waits in between for its purpose.
    private func run<Value: Sendable>(
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
            var wakeChannel: (@Sendable () -> Void)?
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let mustWait = state.withLock { state in
                        result = Result { try step(&state) }
                        if case .success(.done(_, wakes: true)) = result { wakeChannel = Self.channelWake(&state) }
                        guard case .success(.wait) = result, !Task.isCancelled else { return false }
                        let isTaken = purpose == .message && state.waiters.contains { $0.purpose == .message }
                        precondition(!isTaken, "A WebSocket has one receiver; a second one is waiting.")
                        state.waiters.append(Waiter(id: id, purpose: purpose, continuation: continuation))
                        return true
                    }
                    if !mustWait { continuation.resume() }
                }
            } onCancel: {
                let waiter = state.withLock { state in
                    state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
                }
                waiter?.continuation.resume()
            }
            wakeChannel?()
            if case .done(let value, _) = try result.get() { return value }
        }
    }
}
