// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// Reads the lines of one of Codex's rollout files, for where a turn is.
package struct RolloutReader: Sendable {
    /// Whose the file is: a person's conversation, a helper of one, or not known before its first line.
    private enum Owner: Hashable { case unknown, person(String), helper(String) }

    private var owner = Owner.unknown

    /// Creates a reader that has seen nothing.
    package init() {}

    /// What the line says.
    package mutating func read(_ line: JSONValue, by facts: AgentFacts) -> [AgentFact] {
        let payload = line["payload"]
        let type = line["type"]?.text ?? ""
        let event = type == "event_msg" ? payload?["type"]?.text ?? "" : type
        guard let word = facts.records[ByteName(event)] else { return [] }
        switch word {
        case .began:
            let id = payload?["id"]?.text ?? ""
            // The first line counts: a file that was forked holds the other one's as well.
            guard owner == .unknown else { return [] }
            let isPersons = payload?["thread_source"]?.text.map { $0 == "user" } ?? (payload?["source"]?.text != nil)
            owner = isPersons ? .person(id) : .helper(id)
            return isPersons ? [.session(id)] : [.child(id: id, kind: "subagent")]
        case .working: return mine([.working(isPrompt: true)])
        case .interrupted: return mine([.ended(.interrupted)])
        case .done:
            if case .helper(let id) = owner { return [.child(id: id, kind: nil)] }
            guard let error = payload?["error"], error != .null else { return mine([.ended(.completed)]) }
            return mine([.ended(.failed(InertText.quote(error["message"]?.text ?? error.text ?? "error")))])
        case .prompt, .answer: return []
        }
    }

    private func mine(_ facts: [AgentFact]) -> [AgentFact] {
        if case .helper = owner { return [] }
        return facts
    }
}
