// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// A call to Codex's app-server, in the words of its schema of version 0.163.0.
package enum CodexCall: Sendable, Hashable {
    case initialize
    case loadedThreads(cursor: String?)
    case readThread(String)
    /// Joins a thread: from then on its notifications and open requests come.
    case resume(String)
    /// The newest turns, with all their items or with none.
    case turns(String, limit: Int, isFull: Bool)
    /// A prompt: a new turn, or more for the one that runs.
    case startTurn(String, text: String, id: String)
    /// More for a turn that has to run still.
    case steer(String, turn: String, text: String, id: String)
    case interrupt(String, turn: String)

    /// What is not told: text as it grows, which is told once it is whole, and counters.
    private static let unwanted: [JSONValue] = [
        "item/agentMessage/delta", "item/reasoning/textDelta", "item/reasoning/summaryTextDelta",
        "item/commandExecution/outputDelta", "item/fileChange/outputDelta", "thread/tokenUsage/updated",
    ]

    /// The call as the server reads it.
    package func bytes(id: Int64) -> [UInt8] {
        JSONValue.object(["id": .integer(id), "method": .string(method), "params": parameters]).bytes()
    }

    /// The answer to a request of the server's.
    package static func answer(to id: JSONValue, _ result: JSONValue) -> [UInt8] {
        JSONValue.object(["id": id, "result": result]).bytes()
    }

    /// Says that the answer to ``initialize`` was read.
    package static let initialized = JSONValue.object(["method": "initialized"]).bytes()

    var method: String {
        switch self {
        case .initialize: "initialize"
        case .loadedThreads: "thread/loaded/list"
        case .readThread: "thread/read"
        case .resume: "thread/resume"
        case .turns: "thread/turns/list"
        case .startTurn: "turn/start"
        case .steer: "turn/steer"
        case .interrupt: "turn/interrupt"
        }
    }

    private var parameters: JSONValue {
        switch self {
        case .initialize:
            [
                "clientInfo": ["name": "riff", "title": "Riff", "version": "1"],
                // Questions of the model are experimental.
                "capabilities": ["experimentalApi": true, "optOutNotificationMethods": .array(Self.unwanted)],
            ]
        case .loadedThreads(let cursor): ["limit": 100, "cursor": cursor.map { .string($0) } ?? .null]
        case .readThread(let thread): ["threadId": .string(thread), "includeTurns": false]
        case .resume(let thread): ["threadId": .string(thread), "excludeTurns": true]
        case .turns(let thread, let limit, let isFull):
            [
                "threadId": .string(thread), "limit": .integer(Int64(limit)), "sortDirection": "desc",
                "itemsView": isFull ? "full" : "notLoaded",
            ]
        case .startTurn(let thread, let text, let id):
            ["threadId": .string(thread), "input": Self.input(text), "clientUserMessageId": .string(id)]
        case .steer(let thread, let turn, let text, let id):
            [
                "threadId": .string(thread), "expectedTurnId": .string(turn), "input": Self.input(text),
                "clientUserMessageId": .string(id),
            ]
        case .interrupt(let thread, let turn): ["threadId": .string(thread), "turnId": .string(turn)]
        }
    }

    private static func input(_ text: String) -> JSONValue { [["type": "text", "text": .string(text)]] }
}
