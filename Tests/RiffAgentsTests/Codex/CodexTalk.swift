// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore

/// A machine with what it was told to do, and messages of a server as Codex 0.163.0 writes them.
struct CodexTalk {
    var machine: CodexMachine
    /// What it sent, as JSON.
    var sent: [JSONValue] = []
    /// How calls of the front end ended.
    var ends: [UInt64: CodexMachine.Outcome] = [:]
    var timers: [CodexMachine.Timer] = []
    var told: [JSONValue] = []
    var losses = 0

    init(_ choice: CodexThread.Choice = .folder("/proj")) { machine = CodexMachine(choice) }

    mutating func perform(_ effects: [CodexMachine.Effect]) throws {
        for effect in effects {
            switch effect {
            case .send(let bytes): sent.append(try JSONValue(parsing: bytes))
            case .tell(let json): told.append(json)
            case .tellLost: losses += 1
            case .wake(let timer, _, _): timers.append(timer)
            case .end(let ticket, let outcome): ends[ticket] = outcome
            }
        }
    }

    mutating func handle(_ event: CodexMachine.Event) throws { try perform(machine.handle(event)) }

    mutating func hear(_ json: JSONValue) throws { try handle(.message(json)) }

    mutating func wake(_ timer: CodexMachine.Timer) throws {
        try handle(.wake(timer, connection: machine.connection))
    }

    /// Answers the newest call of a method.
    mutating func answer(_ method: String, _ result: JSONValue) throws {
        guard let call = sent.last(where: { $0["method"]?.text == method }), let id = call["id"] else {
            throw CoreError(.unexpectedJSON, "\(method) was not called")
        }
        try hear(["id": id, "result": result])
    }

    mutating func refuse(_ method: String) throws {
        let id = sent.last { $0["method"]?.text == method }?["id"] ?? .null
        try hear(["id": id, "error": ["code": -32600, "message": "no rollout found for thread id"]])
    }

    /// A connection that is joined, with the requests that its server delivers.
    mutating func join(requests: [JSONValue] = [], turn: String? = nil) throws {
        try handle(.opened)
        try answer("initialize", ["userAgent": "codex"])
        try answer("thread/loaded/list", ["data": ["t1"], "nextCursor": .null])
        try answer("thread/read", ["thread": Self.thread("t1")])
        let flags: JSONValue = requests.isEmpty ? [] : ["waitingOnApproval"]
        try answer("thread/resume", ["thread": Self.thread("t1", status: ["type": "active", "activeFlags": flags])])
        for request in requests { try hear(request) }
        let turns: JSONValue = turn.map { [["id": .string($0), "status": "inProgress", "items": []]] } ?? []
        try answer("thread/turns/list", ["data": turns])
    }

    /// The answers to requests that were sent.
    var answers: [JSONValue] { sent.filter { $0["method"] == nil } }

    static func thread(
        _ id: String,
        folder: String = "/proj",
        source: String = "user",
        status: JSONValue = ["type": "idle"]
    ) -> JSONValue {
        [
            "id": .string(id), "cwd": .string(folder), "ephemeral": .bool(source != "user"),
            "threadSource": .string(source), "preview": "hello", "status": status,
        ]
    }

    static func request(_ id: JSONValue, turn: String = "u1", call: String = "call_1", thread: String = "t1")
        -> JSONValue
    {
        [
            "method": "item/commandExecution/requestApproval", "id": id,
            "params": [
                "threadId": .string(thread), "turnId": .string(turn), "itemId": .string(call),
                "command": "/bin/bash -lc 'touch one.txt'", "availableDecisions": ["accept", "cancel"],
            ],
        ]
    }

    static func resolved(_ id: JSONValue) -> JSONValue {
        ["method": "serverRequest/resolved", "params": ["threadId": "t1", "requestId": id]]
    }

    static func completed(_ status: String, turn: String = "u1", call: String = "call_1") -> JSONValue {
        [
            "method": "item/completed",
            "params": [
                "threadId": "t1", "turnId": .string(turn),
                "item": ["id": .string(call), "type": "commandExecution", "status": .string(status)],
            ],
        ]
    }
}
