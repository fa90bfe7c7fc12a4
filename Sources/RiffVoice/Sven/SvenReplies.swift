// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

// sample: sven: SvenClient, inbox: SvenReplies.Inbox
/// The messages of a Sven server as they come: it is asked again and again, from the last answer on.
///
/// ```swift
/// for try await message in SvenReplies(sven, from: inbox) where message.role == .assistant { show(message.content) }
/// ```
///
/// Nothing is lost after an error: an iterator that threw may be asked again, and asks the server no sooner than after
/// a pause that grows with each failure, so that a loop around it never becomes a tight one. Each iterator is on its
/// own, for one reader. What is kept is one answer and the ids of one second.
public struct SvenReplies: AsyncSequence, Sendable {
    /// One message.
    public typealias Element = SvenMessage

    private let client: SvenClient
    private let inbox: SvenReplies.Inbox
    private let interval: Duration
    private let clock: any Clock<Duration>

    /// Replies from a server; it is first asked when they are iterated.
    ///
    /// - Parameters:
    ///   - client: The server.
    ///   - inbox: Where an earlier reader ended (``Iterator/inbox``); everything the server has without one.
    ///   - interval: The pause between two questions, at least a tenth of a second; 2 s unless said otherwise.
    ///   - clock: Measures the pauses.
    public init(
        _ client: SvenClient,
        from inbox: SvenReplies.Inbox = SvenReplies.Inbox(),
        interval: Duration = .seconds(2),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.client, self.inbox, self.clock) = (client, inbox, clock)
        self.interval = Swift.max(interval, .milliseconds(100))
    }

    /// Asks the server when what it said is used up.
    public struct Iterator: AsyncIteratorProtocol {
        /// Failures double the pause up to this.
        private static let longestPause = Duration.seconds(60)

        /// The position up to which messages were read, for a later reader. It is ahead of what ``next()`` gave by the
        /// rest of one answer.
        public private(set) var inbox: SvenReplies.Inbox
        private let client: SvenClient
        private let interval: Duration
        private let clock: any Clock<Duration>
        private var waiting: ArraySlice<SvenMessage> = []
        private var pause = Duration.zero

        fileprivate init(_ replies: SvenReplies) {
            (inbox, client, interval, clock) = (replies.inbox, replies.client, replies.interval, replies.clock)
        }

        /// The next message that is new; it never ends by itself.
        ///
        /// - Throws: ``VoiceError``, as ``SvenClient/messages(since:)`` does; `CancellationError`.
        public mutating func next() async throws -> SvenMessage? {
            while true {
                if let message = waiting.popFirst() { return message }
                if pause > .zero { try await clock.sleep(for: pause) }
                try Task.checkCancellation()
                // Set before asking: a question that fails, or is cancelled, is followed by a longer pause.
                pause = Swift.min(Swift.max(pause * 2, interval), Swift.max(Self.longestPause, interval))
                waiting = inbox.take(try await client.messages(since: inbox.since))[...]
                pause = interval
            }
        }
    }

    /// A reader of its own.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}
