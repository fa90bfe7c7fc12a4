// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import RiffTesting
import RiffTransport
import Synchronization

/// An agent that says what a test tells it to, byte for byte, on a channel in memory.
final class ScriptedAgent: Sendable {
    let bytes: InMemoryByteChannel
    private let channel: ACPLineChannel
    private let waiting = Mutex<[ACPFrame]>([])

    init(_ bytes: InMemoryByteChannel) {
        self.bytes = bytes
        channel = ACPLineChannel(bytes)
    }

    /// The next message of the client's; `nil` when it has closed its side.
    func next() async throws -> JSONValue? {
        while waiting.withLock(\.isEmpty) {
            guard let frames = try await channel.receive() else { return nil }
            waiting.withLock { $0 += frames }
        }
        guard case .line(let line) = waiting.withLock({ $0.removeFirst() }) else { return nil }
        return try JSONValue(parsing: line)
    }

    /// The next message, which has this method.
    func expect(_ method: String) async throws -> JSONValue {
        let message = try await next()
        guard let message, message["method"]?.text == method else { throw Unexpected(message: message, wanted: method) }
        return message
    }

    struct Unexpected: Error {
        let message: JSONValue?
        let wanted: String
    }

    /// Writes text as it is.
    func write(_ text: String) async throws { try await bytes.write(Array(text.utf8)) }

    /// Writes a message and its line's end.
    func send(_ message: JSONValue) async throws { try await bytes.write(message.bytes() + [0x0A]) }

    /// Answers a request.
    func answer(_ request: JSONValue, _ result: JSONValue) async throws {
        try await send(["jsonrpc": "2.0", "id": request["id"] ?? .null, "result": result])
    }

    /// Writes an update of the session `s`.
    func update(_ update: JSONValue) async throws {
        try await send(["jsonrpc": "2.0", "method": "session/update", "params": ["sessionId": "s", "update": update]])
    }

    /// Writes a piece of the agent's message.
    func say(_ text: String) async throws {
        try await update(["sessionUpdate": "agent_message_chunk", "content": ["type": "text", "text": .string(text)]])
    }

    /// Makes the handshake.
    func greet(_ capabilities: JSONValue = [:]) async throws {
        let hello = try await expect("initialize")
        try await answer(hello, ["protocolVersion": 1, "agentCapabilities": capabilities])
    }

    /// Runs a client against a scripted agent: both sides at once, and both must come through.
    static func with<Result: Sendable>(
        _ handlers: ACPClient.Handlers = ACPClient.Handlers(),
        _ configuration: ACPClient.Configuration = ACPClient.Configuration(closeGrace: .zero),
        capabilities: JSONValue = [:],
        bufferedBytes: Int = 64 * 1024,
        agent script: @escaping @Sendable (ScriptedAgent) async throws -> Void,
        client body: @Sendable (ACPClient) async throws -> Result
    ) async throws -> Result {
        let (mine, theirs) = InMemoryByteChannel.makePair(bufferedBytes: bufferedBytes)
        let agent = ScriptedAgent(theirs)
        async let scripted: Void = {
            try await agent.greet(capabilities)
            try await script(agent)
        }()
        let result = try await withACPClient(
            .channel(ACPLineChannel(mine), name: "The scripted agent"),
            configuration: configuration,
            handlers: handlers,
            body
        )
        try await scripted
        return result
    }
}

/// What a handler was given, in order.
final class Recorder<Element: Sendable>: Sendable {
    private let kept = Mutex<[Element]>([])
    var all: [Element] { kept.withLock { $0 } }
    func add(_ element: Element) { kept.withLock { $0.append(element) } }
}

extension ACP.SessionUpdate {
    /// The update in a few words.
    var summary: String {
        switch self {
        case .agentMessageChunk(let chunk): "says \(chunk.content.summary)"
        case .agentThoughtChunk(let chunk): "thinks \(chunk.content.summary)"
        case .toolCall(let call): "calls \(call.title) kind \(call.kind?.rawValue ?? "-")"
        case .toolCallUpdate(let update): "updates \(update.toolCallID) status \(update.status.value?.rawValue ?? "-")"
        case .usageUpdate(let usage): "used \(usage.used)"
        case .unknown(let name, _): "unknown \(name)"
        default: "other"
        }
    }
}

extension ACP.ContentBlock {
    var summary: String {
        switch self {
        case .text(let text): text.text.utf8.count > 100 ? "\(text.text.utf8.count) bytes" : text.text
        case .unknown(let name, _): "unknown \(name)"
        default: "other"
        }
    }
}
