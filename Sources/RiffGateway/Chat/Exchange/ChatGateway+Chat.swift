// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

extension ChatGateway {
    /// Asks for a reply, and gives each piece of it as it comes. It is asked for once, whatever happens: a gateway that
    /// has begun to answer may have run tools.
    ///
    /// - Parameters:
    ///   - request: What to ask.
    ///   - session: Which of the gateway's sessions it belongs to.
    ///   - streaming: Whether the reply comes in pieces; otherwise as a whole.
    ///   - deliver: Takes what is new in the reply, in order; nothing more is read until it returns.
    /// - Returns: How it ended, with all that came. Cancelling the task closes the connection; the outcome is
    ///   `truncated` then, or `failed` where nothing had been answered yet, with `CancellationError` as its error's
    ///   cause.
    @discardableResult
    public func reply(
        to request: ChatRequest,
        in session: GatewaySession? = nil,
        streaming: Bool = true,
        _ deliver: (ChatDelta) async -> Void = { _ in }
    ) async -> ChatOutcome {
        let head: HTTPRequest
        let answer: HTTPReply
        do {
            head = try self.head(session, streaming)
            answer = try await send(head, request, streaming)
        } catch {
            return .failed(ChatReply(), error as? GatewayError ?? .chatTruncated(error))
        }
        let separates = configuration.separatesThinking
        var reader = ChatReplyReader(answer.head, limits: limits, separatesThinking: separates)
        reader.request = head
        var deltas: [ChatDelta] = []
        let stopwatch = Stopwatch(clock)
        let begin = stopwatch.now
        var cause: (any Error)?
        do {
            for try await bytes in answer.body {
                reader.feed(bytes, into: &deltas)
                for delta in deltas { await deliver(delta) }
                deltas.removeAll(keepingCapacity: true)
                if reader.isOver { break }
                // Signs of life that bring nothing: silence is the transport's deadline.
                guard reader.hasBegun || begin.duration(to: stopwatch.now) < timing.firstPiece else {
                    cause = GatewayError(.timedOut, "The gateway began no reply within \(timing.firstPiece).")
                    break
                }
            }
        } catch {
            cause = (error as? TransportError).map { GatewayError($0, server: configuration.server) } ?? error
        }
        let outcome = reader.end(cause, into: &deltas)
        for delta in deltas { await deliver(delta) }
        return outcome
    }

    private func head(_ session: GatewaySession?, _ streaming: Bool) throws(GatewayError) -> HTTPRequest {
        var head = try request(.post, "/v1/chat/completions", session: session)
        head.headerFields[.contentType] = "application/json"
        head.headerFields[.accept] = streaming ? "text/event-stream" : "application/json"
        return head
    }

    private func send(_ head: HTTPRequest, _ request: ChatRequest, _ streaming: Bool) async throws -> HTTPReply {
        let deadlines = HTTPDeadlines(
            connect: timing.question,
            idle: streaming ? timing.silence : timing.reply,
            total: timing.reply
        )
        do {
            return try await http.send(head, body: .bytes(request.body(streaming: streaming)), deadlines: deadlines)
        } catch let error as TransportError {
            throw GatewayError(error, server: configuration.server)
        }
    }
}
