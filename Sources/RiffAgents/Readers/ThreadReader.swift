// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// Reads what Codex's app-server sends to a client about a thread: notifications, requests and answers.
package struct ThreadReader: Sendable {
    /// The most threads that are told apart; a title is made in a thread of its own for each prompt.
    private static let limit = 256

    private var side: Set<ByteName> = []
    /// The files that the newest calls change: a request to change files does not name them.
    private var changes: [(call: AgentQuestion.Binding, files: String)] = []
    private static let changeLimit = 64

    /// Creates a reader that has seen nothing.
    package init() {}

    /// What a message says; nothing about threads that are no person's.
    package mutating func read(_ message: JSONValue, by facts: AgentFacts) -> [AgentFact] {
        if let thread = message["result"]?["thread"] { return state(of: thread, by: facts) }
        guard let method = message["method"]?.text, let parameters = message["params"] else { return [] }
        if let thread = parameters["thread"] { return state(of: thread, by: facts) }
        guard let id = parameters["threadId"]?.text, !side.contains(ByteName(id)) else { return [] }
        if let tool = facts.requests[ByteName(method)] {
            return [.waiting(question(tool, parameters, id: Self.name(of: message["id"]), by: facts))]
        }
        switch method {
        case "item/started":
            note(parameters)
            return []
        case "thread/status/changed": return status(parameters["status"], by: facts)
        case "serverRequest/resolved": return [.resolved(Self.name(of: parameters["requestId"]) ?? "")]
        case "turn/started": return [.working(isPrompt: true)]
        case "turn/completed": return end(of: parameters["turn"])
        default: return []
        }
    }

    /// Keeps what a call is about to change.
    private mutating func note(_ parameters: JSONValue) {
        guard let item = parameters["item"], item["type"]?.text == "fileChange", let list = item["changes"]?.array,
            let thread = CodexName.read(parameters["threadId"]), let turn = CodexName.read(parameters["turnId"]),
            let call = CodexName.read(item["id"])
        else { return }
        let files = list.prefix(20).compactMap { $0["path"]?.text.map { InertText.quote($0, limitBytes: 200) } }
        let binding = AgentQuestion.Binding(session: thread, turn: turn, call: call)
        changes.removeAll { $0.call == binding }
        changes.append((binding, files.joined(separator: " ")))
        if changes.count > Self.changeLimit { changes.removeFirst() }
    }

    private mutating func state(of thread: JSONValue, by facts: AgentFacts) -> [AgentFact] {
        guard let id = thread["id"]?.text else { return [] }
        let isPersons = thread["ephemeral"]?.bool != true && thread["threadSource"]?.text ?? "user" == "user"
        guard isPersons else {
            if side.count < Self.limit { side.insert(ByteName(id)) }
            return []
        }
        return [.session(id)] + status(thread["status"], by: facts)
    }

    private func status(_ status: JSONValue?, by facts: AgentFacts) -> [AgentFact] {
        guard let type = status?["type"]?.text else { return [] }
        guard let word = facts.threads[ByteName(type)] else {
            return [.unrecognized(InertText.quote(type, limitBytes: 40))]
        }
        switch word {
        case .idle, .done, .shell: return [.idle]
        case .failed: return [.ended(.failed(InertText.quote(type, limitBytes: 40)))]
        case .gone: return [.gone]
        case .waiting: return [.waiting(nil)]
        case .working:
            for flag in status?["activeFlags"]?.array ?? [] {
                guard let name = flag.text, facts.threads[ByteName(name)] == .waiting else {
                    return [.unrecognized(InertText.quote(flag.text ?? flag.kind, limitBytes: 40))]
                }
                return [.waiting(nil)]
            }
            return [.working(isPrompt: false)]
        }
    }

    private func end(of turn: JSONValue?) -> [AgentFact] {
        switch turn?["status"]?.text {
        case "completed": return [.ended(.completed)]
        case "interrupted": return [.ended(.interrupted)]
        case "failed":
            let text = turn?["error"]?["message"]?.text ?? "error"
            return [.ended(.failed(InertText.quote(text)))]
        default: return [.unrecognized(InertText.quote(turn?["status"]?.text ?? "", limitBytes: 40))]
        }
    }

    private func question(
        _ tool: String,
        _ parameters: JSONValue,
        id: String?,
        by facts: AgentFacts
    ) -> AgentQuestion {
        let questions = parameters["questions"]?.array?.first
        let binding = Self.binding(of: parameters)
        let subject =
            parameters["command"]?.text.map(Self.withoutShell) ?? questions?["question"]?.text
            ?? changes.last { $0.call == binding }?.files ?? parameters["reason"]?.text ?? ""
        let options =
            questions?["options"]?.array?.compactMap { $0["label"]?.text }
            ?? parameters["availableDecisions"]?.array?.compactMap(\.text) ?? []
        return AgentQuestion(
            kind: tool == "question" ? .question : .permission,
            tool: tool,
            subject: subject,
            id: id,
            options: options.map { AgentQuestion.Option($0) },
            binding: binding
        )
    }

    /// The one call that a request is about: the numbers of requests begin anew with each server.
    package static func binding(of parameters: JSONValue) -> AgentQuestion.Binding? {
        guard let thread = CodexName.read(parameters["threadId"]), let turn = CodexName.read(parameters["turnId"]),
            let call = CodexName.read(parameters["itemId"])
        else { return nil }
        return AgentQuestion.Binding(session: thread, turn: turn, call: call)
    }

    /// The command that is shown: without the shell that Codex runs it in.
    private static func withoutShell(_ command: String) -> String {
        guard let start = command.dropping(prefix: "/bin/bash -lc ") else { return command }
        guard start.hasPrefix(bytes: "'"), start.hasSuffix(bytes: "'"), start.utf8.count >= 2 else {
            return String(start)
        }
        return String(start.dropFirst().dropLast())
    }

    private static func name(of id: JSONValue?) -> String? { CodexName.request(id) }
}
