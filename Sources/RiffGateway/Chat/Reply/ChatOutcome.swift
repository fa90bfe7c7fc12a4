// Riff
// SPDX-License-Identifier: Apache-2.0

/// The way that a reply ended. The reply as far as it came is in every case.
public enum ChatOutcome: Sendable {
    /// The gateway said that it is the end.
    case complete(ChatReply)
    /// It stopped before: the connection ended or was lost, or nothing came any more. The error has the code
    /// `chatTruncated`, and what happened as its cause; ``ChatContinuation`` asks for the rest.
    case truncated(ChatReply, GatewayError)
    /// The gateway failed or refused, or cannot be understood.
    case failed(ChatReply, GatewayError)

    /// The reply as far as it came.
    public var reply: ChatReply {
        switch self {
        case .complete(let reply), .truncated(let reply, _), .failed(let reply, _): reply
        }
    }

    /// Why it is not complete; `nil` where it is.
    public var error: GatewayError? {
        switch self {
        case .complete: nil
        case .truncated(_, let error), .failed(_, let error): error
        }
    }
}
