// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffAgents
import RiffCore
import RiffTesting
import RiffTransport
import Synchronization

/// A server of Codex's with one conversation and one question, which outlives its connections; each of them can be cut
/// at a message.
final class ScriptedCodex: Sendable {
    struct State {
        var isOpen = true
        /// The decisions that counted: one, if nothing goes wrong.
        var decisions: [String] = []
        /// All answers that arrived.
        var answers = 0
        var connections = 0
        /// What arrived before the handshake was answered, beyond the handshake.
        var early = 0
        var prompts: [String] = []
    }

    /// When a connection is cut: before or after its message of this number took effect.
    struct Cut: Sendable {
        let message: Int
        let isBefore: Bool
    }

    let state = Mutex(State())
    private let cuts: [Cut]
    private let tasks = OwnedTasks()

    init(cuts: [Cut] = []) { self.cuts = cuts }

    func open() -> any ByteChannel {
        let (ours, theirs) = InMemoryByteChannel.makePair()
        let number = state.withLock { state in
            state.connections += 1
            return state.connections - 1
        }
        tasks.run {
            // What breaks here is seen at the client's end.
            try? await self.serve(ours, number)
        }
        return theirs
    }

    func end() async { await tasks.end() }

    private func serve(_ channel: InMemoryByteChannel, _ number: Int) async throws {
        var chunks = channel.output.makeAsyncIterator()
        var reader = HTTPHeadReader()
        var receiver = try WebSocketReceiver(role: .server, limits: WebSocketRequest.Limits())
        while let bytes = try await chunks.next() {
            guard let found = try reader.receive(bytes) else { continue }
            state.withLock { $0.early += found.rest.count }
            let answer = WebSocketServerHandshake(found.head, subprotocol: nil, compression: nil)
            guard let response = answer?.response else { return }
            var lines = ["HTTP/1.1 101 Switching Protocols"]
            for field in response.headerFields { lines.append("\(field.name.rawName): \(field.value)") }
            try await channel.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
            break
        }
        var message = 0
        while let bytes = try await chunks.next() {
            var events: [WebSocketEvent] = []
            try bytes.withUnsafeBytes { try receiver.receive($0, into: &events) }
            for case .message(.text(let text)) in events {
                let cut = number < cuts.count && cuts[number].message == message ? cuts[number] : nil
                if cut?.isBefore != true { try await take(try JSONValue(parsing: text), channel) }
                if cut != nil {
                    channel.cut()
                    return
                }
                message += 1
            }
        }
    }

    private func take(_ json: JSONValue, _ channel: InMemoryByteChannel) async throws {
        guard let method = json["method"]?.text else { return try await decide(json, channel) }
        let isOpen = state.withLock(\.isOpen)
        let flags: JSONValue = isOpen ? ["waitingOnApproval"] : []
        let thread = CodexTalk.thread("t1", status: ["type": isOpen ? "active" : "idle", "activeFlags": flags])
        let result: JSONValue
        switch method {
        case "thread/loaded/list": result = ["data": ["t1"]]
        case "thread/read", "thread/resume": result = ["thread": thread]
        case "thread/turns/list":
            let item: JSONValue = ["id": "call_1", "status": isOpen ? "inProgress" : "completed"]
            result = ["data": [["id": "u1", "status": isOpen ? "inProgress" : "completed", "items": [item]]]]
        case "turn/start":
            state.withLock { $0.prompts.append(json["params"]?["clientUserMessageId"]?.text ?? "") }
            result = ["turn": ["id": "u2"]]
        default: result = [:]
        }
        guard let id = json["id"] else { return }
        try await send(["id": id, "result": result], channel)
        if method == "thread/resume", isOpen { try await send(CodexTalk.request(0), channel) }
    }

    private func decide(_ json: JSONValue, _ channel: InMemoryByteChannel) async throws {
        let isFirst = state.withLock { state in
            state.answers += 1
            guard state.isOpen else { return false }
            state.isOpen = false
            state.decisions.append(json["result"]?["decision"]?.text ?? "?")
            return true
        }
        guard isFirst else { return }
        try await send(CodexTalk.resolved(0), channel)
        try await send(CodexTalk.completed("completed"), channel)
    }

    func send(_ json: JSONValue, _ channel: InMemoryByteChannel) async throws {
        try await channel.write(WebSocketFrameEncoder.frame(.text, json.bytes()))
    }
}
