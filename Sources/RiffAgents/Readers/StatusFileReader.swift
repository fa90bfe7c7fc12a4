// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// Reads the file in which Claude Code keeps its state: `~/.claude/sessions/<pid>.json`.
package struct StatusFileReader {
    let facts: AgentFacts

    /// Creates a reader by an agent's facts.
    package init(facts: AgentFacts) { self.facts = facts }

    /// What the file says; no state before the agent wrote one into it.
    package func read(_ file: JSONValue) -> [AgentFact] {
        let session = file["sessionId"]?.text.map { [AgentFact.session($0)] } ?? []
        guard let status = file["status"] else { return session }
        guard let word = status.text, let meaning = facts.status[ByteName(word)] else {
            return session + [.unrecognized(InertText.quote(status.text ?? status.kind, limitBytes: 40))]
        }
        return session + self.facts(meaning, file)
    }

    private func facts(_ meaning: AgentFacts.StatusWord, _ file: JSONValue) -> [AgentFact] {
        switch meaning {
        case .idle, .done: return [.background([]), .idle]
        case .working: return [.working(isPrompt: false)]
        case .shell: return [.background(["shell"]), .idle]
        case .failed: return [.ended(.failed("error"))]
        case .gone: return [.gone]
        case .waiting:
            switch file["waitingFor"]?.text.flatMap({ facts.waitingFor[ByteName($0)] }) {
            case .question: return [.waiting(nil)]
            case .dialog: return [.dialog]
            // It waits, and the word for what is new.
            case nil: return [.waiting(nil)]
            }
        }
    }
}
