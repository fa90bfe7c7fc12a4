// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// Reads what an agent gave to a hook: one JSON object on its standard input. Claude Code and Codex have the same form.
package struct HookReader {
    let facts: AgentFacts

    /// Creates a reader by an agent's facts.
    package init(facts: AgentFacts) { self.facts = facts }

    /// What the payload says; nothing if the facts do not know the hook, or it is a helper's of the agent.
    package func read(_ payload: JSONValue) -> [AgentFact] {
        guard let event = payload["hook_event_name"]?.text, let word = facts.hooks[ByteName(event)] else { return [] }
        let helper = payload["agent_id"]?.text
        switch word {
        case .childBegan:
            return [.child(id: helper ?? "", kind: "subagent")]
        case .childEnded:
            return [.child(id: helper ?? "", kind: nil)]
        default:
            // A helper's own hooks say nothing about the turn of the agent itself.
            guard helper == nil else { return [] }
        }
        let session = payload["session_id"]?.text.map { [AgentFact.session($0)] } ?? []
        return session + own(word, payload)
    }

    private func own(_ word: AgentFacts.HookWord, _ payload: JSONValue) -> [AgentFact] {
        switch word {
        case .prompt: [.working(isPrompt: true)]
        case .working: [.working(isPrompt: false)]
        case .call: [.call(question(payload))]
        case .result: [.result(question(payload))]
        case .question: [.waiting(question(payload))]
        case .done: [.ended(.completed)] + background(payload)
        case .failed: [.ended(.failed(InertText.quote(payload["error"]?.text ?? "error")))]
        case .interrupted: [.ended(.interrupted)]
        case .ended: [.gone]
        case .began, .notice, .childBegan, .childEnded: []
        }
    }

    private func question(_ payload: JSONValue) -> AgentQuestion {
        facts.question(
            tool: payload["tool_name"]?.text ?? "",
            input: payload["tool_input"],
            id: payload["tool_use_id"]?.text
        )
    }

    /// Claude Code lists all that still runs when a turn ends.
    private func background(_ payload: JSONValue) -> [AgentFact] {
        guard let tasks = payload["background_tasks"]?.array else { return [] }
        let running = tasks.filter { ($0["status"]?.text ?? "running") == "running" }
        return [.background(running.map { InertText.quote($0["type"]?.text ?? "task", limitBytes: 40) })]
    }
}
