// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension ServerSentEventStream {
    /// When an event stream is given up, and how long is waited before it is asked for again.
    public struct Policy: Sendable, Hashable {
        /// The time to wait before a connection is made again, until the stream says otherwise.
        public var retry: Duration
        /// The waits where one attempt after the other brings no event; never shorter than what the stream asks for.
        /// Its first dials count as anywhere else.
        public var reconnect: ReconnectPolicy
        /// The part of a repeated wait that chance may add to it: so that a thousand clients of a server that was down
        /// do not come back at once.
        public var jitter: Double
        /// The most that is waited, whatever the stream asks for.
        public var longestWait: Duration
        /// Statuses after which the stream is asked for again all the same; by the specification there are none.
        public var retriedStatuses: Set<Int>
        /// The time to wait for the first event of a connection. Comments do not count: some gateways send them for as
        /// long as a request waits in a queue. Silence altogether is the transport's idle deadline.
        public var firstEvent: Duration?
        /// The most redirects that are followed for one connection.
        public var redirects: Int

        /// A policy; 3 seconds, then ``ReconnectPolicy/standard`` with up to half as much again, at most an hour; no
        /// status retried, no deadline for the first event, 20 redirects.
        public init(
            retry: Duration = .seconds(3),
            reconnect: ReconnectPolicy = .standard,
            jitter: Double = 0.5,
            longestWait: Duration = .seconds(3600),
            retriedStatuses: Set<Int> = [],
            firstEvent: Duration? = nil,
            redirects: Int = 20
        ) {
            self.retry = retry
            self.reconnect = reconnect
            self.jitter = jitter
            self.longestWait = longestWait
            self.retriedStatuses = retriedStatuses
            self.firstEvent = firstEvent
            self.redirects = redirects
        }

        /// The statuses of a server that is busy or being restarted, for ``retriedStatuses``.
        package static let passingStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]

        /// The wait before an attempt.
        ///
        /// - Parameters:
        ///   - attempt: 1 for the first since an event came.
        ///   - asked: What the stream or the answer asks for.
        ///   - generator: Decides how much longer a repeated wait becomes.
        /// - Returns: The wait; the first is what is asked for, since a server that ends its streams in turn is well.
        func wait(
            beforeAttempt attempt: Int,
            asked: Duration,
            using generator: inout some RandomNumberGenerator
        ) -> Duration {
            let asked = Swift.min(asked, longestWait)
            guard attempt > 1 else { return asked }
            let wait = Swift.max(asked, reconnect.delay(beforeAttempt: attempt))
            return Swift.min(wait + wait * (jitter * Double.random(in: 0..<1, using: &generator)), longestWait)
        }
    }
}
