// Riff
// SPDX-License-Identifier: Apache-2.0

extension ServerSentEventStream {
    /// The state of an event stream.
    public enum State: Sendable {
        /// The stream was not asked for yet.
        case idle
        /// A request is on its way: the first of all, or the one that follows so many waits.
        case connecting(attempt: Int)
        /// Events come.
        case open
        /// The connection ended, and a new one is made after this wait.
        case waiting(attempt: Int, Duration)
        /// It has ended, and does not come back by itself.
        case ended(ServerSentEventStream.End)
    }
}

extension ServerSentEventStream {
    /// Why an event stream has ended.
    public enum End: Sendable {
        /// The server has nothing more to say (204).
        case closed
        /// The reader has stopped.
        case stopped
        /// The answer is no event stream, or nothing came and another try would not help.
        case failed(TransportError)
    }
}
