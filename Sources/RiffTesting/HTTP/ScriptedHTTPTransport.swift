// Riff
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
internal import RiffCore
public import RiffTransport
internal import Synchronization

// sample:
/// An ``HTTPTransport`` without a network: it answers with what was queued, and keeps what it was asked.
///
/// ```swift
/// let http = ScriptedHTTPTransport([
///     .json(#"{"status":"ok"}"#), .failure(TransportError(.httpNeverConnected, "refused")),
/// ])
/// // use http ...
/// print(http.requests.map(\.head.path))  // ["/riff/health", "/riff/health"]
/// ```
public final class ScriptedHTTPTransport: HTTPTransport {
    /// The reply to one request.
    public enum Reply: Sendable {
        /// A head and a body in these chunks; with a failure, the body ends in it.
        case response(HTTPResponse, chunks: [[UInt8]], failure: (any Error)? = nil)
        /// No head: `send` throws this.
        case failure(any Error)
        /// No answer until the caller is cancelled.
        case never

        /// A JSON answer.
        public static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Reply {
            let head = HTTPResponse(status: status, headerFields: [.contentType: "application/json"])
            return .response(head, chunks: [Array(text.utf8)])
        }
    }

    /// A request that was made.
    public struct Request: Sendable {
        /// The head of the request.
        public let head: HTTPRequest
        /// The whole body, read before the answer.
        public let body: [UInt8]
        /// The deadlines that the caller set; nothing here keeps them.
        public let deadlines: HTTPDeadlines
    }

    private let state: Mutex<(replies: [Reply], requests: [Request])>

    /// A transport with these answers, in order.
    public init(_ replies: [Reply] = []) { state = Mutex((replies, [])) }

    /// Everything that was asked so far.
    public var requests: [Request] { state.withLock { $0.requests } }

    /// Adds an answer behind the others.
    public func queue(_ reply: Reply) { state.withLock { $0.replies.append(reply) } }

    /// Reads the body, keeps the request and gives the next answer.
    ///
    /// - Throws: The queued failure; `TransportError` with `httpNeverConnected` when nothing is queued and
    ///   `httpInvalidRequest` for a request that no transport may send; `CancellationError`.
    public func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
        try Task.checkCancellation()
        try request.validate()
        let bytes = try await Self.bytes(of: body)
        let reply = state.withLock { state in
            state.requests.append(Request(head: request, body: bytes, deadlines: deadlines))
            return state.replies.isEmpty ? nil : state.replies.removeFirst()
        }
        switch reply {
        case .response(let head, let chunks, let failure):
            let (stream, writer) = ByteStream.makeStream(bufferedBytes: .max)
            for chunk in chunks { try await writer.write(chunk) }
            writer.finish(throwing: failure)
            return HTTPReply(head: head, body: stream)
        case .failure(let error):
            throw error
        case .never:
            try await ContinuousClock().sleep(for: .seconds(86_400))
            throw CancellationError()
        case nil:
            throw TransportError(.httpNeverConnected, "\(request.logLine): no answer is scripted.")
        }
    }

    private static func bytes(of body: HTTPBody) async throws -> [UInt8] {
        switch body {
        case .none: return []
        case .bytes(let bytes): return bytes
        case .stream(let stream, let length):
            var all: [UInt8] = []
            for try await chunk in stream { all += chunk }
            guard length == nil || length == all.count else {
                throw TransportError(.httpInvalidRequest, "The body has another length than was announced.")
            }
            return all
        }
    }
}
