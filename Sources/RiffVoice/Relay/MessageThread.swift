// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample: client: RiffClient, id: RiffIdentifier, now: Double
/// The part of a chat list that shows a conversation on a Riff server: events in, bubbles out; it does nothing itself
/// and knows no time.
///
/// Words are shown at once, as ``Entry/State/sending``, and become ``Entry/State/sent`` or
/// ``Entry/State/failed(reason:)``. The server names what a person says without telling, so that ``Event/resync(_:)``
/// finds the bubble of a message by its text and its time.
///
/// ```swift
/// var thread = MessageThread()
/// thread.handle(.sending("Is the build green?", id: id, time: now))
/// thread.handle(.failed(id, reason: "The agent took too long.", mayHaveArrived: true))
/// thread.handle(.resync(try await client.messages()))  // did it arrive?
/// ```
public struct MessageThread: Sendable, Hashable {
    /// An event in the conversation.
    public enum Event: Sendable, Hashable {
        /// Words are being sent. The name is made up by the front end, such as ``RiffIdentifier/random()``; the time
        /// is this device's, in seconds since 1970.
        case sending(String, id: RiffIdentifier, time: Double)
        /// The server has the words of this name, and this is the answer.
        case sent(RiffIdentifier, reply: ConversationMessage)
        /// They failed. They may have arrived where the request went out and no answer says that they did not: after
        /// 500, 502 and 504, a timeout and a lost connection, but not where no connection could be made, nor after
        /// 400, 401, 413 and 503.
        case failed(RiffIdentifier, reason: String, mayHaveArrived: Bool)
        /// They are being sent again, from this time on.
        case retry(RiffIdentifier, time: Double)
        /// The messages that the server has: all of the conversation, or its newest messages. The order does not
        /// matter.
        case resync([ConversationMessage])
        /// Whatever was being sent lost who waited for it: the process was ended. All of it failed, and may have
        /// arrived.
        case interrupted(reason: String)
    }

    /// The number of bubbles that are kept unless said otherwise.
    package static let standardLimit = 500
    /// The difference that this device's clock and the server's may have unless said otherwise.
    package static let standardClockTolerance = Duration.seconds(120)

    /// The most bubbles that are kept. The oldest are dropped first: those that the server has come again from there.
    package let limit: Int
    /// The difference that this device's clock and the server's may have.
    package let clockTolerance: Duration
    /// The bubbles, oldest first.
    public internal(set) var entries: [Entry] = []

    /// An empty conversation.
    ///
    /// - Parameters:
    ///   - limit: How many bubbles are kept at most; at least 1.
    ///   - clockTolerance: How far this device's clock and the server's may be apart.
    public init(limit: Int = 500, clockTolerance: Duration = .seconds(120)) {
        self.limit = max(1, limit)
        self.clockTolerance = max(.zero, clockTolerance)
    }

    /// Whether a bubble failed that the server may have: to be found out before a person is offered to try it again.
    package var needsResync: Bool {
        entries.contains { entry in
            guard case .failed = entry.state else { return false }
            return entry.mayHaveArrived
        }
    }

    /// Takes an event; one that does not fit what is there changes nothing.
    public mutating func handle(_ event: Event) {
        switch event {
        case .sending(let text, let id, let time): begin(text, id, time)
        case .sent(let id, let reply): end(id, reply)
        case .failed(let id, let reason, let mayHaveArrived): fail(id, reason, mayHaveArrived)
        case .retry(let id, let time): retry(id, time)
        case .resync(let messages): merge(messages)
        case .interrupted(let reason):
            for place in entries.indices where entries[place].state == .sending { fail(place, reason, true) }
        }
        entries.removeFirst(max(0, entries.count - limit))
    }

    private mutating func begin(_ text: String, _ id: RiffIdentifier, _ time: Double) {
        guard place(of: id) == nil else { return }
        let time = finite(time)
        // At the end of the list, also where this device's clock is behind the server's.
        entries.append(Entry(sending: text, id: id, at: time, shownAt: max(time, newest)))
    }

    private mutating func end(_ id: RiffIdentifier, _ reply: ConversationMessage) {
        var reply = reply
        if !reply.time.isFinite {
            reply = ConversationMessage(id: reply.id, role: reply.role, text: reply.text, time: newest)
        }
        if let place = place(of: id), entries[place].serverID == nil {
            entries[place].state = .sent
            entries[place].mayHaveArrived = false
            entries[place].answered = reply.time
            // Before its answer, also where this device's clock is ahead of the server's.
            entries[place].time = min(entries[place].time, reply.time)
        }
        merge([reply])
    }

    private mutating func fail(_ id: RiffIdentifier, _ reason: String, _ mayHaveArrived: Bool) {
        // One that was found on the server meanwhile stays sent.
        guard let place = place(of: id), entries[place].state == .sending else { return }
        fail(place, reason, mayHaveArrived)
    }

    private mutating func fail(_ place: Int, _ reason: String, _ mayHaveArrived: Bool) {
        entries[place].state = .failed(reason: reason)
        // An earlier try may have arrived whatever became of this one.
        if mayHaveArrived { entries[place].mayHaveArrived = true }
    }

    private mutating func retry(_ id: RiffIdentifier, _ time: Double) {
        guard let place = place(of: id), case .failed = entries[place].state else { return }
        var entry = entries.remove(at: place)
        let time = finite(time)
        let first = entry.mayHaveArrived ? min(entry.tries.lowerBound, time) : time
        entry.tries = first...max(time, first)
        entry.state = .sending
        entry.time = max(time, newest)
        entries.append(entry)
    }

    private func place(of id: RiffIdentifier) -> Int? { entries.lastIndex { $0.id == .local(id) } }

    private var newest: Double { entries.last?.time ?? 0 }

    /// A time that can be compared and kept.
    private func finite(_ time: Double) -> Double { time.isFinite ? time : newest }
}
