// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule
internal import RiffCore
package import RiffTransport
internal import Synchronization

/// The state that the user's side of a WebSocket and its channel share: the queues both ways, the waiters, and the end.
/// Everything is decided under one lock, so that an end and a wait cannot miss each other.
package final class WebSocketLink: Sendable {
    /// A message on its way out.
    struct Outgoing: Sendable {
        let isText: Bool
        let bytes: [UInt8]
    }

    /// The work that the channel is to do next.
    struct Work: Sendable {
        var pings: [UInt64] = []
        var mayRead = true
        var close: (code: WebSocketEnding.Code, reason: String)?
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
        var receivers = WaitList()
        var senders = WaitList()
        var pingers = WaitList()
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

    package init(limits: WebSocketRequest.Limits) {
        receiveBufferBytes = max(limits.receiveBufferBytes, 1)
        sendBufferBytes = max(limits.sendBufferBytes, 1)
    }

    // MARK: The user's side

    var receivedBytes: UInt64 { state.withLock { $0.receivedBytes } }
    var ended: WebSocketEnding? { end.current }
    func ending() async throws -> WebSocketEnding { try await end.cancellableValue() }

    func receive() async throws -> WebSocketMessage? {
        try await run(\.receivers) { state -> Step<WebSocketMessage?> in
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
        try await run(\.senders) { state -> Step<Void> in
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
        try await run(\.pingers) { state -> Step<Void> in
            if state.lastPong >= number { return .done((), wakes: false) }
            try Self.checkOpen(state)
            return .wait
        }
    }

    func close(_ code: WebSocketEnding.Code, reason: String) async {
        requestClose(code, reason: reason)
        _ = await end.value()
    }

    /// Asks for a close and does not wait for it.
    func requestClose(_ code: WebSocketEnding.Code, reason: String) {
        let (waiting, wakeChannel) = state.withLock { state -> ([WaitList], (@Sendable () -> Void)?) in
            state.inbox = []
            state.inboxBytes = 0
            guard !state.isClosing else { return ([], nil) }
            state.isClosing = true
            let waiting = Self.takeAll(&state)
            guard state.ending == nil else { return (waiting, nil) }
            state.work.close = (code.isSendable ? code : .normal, reason)
            state.work.mayRead = true
            state.isReadPaused = false
            return (waiting, Self.channelWake(&state))
        }
        for list in waiting { list.wake() }
        wakeChannel?()
    }

    // MARK: The channel's side

    /// Sets the function that wakes the channel when there is work, and calls it at once if there is.
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
        let senders = state.withLock { state in
            state.outboxBytes -= outgoing.bytes.count + WebSocketFrameEncoder.headerBytes
            return state.outboxBytes < sendBufferBytes ? state.senders.take() : WaitList()
        }
        senders.wake()
    }

    /// Bytes came, and with them messages.
    ///
    /// - Returns: Whether more may be read.
    func deliver(_ messages: [WebSocketMessage], receivedBytes: UInt64) -> Bool {
        let (receivers, mayReadMore) = state.withLock { state -> (WaitList, Bool) in
            state.receivedBytes = receivedBytes
            guard !state.isClosing, state.ending == nil else { return (WaitList(), true) }
            state.inbox.append(contentsOf: messages)
            for message in messages { state.inboxBytes += message.heldBytes }
            let receivers = messages.isEmpty ? WaitList() : state.receivers.take()
            if state.inboxBytes >= receiveBufferBytes {
                state.isReadPaused = true
                state.work.mayRead = false
            }
            return (receivers, !state.isReadPaused)
        }
        receivers.wake()
        return mayReadMore
    }

    /// The peer answered a ping, and with it all before (RFC 6455 section 5.5.3).
    func pong(_ number: UInt64) {
        let pingers = state.withLock { state in
            guard number <= state.lastPing, number > state.lastPong else { return WaitList() }
            state.lastPong = number
            return state.pingers.take()
        }
        pingers.wake()
    }

    /// Decides how the connection ended; only the first call counts. What came before can still be received.
    func finish(_ ending: WebSocketEnding) {
        let waiting = state.withLock { state -> [WaitList]? in
            guard state.ending == nil else { return nil }
            state.ending = ending
            state.outbox = []
            state.wakeChannel = nil
            return Self.takeAll(&state)
        }
        guard let waiting else { return }
        for list in waiting { list.wake() }
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

    private static func takeAll(_ state: inout State) -> [WaitList] {
        [state.receivers.take(), state.senders.take(), state.pingers.take()]
    }

    /// Tries a step until it is done, and waits in a list in between.
    private func run<Value: Sendable>(
        _ list: any WritableKeyPath<State, WaitList> & Sendable,
        _ step: (inout State) throws -> Step<Value>
    ) async throws -> Value {
        let (value, wakeChannel) = try await state.wait(in: list) { state -> (Value, (@Sendable () -> Void)?)? in
            switch try step(&state) {
            case .done(let value, let wakes): return (value, wakes ? Self.channelWake(&state) : nil)
            case .wait:
                let isTaken = list == \.receivers && !state.receivers.isEmpty
                if isTaken { throw CoreError.hasReader("A WebSocket") }
                return nil
            }
        }
        wakeChannel?()
        return value
    }
}
