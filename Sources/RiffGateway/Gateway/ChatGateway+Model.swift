// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

extension ChatGateway {
    /// Lets a session use another model from now on: `POST /api/model-override`, and where that is unknown the host's
    /// own tool (`POST /tools/invoke`, `session_status`).
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - session: The session.
    /// - Throws: ``GatewayError``: `requestRefused` where the gateway knows no such model, `unsupported` where it
    ///   offers neither; `CancellationError`.
    public func use(model: String, in session: GatewaySession) async throws {
        let key = JSONValue.string(session.key.text)
        var answer: JSONValue?
        do {
            answer = try await done("/api/model-override", ["model": .string(model), "sessionKey": key], in: session)
        } catch let error as GatewayError where error.code == .unsupported {
            let body: JSONValue = [
                "tool": "session_status", "args": ["model": .string(model), "sessionKey": key], "sessionKey": key,
            ]
            answer = try await done("/tools/invoke", body, in: session)
        }
        if let answer, answer["ok"] == false {
            throw GatewayError.refused("does not change the model", GatewayProblem(envelope: answer, isBare: true))
        }
    }

    /// Asks a model for one token, to see whether it answers and whether it is the one that was asked. Hosts that
    /// ignore `max_tokens` run a whole turn for it: ask only after a person has changed the model.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - session: The session.
    /// - Returns: What answered.
    /// - Throws: ``GatewayError``, also where an error comes with status 200 or as an answer
    ///   (``ChatReply/suspectedError``: `chatFailed`); `CancellationError`, with the connection closed: cancel an old
    ///   probe before a new one.
    public func probe(_ model: String, in session: GatewaySession? = nil) async throws -> GatewayModel.Probe {
        var question = ChatRequest(model: model, messages: [.user("hi")])
        question.maxTokens = 1
        var request = try request(.post, "/v1/chat/completions", session: session)
        request.headerFields[.contentType] = "application/json"
        request.headerFields[.accept] = "application/json"
        let answer = try await answer(to: request, .bytes(question.body(streaming: false)), within: timing.work)
        var reader = ChatReplyReader(answer.head, limits: limits)
        reader.request = request
        var deltas: [ChatDelta] = []
        reader.feed(answer.body, into: &deltas)
        let outcome = reader.end(into: &deltas)
        if let error = outcome.error { throw error }
        if outcome.reply.suspectedError {
            throw GatewayError.chatFailed(
                GatewayProblem(message: outcome.reply.content),
                payload: outcome.reply.content
            )
        }
        return GatewayModel.Probe(asked: model, answered: outcome.reply.model)
    }
}
