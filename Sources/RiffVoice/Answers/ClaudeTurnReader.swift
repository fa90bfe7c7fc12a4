// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// Finds the ends of turns in Claude Code's transcripts (`~/.claude/projects/<folder>/<session>.jsonl`).
///
/// Only what the agent says at the end of a turn is one: no side chain of a helper of its own, no preamble of a tool
/// call, no thinking, nothing without words. A line of the program itself that says why a turn failed is one, and
/// marked. Where a record does not say why the model stopped, it is the end if nothing of the turn follows. Other kinds
/// of lines, of which there are many and more with each version, are none.
package struct ClaudeTurnReader: AgentTurnReading {
    private static let synthetic = ByteName("<synthetic>")
    private static let interruption = "[Request interrupted by user"

    /// What may be the end of a turn.
    private var held: AgentTurn?

    /// A reader at the beginning of a line.
    package init() {}

    package mutating func read(_ line: ArraySlice<UInt8>) -> AgentTurn? {
        // A line that cannot be read is one of those that are skipped.
        guard let record = try? JSONValue(parsing: Array(line)), record["isSidechain"]?.bool != true,
            let message = record["message"]
        else { return nil }
        switch record["type"]?.text {
        case "assistant": return answer(record, message)
        case "user": return prompt(message)
        default: return nil
        }
    }

    package mutating func settle() -> AgentTurn? {
        defer { held = nil }
        return held
    }

    private mutating func answer(_ record: JSONValue, _ message: JSONValue) -> AgentTurn? {
        // The turn went on.
        held = nil
        guard let time = AgentTurn.seconds(of: record["timestamp"]) else { return nil }
        let blocks = message["content"]?.array ?? []
        let texts = blocks.filter { $0["type"]?.text == "text" }.compactMap { $0["text"]?.text }
        let text = (message["content"]?.text.map { [$0] } ?? texts).joined(separator: "\n\n")
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        let id = record["uuid"]?.text
        if record["isApiErrorMessage"]?.bool == true {
            return AgentTurn(time: time, text: text, id: id, isFailure: true)
        }
        // What else the program writes in the model's name is nobody's answer.
        if message["model"]?.text.map({ ByteName($0) }) == Self.synthetic { return nil }
        let turn = AgentTurn(time: time, text: text, id: id)
        switch message["stop_reason"] {
        case .some(let reason) where reason.text == "end_turn": return turn
        case nil, .null?:
            if !blocks.contains(where: { $0["type"]?.text == "tool_use" }) { held = turn }
            return nil
        default: return nil
        }
    }

    /// What a person or a tool says.
    private mutating func prompt(_ message: JSONValue) -> AgentTurn? {
        let content = message["content"]
        let isResult = content?.array?.contains { $0["type"]?.text == "tool_result" } ?? false
        let text = content?.text ?? content?.array?.first { $0["type"]?.text == "text" }?["text"]?.text ?? ""
        let turn = settle()
        return isResult || text.hasPrefix(bytes: Self.interruption) ? nil : turn
    }
}
