// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule
internal import RiffCore
internal import Synchronization

/// An event from the other side that is handed on in order: updates, questions to the person, and the answers that must
/// not overtake them.
enum InboundEvent: Sendable {
    case update(ACP.SessionNotification)
    case notification(method: String, params: JSONValue)
    case request(InboundRequests.Inbound)
    case answer(PendingRequests.Pending, PendingRequests.Answer)
    /// Another client of the same agent began a turn.
    case otherTurn(OtherTurn)
    /// The agent's answer to another client; `nil` for a turn whose end will not be seen.
    case otherAnswer(ACP.RequestID, Result<JSONValue, ACP.RPCError>?)
}

/// The events between the task that reads and the one that hands on. Bounded: pieces of one text are joined when many
/// events wait, nothing else ever is, and beyond `limit` bytes the reader waits.
final class EventQueue: Sendable {
    private struct Entry {
        var event: InboundEvent
        var bytes: Int
        /// Text that belongs behind the event's own.
        var moreText = ""
    }

    private struct State {
        var entries = Deque<Entry>()
        var bytes = 0
        var isFinished = false
        var isPaused = false
        var consumers = WaitList()
        var producers = WaitList()
    }

    private let state = Mutex(State())
    /// While events are held back, and while they flow: what is buffered then only makes the newest of them late.
    private let pausedLimit: Int
    private let flowingLimit: Int
    /// The number of events that may wait before pieces of text are joined: a consumer that keeps up sees each.
    private static let joinsBeyond = 64

    init(limit: Int, flowing: Int = 32 * 1024) {
        pausedLimit = limit
        flowingLimit = min(limit, flowing)
    }

    private func limit(_ state: State) -> Int { state.isPaused ? pausedLimit : flowingLimit }

    // MARK: Reading side

    /// Adds events with the bytes that each took on the wire.
    func push(_ events: [(event: InboundEvent, bytes: Int)]) {
        let consumers = state.withLock { state in
            for (event, bytes) in events {
                state.bytes += bytes
                if state.entries.count >= Self.joinsBeyond, let last = state.entries.indices.last,
                    let text = Self.continuation(of: state.entries[last].event, by: event)
                {
                    state.entries[last].moreText += text
                    // What is kept of it is the text; the events that a stalled consumer leaves shrink to that.
                    state.bytes -= bytes - text.utf8.count
                    state.entries[last].bytes += text.utf8.count
                } else {
                    state.entries.append(Entry(event: event, bytes: bytes))
                }
            }
            return state.isPaused ? WaitList() : state.consumers.take()
        }
        consumers.wake()
    }

    /// The text by which one update continues another one of the same message and nothing else.
    private static func continuation(of event: InboundEvent, by next: InboundEvent) -> String? {
        guard case .update(let first) = event, case .update(let second) = next, first.sessionID == second.sessionID,
            first.isPlain, second.isPlain
        else { return nil }
        let chunks: (ACP.ContentChunk, ACP.ContentChunk)
        switch (first.update, second.update) {
        case (.agentMessageChunk(let a), .agentMessageChunk(let b)): chunks = (a, b)
        case (.agentThoughtChunk(let a), .agentThoughtChunk(let b)): chunks = (a, b)
        case (.userMessageChunk(let a), .userMessageChunk(let b)): chunks = (a, b)
        default: return nil
        }
        guard chunks.0.messageID == chunks.1.messageID, chunks.0.plainText != nil else { return nil }
        return chunks.1.plainText
    }

    /// Waits until less than the limit is queued, or `mayWait` says that waiting could be for ever.
    func waitForRoom(unless mayNotWait: () -> Bool) async {
        while state.withLock({ $0.bytes > limit($0) && !$0.isFinished }), !mayNotWait() || isFarBeyondLimit {
            var isFirst = true
            // Once awake, what may not wait is asked again.
            await state.waitEvenIfCancelled(in: \.producers) { state in
                defer { isFirst = false }
                return isFirst && state.bytes > limit(state) && !state.isFinished
            }
        }
    }

    private var isFarBeyondLimit: Bool { state.withLock { $0.bytes > 4 * limit($0) } }

    /// Lets a waiting reader look again.
    func wakeReader() {
        state.withLock { $0.producers.take() }.wake()
    }

    /// Adds nothing more; the consumer gets what is queued, paused or not.
    func finish() {
        let (consumers, producers) = state.withLock { state in
            state.isFinished = true
            state.isPaused = false
            return (state.consumers.take(), state.producers.take())
        }
        consumers.wake()
        producers.wake()
    }

    // MARK: Handing on

    /// Holds events back, or lets them go on.
    func setPaused(_ isPaused: Bool) {
        let waiters = state.withLock { state in
            state.isPaused = isPaused && !state.isFinished
            // There is more room while paused.
            return state.isPaused ? state.producers.take() : state.consumers.take()
        }
        waiters.wake()
    }

    /// The next events, in order; suspends until there are some and they may go. `nil` at the end.
    func next(upTo count: Int = 32) async -> [InboundEvent]? {
        while true {
            let (events, producers): ([InboundEvent]?, WaitList) = state.withLock { state in
                guard !state.isPaused else { return ([], WaitList()) }
                if state.entries.isEmpty { return (state.isFinished ? nil : [], WaitList()) }
                let taken = state.entries.prefix(count)
                state.entries.removeFirst(taken.count)
                state.bytes -= taken.reduce(0) { $0 + $1.bytes }
                let producers = state.bytes <= limit(state) / 2 ? state.producers.take() : WaitList()
                return (taken.map(Self.joined), producers)
            }
            producers.wake()
            guard let events else { return nil }
            if !events.isEmpty { return events }
            await state.waitEvenIfCancelled(in: \.consumers) { $0.isPaused || ($0.entries.isEmpty && !$0.isFinished) }
        }
    }

    private static func joined(_ entry: Entry) -> InboundEvent {
        guard !entry.moreText.isEmpty, case .update(var notification) = entry.event else { return entry.event }
        notification.update = notification.update.appending(entry.moreText)
        return .update(notification)
    }
}

extension ACP.SessionNotification {
    /// Whether it says nothing beside its session and its update.
    fileprivate var isPlain: Bool { meta == nil && rest.isEmpty }
}

extension ACP.ContentChunk {
    /// Its text, where it is nothing but one.
    fileprivate var plainText: String? {
        guard case .text(let text) = content, meta == nil, rest.isEmpty, text.annotations == nil, text.meta == nil,
            text.rest.isEmpty
        else { return nil }
        return text.text
    }

    fileprivate func appending(_ more: String) -> ACP.ContentChunk {
        guard case .text(var text) = content else { return self }
        var chunk = self
        text.text += more
        chunk.content = .text(text)
        return chunk
    }
}

extension ACP.SessionUpdate {
    fileprivate func appending(_ more: String) -> ACP.SessionUpdate {
        switch self {
        case .agentMessageChunk(let chunk): .agentMessageChunk(chunk.appending(more))
        case .agentThoughtChunk(let chunk): .agentThoughtChunk(chunk.appending(more))
        case .userMessageChunk(let chunk): .userMessageChunk(chunk.appending(more))
        default: self
        }
    }
}
