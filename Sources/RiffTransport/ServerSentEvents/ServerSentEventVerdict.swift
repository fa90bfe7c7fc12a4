// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes

/// The meaning of an answer's head to a client that asked for an event stream (WHATWG HTML, section 9.2.3).
enum ServerSentEventVerdict: Equatable {
    /// Its body is the stream.
    case open
    /// There is nothing more to say (204).
    case closed
    /// It is elsewhere.
    case redirected
    /// Not now: ask again, after this time where the server says one.
    case passing(Duration)
    /// It is none, for this reason.
    case refused(String)

    /// Judges an answer.
    ///
    /// - Parameters:
    ///   - head: Its status and header fields.
    ///   - statuses: Statuses after which to ask again.
    init(_ head: HTTPResponse, retrying statuses: Set<Int>) {
        let status = head.status.code
        switch status {
        case 200 where head.mediaType == "text/event-stream": self = .open
        case 200: self = .refused("the answer is not an event stream, but of another type.")
        case 204: self = .closed
        case 301, 302, 303, 307, 308: self = .redirected
        case _ where statuses.contains(status): self = .passing(head.retryAfter ?? .zero)
        default: self = .refused("the answer is not an event stream, but status \(status).")
        }
    }
}

extension TransportErrorCode {
    /// The answer is not an event stream; asking again would not help.
    public static let eventStreamRefused = TransportError.Code(rawValue: "eventStreamRefused")
}
