// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample: gateway: ChatGateway
/// What is asked of a chat model: the body of `POST /v1/chat/completions`.
///
/// ```swift
/// var request = ChatRequest(model: "gpt-4o-mini", messages: [.system("Be brief."), .user("What is a PTY?")])
/// request.temperature = 0.2
/// let outcome = try await gateway.reply(to: request) { delta in show(delta) }
/// ```
///
/// What is `nil` or empty is not sent, and is up to the gateway.
public struct ChatRequest: Sendable, Hashable {
    /// The name of the model.
    public var model: String
    /// The conversation, oldest first.
    public var messages: [ChatMessage]
    /// The influence of chance on the answer, from 0 to 2.
    public var temperature: Double?
    /// Of which part of the probable words one is chosen, from 0 to 1.
    public var topP: Double?
    /// The most tokens of the reply, thoughts included (`max_completion_tokens`).
    public var maxCompletionTokens: Int?
    /// The same under its older name (`max_tokens`), which is all that many gateways know.
    public var maxTokens: Int?
    /// Texts at which the reply ends.
    public var stop: [String] = []
    /// The number of answers to write.
    public var choices: Int?
    /// The seed of chance, for replies that repeat.
    public var seed: Int?
    /// The effort of thinking: `low`, `medium` or `high`, or another word that the model knows.
    public var reasoningEffort: String?
    /// The tools that the model may call.
    public var tools: [ChatTool] = []
    /// Whether and which tools it has to call.
    public var toolChoice: ChatRequest.ToolChoice?
    /// Whether it may call several tools at a time.
    public var parallelToolCalls: Bool?
    /// The form of the answer.
    public var responseFormat: ChatRequest.ResponseFormat?
    /// The name of the user, for the gateway's own count.
    public var user: String?
    /// Further members, as they are; one that is written already is not written again.
    public var rest = JSONObject()

    /// Creates a request.
    public init(model: String, messages: [ChatMessage]) {
        self.model = model
        self.messages = messages
    }

    /// The request as JSON.
    ///
    /// - Parameters:
    ///   - streaming: Whether the reply comes as an event stream.
    ///   - includesUsage: Whether a stream ends with what it cost; gateways that do not know this ignore it, and very
    ///     few refuse it.
    /// - Returns: The object.
    package func json(streaming: Bool, includesUsage: Bool = true) -> JSONValue {
        var object = JSONObject()
        object.write("model", model)
        object.append("messages", .array(messages.map(\.json)))
        object.write("temperature", temperature)
        object.write("top_p", topP)
        object.write("max_completion_tokens", maxCompletionTokens)
        object.write("max_tokens", maxTokens)
        object.write("stop", stop, default: [])
        object.write("n", choices)
        object.write("seed", seed)
        object.write("reasoning_effort", reasoningEffort)
        if !tools.isEmpty { object.append("tools", .array(tools.map(\.json))) }
        if let toolChoice { object.append("tool_choice", toolChoice.json) }
        object.write("parallel_tool_calls", parallelToolCalls)
        if let responseFormat { object.append("response_format", responseFormat.json) }
        object.write("user", user)
        object.write("stream", streaming)
        if streaming, includesUsage { object.append("stream_options", ["include_usage": true]) }
        object.write(rest: rest)
        return .object(object)
    }

    /// The request as the bytes of a body, to send with `Content-Type: application/json`.
    ///
    /// - Parameters:
    ///   - streaming: Whether the reply comes as an event stream.
    ///   - includesUsage: Whether a stream ends with what it cost.
    /// - Returns: UTF-8, in one line.
    package func body(streaming: Bool, includesUsage: Bool = true) -> [UInt8] {
        json(streaming: streaming, includesUsage: includesUsage).bytes()
    }
}
