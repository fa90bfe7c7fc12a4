// Riff
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
internal import RiffCore

// sample: server: HTTPBaseURL, http: any HTTPTransport
/// The events of an event stream, which comes back by itself where its connection is lost (WHATWG HTML, section 9.2).
///
/// ```swift
/// let events = ServerSentEventStream(server.request(.get, "/events"), over: http)
/// for try await event in events { show(event.type, event.data) }
/// ```
///
/// Nothing is asked for before the first event is waited for, nothing is read ahead of its reader, and no task is left
/// behind: cancelling the reading task closes the connection. Each iteration is a stream of its own. It ends where the
/// server says that there is no more (204), and throws where another try would not help.
public struct ServerSentEventStream: AsyncSequence, Sendable {
    private let request: HTTPRequest
    private let body: [UInt8]?
    private let http: any HTTPTransport
    private let lastEventID: String
    private let policy: ServerSentEventStream.Policy
    private let limits: ServerSentEventParser.Limits
    private let deadlines: HTTPDeadlines
    private let clock: any Clock<Duration>

    /// A stream; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - request: What to ask, with the caller's own header fields.
    ///   - body: What follows the head; it is sent with every connection.
    ///   - http: What sends.
    ///   - lastEventID: The last event that was seen in an earlier life; empty where there is none.
    ///   - policy: When to come back, and when to give up.
    ///   - limits: How large lines and events may become.
    ///   - deadlines: How long connecting and silence may take; a total would end every connection.
    ///   - clock: Measures the waits.
    public init(
        _ request: HTTPRequest,
        body: [UInt8]? = nil,
        over http: any HTTPTransport,
        lastEventID: String = "",
        policy: ServerSentEventStream.Policy = ServerSentEventStream.Policy(),
        limits: ServerSentEventParser.Limits = ServerSentEventParser.Limits(),
        deadlines: HTTPDeadlines = HTTPDeadlines(idle: nil),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.request, self.body, self.http, self.lastEventID) = (request, body, http, lastEventID)
        (self.policy, self.limits, self.deadlines, self.clock) = (policy, limits, deadlines, clock)
    }

    /// Starts an iteration.
    public func makeAsyncIterator() -> Iterator {
        let machine = ServerSentEventMachine(request, lastEventID: lastEventID, policy: policy, limits: limits)
        return Iterator(machine: machine, body: body, http: http, deadlines: deadlines, clock: clock)
    }
}

extension ServerSentEventStream {
    /// One iteration: performs what the rules ask for, whenever an event is waited for.
    public struct Iterator: AsyncIteratorProtocol {
        private var machine: ServerSentEventMachine
        private let body: [UInt8]?
        private let http: any HTTPTransport
        private let deadlines: HTTPDeadlines
        private let clock: any Clock<Duration>
        private let stopwatch: Stopwatch
        private var isStarted = false
        private var events: ArraySlice<ServerSentEvent> = []
        private var pending: (request: HTTPRequest, withBody: Bool)?
        private var connection: ByteStream?
        /// When the timer runs out.
        private var timer: Stopwatch.Instant?
        private var end: ServerSentEventStream.End?

        fileprivate init(
            machine: ServerSentEventMachine,
            body: [UInt8]?,
            http: any HTTPTransport,
            deadlines: HTTPDeadlines,
            clock: any Clock<Duration>
        ) {
            (self.machine, self.body, self.http) = (machine, body, http)
            (self.deadlines, self.clock) = (deadlines, clock)
            stopwatch = Stopwatch(clock)
        }

        /// The ID of the last event, to begin with in another life.
        public var lastEventID: String { machine.lastEventID }

        /// The next event; `nil` where the server has no more, and behind a `CancellationError`.
        ///
        /// - Throws: `TransportError` with `eventStreamRefused`, `eventTooLarge`, or what made connecting hopeless;
        ///   `CancellationError`, with the connection closed; what else a transport throws.
        public mutating func next() async throws -> ServerSentEvent? {
            if !isStarted {
                isStarted = true
                take(.start)
            }
            while true {
                if let event = events.popFirst() { return event }
                switch end {
                case .closed, .stopped: return nil
                case .failed(let error): throw error
                case nil: take(try await input())
                }
            }
        }

        /// Returns the next input of the machine.
        private mutating func input() async throws -> ServerSentEventMachine.Input {
            do {
                if let (request, withBody) = pending {
                    pending = nil
                    let content = withBody ? body.map(HTTPBody.bytes) ?? .none : .none
                    let reply = try await inTime { [http, deadlines] in
                        try await http.send(request, body: content, deadlines: deadlines)
                    }
                    connection = reply.body
                    return .answered(reply.head)
                }
                if let connection {
                    let bytes = try await inTime {
                        var iterator = connection.makeAsyncIterator()
                        return try await iterator.next()
                    }
                    return bytes.map { .received($0) } ?? .ended
                }
                try await inTime { try await EventualValue<Void>().cancellableValue() }
                return .timerFired
            } catch is DeadlineExceeded {
                timer = nil
                return .timerFired
            } catch let error as TransportError { return .failed(error) } catch {
                // Nobody waits any more, or something else is wrong: this iteration has ended.
                take(.stop)
                throw error
            }
        }

        private func inTime<Value: Sendable>(
            _ work: @escaping @Sendable () async throws -> Value
        ) async throws -> Value {
            guard let timer else { return try await work() }
            let left = stopwatch.now.duration(to: timer)
            return try await withDeadline(left < .zero ? .zero : left, clock: clock, work)
        }

        private mutating func take(_ input: ServerSentEventMachine.Input) {
            var generator = SystemRandomNumberGenerator()
            for effect in machine.handle(input, using: &generator) {
                switch effect {
                case .send(let request, let withBody): pending = (request, withBody)
                case .close: connection = nil
                case .startTimer(let wait):
                    // A timer for a wait stands alone; one for the first event beside a connection.
                    if case .waiting = machine.state { connection = nil }
                    timer = stopwatch.now.advanced(by: wait)
                case .cancelTimer: timer = nil
                case .deliver(let event): events.append(event)
                case .comment: break
                case .finish(let reason):
                    end = reason
                    connection = nil
                }
            }
        }
    }
}
