// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension ProgramStatus {
    /// What the report says by an agent's facts; nothing if another program wrote it.
    package func facts(by agent: AgentFacts) -> [AgentFact] {
        if !id.isEmpty {
            let isOver = agent.programStatus[ByteName(state)] == .gone
            return [.child(id: id, kind: isOver ? nil : "task")]
        }
        guard app.isSame(bytes: agent.programStatusApp) || agent.programStatusApp.isEmpty || app.isEmpty else {
            return []
        }
        switch agent.programStatus[ByteName(state)] {
        case .idle: return [.idle]
        case .working: return [.working(isPrompt: false)]
        case .waiting: return [.waiting(question(by: agent))]
        case .done: return [.ended(.completed)]
        case .failed: return [.ended(.failed(InertText.quote(message)))]
        case .gone: return [.gone]
        case .shell, nil: return [.unrecognized(InertText.quote(state, limitBytes: 40))]
        }
    }

    /// The message of a permission names the tool and what it is about: `approve Bash: touch x`.
    private func question(by agent: AgentFacts) -> AgentQuestion? {
        guard !message.isEmpty else { return nil }
        if kind == "question" {
            let text = message.dropping(prefix: "answer: ").map(String.init) ?? message
            return AgentQuestion(kind: .question, tool: "question", subject: text)
        }
        guard let rest = message.dropping(prefix: "approve "), let colon = rest.firstIndex(byte: ":") else {
            return AgentQuestion(kind: .permission, tool: "permission", subject: message)
        }
        let name = String(rest[..<colon])
        let word = agent.tools[ByteName(name)]
        return AgentQuestion(
            kind: word?.kind ?? .permission,
            tool: word?.name ?? name,
            subject: String(rest[rest.index(after: colon)...])
        )
    }
}
