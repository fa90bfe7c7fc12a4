// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// A request to a front end from outside of it: by a button of the phone, a spoken phrase, a link, a shortcut.
public enum RequestedAction: String, Sendable, Hashable, CaseIterable {
    /// Start to dictate, or send what was said.
    case toggle
    /// Begin a hands-free conversation.
    case call
    /// End it.
    case hangUp = "hang-up"

    /// Creates the action that a link asks for, such as `riff://toggle`; `nil` if it asks for none.
    ///
    /// - Parameters:
    ///   - url: The link as the system hands it over; one with anything more than the action is not one.
    ///   - scheme: The front end's own scheme; case does not count (RFC 3986 section 3.1).
    public init?(url: String, scheme: String = "riff") {
        guard let colon = url.firstIndex(byte: ":"), url[..<colon].lowercased() == scheme.lowercased() else {
            return nil
        }
        guard var name = url[colon...].dropping(prefix: "://") else { return nil }
        if name.hasSuffix(bytes: "/"), let slash = name.lastIndex(byte: "/") { name = name[..<slash] }
        // A host's name has no case either.
        self.init(rawValue: name.lowercased())
    }
}

// sample: perform: (RequestedAction) -> Void
/// A place that keeps what a user asked for until it can be done: a front end that is started by the request is not
/// there yet when the request comes. One place for all ways to ask.
///
/// ```swift
/// let actions = ActionLatch<RequestedAction>()          // made with the process
/// actions.request(.toggle)                               // by a button, a link or a phrase, at any time
/// for await action in actions.requests() { perform(action) }
/// ```
///
/// Each request is delivered once, to whoever follows at the time or is the next to follow. Of several that come before
/// anybody follows, the newest is kept, and not for long: nobody wants a microphone to open a minute after they asked.
public final class ActionLatch<Action: Sendable>: Sendable {
    private struct State {
        var pending: (action: Action, time: Stopwatch.Instant)?
        var follower: (number: Int, stream: AsyncStream<Action>.Continuation)?
        var lastNumber = 0
    }

    private let state = Mutex(State())
    private let stopwatch: Stopwatch
    private let patience: Duration

    /// Creates a latch without a request.
    ///
    /// - Parameters:
    ///   - patience: How long a request waits for a follower.
    ///   - clock: Measures that.
    public init(patience: Duration = .seconds(30), clock: any Clock<Duration> = ContinuousClock()) {
        self.patience = patience
        stopwatch = Stopwatch(clock)
    }

    /// Requests an action.
    public func request(_ action: Action) {
        let follower = state.withLock { state in
            if state.follower == nil { state.pending = (action, stopwatch.now) }
            return state.follower?.stream
        }
        follower?.yield(action)
    }

    /// Returns the requests from now on, after the one that waited. The last caller gets them: the sequence of the
    /// caller before ends.
    ///
    /// - Returns: The requests, each delivered once.
    public func requests() -> AsyncStream<Action> {
        let (stream, continuation) = AsyncStream<Action>.makeStream(bufferingPolicy: .bufferingNewest(8))
        let (number, before, waiting) = state.withLock { state in
            defer { state.pending = nil }
            let before = state.follower?.stream
            state.lastNumber += 1
            state.follower = (state.lastNumber, continuation)
            let waiting = state.pending.flatMap { $0.time.duration(to: stopwatch.now) <= patience ? $0.action : nil }
            return (state.lastNumber, before, waiting)
        }
        before?.finish()
        if let waiting { continuation.yield(waiting) }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in
                if state.follower?.number == number { state.follower = nil }
            }
        }
        return stream
    }
}
