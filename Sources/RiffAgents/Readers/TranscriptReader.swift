// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// Reads a line of Claude Code's transcript, for where a turn is.
package struct TranscriptReader {
    /// How an interrupted turn ends there, in a record of the user.
    private static let interruption = "[Request interrupted by user"
    private static let ends = ["end_turn", "stop_sequence", "max_tokens", "refusal"].map { ByteName($0) }

    let facts: AgentFacts

    /// Creates a reader by an agent's facts.
    package init(facts: AgentFacts) { self.facts = facts }

    /// What the line says; nothing for one of another kind, and for a helper's.
    package func read(_ line: JSONValue) -> [AgentFact] {
        guard let type = line["type"]?.text, let word = facts.records[ByteName(type)],
            line["isSidechain"]?.bool != true
        else { return [] }
        switch word {
        case .prompt: return prompt(line)
        case .answer: return answer(line)
        case .began, .working, .done, .interrupted: return []
        }
    }

    private func prompt(_ line: JSONValue) -> [AgentFact] {
        let content = line["message"]?["content"]
        let text = content?.text ?? content?.array?.first { $0["type"]?.text == "text" }?["text"]?.text
        if let text, text.hasPrefix(bytes: Self.interruption) { return [.ended(.interrupted)] }
        // Commands of the composer, and notes that the model sees later: no turn begins by them.
        if line["isMeta"]?.bool == true { return [] }
        if let text, ["<command-name>", "<local-command"].contains(where: { text.hasPrefix(bytes: $0) }) { return [] }
        let isResult = content?.array?.contains { $0["type"]?.text == "tool_result" } ?? false
        return [.working(isPrompt: !isResult)]
    }

    private func answer(_ line: JSONValue) -> [AgentFact] {
        let message = line["message"]
        if line["isApiErrorMessage"]?.bool == true {
            let text = message?["content"]?.array?.first?["text"]?.text ?? "error"
            return [.ended(.failed(InertText.quote(text)))]
        }
        if let reason = message?["stop_reason"]?.text, Self.ends.contains(ByteName(reason)) {
            return [.ended(.completed)]
        }
        let calls = message?["content"]?.array?.filter { $0["type"]?.text == "tool_use" } ?? []
        guard let call = calls.last, let tool = call["name"]?.text else { return [.working(isPrompt: false)] }
        return [.call(facts.question(tool: tool, input: call["input"], id: call["id"]?.text))]
    }
}
