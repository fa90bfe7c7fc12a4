// Riff
// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
internal import RiffCore

/// The rules of an event stream that comes back by itself (WHATWG HTML, section 9.2.3): what is asked for, what an
/// answer means, and when to ask again. Inputs in, effects out; it does nothing itself and knows no time.
///
/// The owner performs the effects in order. It reports of each request that it sends either that it was answered, and
/// then what came and how it ended, or that it failed; and nothing more of it after ``Effect/close`` or the next
/// ``Effect/send(_:withBody:)``. A request that has a body is sent with it each time: the stream is only asked for.
package struct ServerSentEventMachine: Sendable {
    /// An input of the machine.
    package enum Input: Sendable {
        /// The events are wanted.
        case start
        /// The events are not wanted any more.
        case stop
        /// The head of the answer is there.
        case answered(HTTPResponse)
        /// Bytes of the answer's body.
        case received([UInt8])
        /// The answer's body ended.
        case ended
        /// The request failed, or the connection was lost while the body came.
        case failed(TransportError)
        /// The timer of the last ``Effect/startTimer(_:)`` ran out.
        case timerFired
    }

    /// An effect for the caller to carry out.
    package enum Effect: Sendable {
        /// Send a request, with the caller's body or without.
        case send(HTTPRequest, withBody: Bool)
        /// Close the connection, whose answer is not needed any more.
        case close
        /// Report ``Input/timerFired`` after this time, in the place of any other timer.
        case startTimer(Duration)
        /// The timer is no longer wanted.
        case cancelTimer
        /// Deliver an event to the reader.
        case deliver(ServerSentEvent)
        /// A comment came: a sign of life.
        case comment(String)
        /// It is over.
        case finish(ServerSentEventStream.End)
    }

    /// The state of the stream.
    package private(set) var state = ServerSentEventStream.State.idle
    /// The last event ID that the stream made valid; it goes out with the next request.
    package private(set) var lastEventID: String
    private let original: HTTPRequest
    private let policy: ServerSentEventStream.Policy
    private let limits: ServerSentEventParser.Limits
    /// The time that the stream asks to wait.
    private var retry: Duration
    private var parser: ServerSentEventParser
    /// The request that was sent last: the original, or the one that a redirect led to.
    private var current: HTTPRequest
    private var sendsBody = true
    private var redirects = 0
    /// Connections since an event came.
    private var attempt = 0
    private var wasOpen = false
    /// Whether the timer for the first event runs.
    private var awaitsEvent = false

    /// Creates a stream that was not asked for yet.
    ///
    /// - Parameters:
    ///   - request: What to ask, with the caller's own header fields.
    ///   - lastEventID: The ID of the last event that was seen, from an earlier life; empty where there is none.
    ///   - policy: When it is given up, and how long is waited.
    ///   - limits: How large the stream's parts may become.
    package init(
        _ request: HTTPRequest,
        lastEventID: String = "",
        policy: ServerSentEventStream.Policy = ServerSentEventStream.Policy(),
        limits: ServerSentEventParser.Limits = ServerSentEventParser.Limits()
    ) {
        original = request
        current = request
        self.lastEventID = lastEventID
        self.policy = policy
        self.limits = limits
        retry = policy.retry
        parser = ServerSentEventParser(lastEventID: lastEventID, limits: limits)
    }

    /// Takes an input.
    ///
    /// - Parameters:
    ///   - input: What happened; one that does not fit the state changes nothing.
    ///   - generator: Decides by how much repeated waits differ.
    /// - Returns: What to do, in order.
    package mutating func handle(
        _ input: Input,
        using generator: inout some RandomNumberGenerator
    ) -> [Effect] {
        switch (input, state) {
        case (_, .ended): []
        case (.start, .idle): connect()
        case (.stop, .idle): end(.stopped, [])
        case (.stop, .waiting): end(.stopped, [.cancelTimer])
        case (.stop, .connecting), (.stop, .open): end(.stopped, hangUp())
        case (.timerFired, .waiting): connect()
        case (.timerFired, .connecting) where awaitsEvent, (.timerFired, .open) where awaitsEvent:
            timedOut(using: &generator)
        case (.answered(let head), .connecting): answered(head, using: &generator)
        case (.failed(let error), .connecting): failed(error, using: &generator)
        case (.received(let bytes), .open): received(bytes)
        case (.ended, .open), (.failed, .open): lost(using: &generator)
        default: []
        }
    }

    // MARK: Connecting

    private mutating func connect() -> [Effect] {
        state = .connecting(attempt: attempt)
        current = original
        sendsBody = true
        redirects = 0
        parser = ServerSentEventParser(lastEventID: lastEventID, limits: limits)
        guard let wait = policy.firstEvent else { return [send()] }
        awaitsEvent = true
        return [send(), .startTimer(wait)]
    }

    private func send() -> Effect {
        var request = current
        request.headerFields[.accept] = "text/event-stream"
        request.headerFields[.cacheControl] = "no-store"
        request.headerFields[.lastEventID] = lastEventID.isEmpty ? nil : lastEventID
        return .send(request, withBody: sendsBody)
    }

    private mutating func answered(
        _ head: HTTPResponse,
        using generator: inout some RandomNumberGenerator
    ) -> [Effect] {
        switch ServerSentEventVerdict(head, retrying: policy.retriedStatuses) {
        case .open:
            state = .open
            wasOpen = true
            return []
        case .closed: return end(.closed, hangUp())
        case .redirected: return redirected(by: head)
        case .passing(let asked): return hangUp() + wait(max(asked, retry), using: &generator)
        case .refused(let reason):
            return end(.failed(TransportError(.eventStreamRefused, "\(current.logLine): \(reason)")), hangUp())
        }
    }

    private mutating func redirected(by head: HTTPResponse) -> [Effect] {
        redirects += 1
        guard redirects <= policy.redirects, let next = current.following(head) else {
            let message = "\(current.logLine): the redirects do not lead to an event stream."
            return end(.failed(TransportError(.eventStreamRefused, message)), hangUp())
        }
        if next.method != current.method { sendsBody = false }
        current = next
        return [.close, send()]
    }

    private mutating func failed(
        _ error: TransportError,
        using generator: inout some RandomNumberGenerator
    ) -> [Effect] {
        let isHopeless = [.tlsFailed, .httpMalformed, .httpInvalidRequest, .closed].contains(error.code)
        // Before anything was ever connected, a wrong address is told at once.
        let isFirst = !wasOpen && error.code == .httpNeverConnected && attempt + 1 >= policy.reconnect.firstDialAttempts
        guard !isHopeless, !isFirst else { return end(.failed(error), stopTimer()) }
        return stopTimer() + wait(retry, using: &generator)
    }

    // MARK: Open

    private mutating func received(_ bytes: [UInt8]) -> [Effect] {
        var outputs: [ServerSentEventParser.Output] = []
        var effects: [Effect] = []
        var failure: TransportError?
        do throws(TransportError) { try parser.feed(bytes, into: &outputs) } catch { failure = error }
        for output in outputs {
            switch output {
            case .event(let event):
                attempt = 0
                effects += stopTimer()
                effects.append(.deliver(event))
            case .comment(let text): effects.append(.comment(text))
            case .retry(let wait): retry = wait
            }
        }
        lastEventID = parser.lastEventID
        guard let failure else { return effects }
        return end(.failed(failure), effects + hangUp())
    }

    private mutating func lost(using generator: inout some RandomNumberGenerator) -> [Effect] {
        stopTimer() + wait(retry, using: &generator)
    }

    /// No event came in time.
    private mutating func timedOut(using generator: inout some RandomNumberGenerator) -> [Effect] {
        awaitsEvent = false
        return [.close] + wait(retry, using: &generator)
    }

    // MARK: Ends

    private mutating func wait(_ asked: Duration, using generator: inout some RandomNumberGenerator) -> [Effect] {
        attempt += 1
        let wait = policy.wait(beforeAttempt: attempt, asked: asked, using: &generator)
        state = .waiting(attempt: attempt, wait)
        return [.startTimer(wait)]
    }

    private mutating func hangUp() -> [Effect] { stopTimer() + [.close] }

    private mutating func stopTimer() -> [Effect] {
        defer { awaitsEvent = false }
        return awaitsEvent ? [.cancelTimer] : []
    }

    private mutating func end(_ end: ServerSentEventStream.End, _ effects: [Effect]) -> [Effect] {
        state = .ended(end)
        return effects + [.finish(end)]
    }
}
