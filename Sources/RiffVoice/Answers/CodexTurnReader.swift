// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Finds the ends of turns in Codex's records (`~/.codex/sessions/Y/M/D/rollout-<time>-<id>.jsonl`, seen with 0.163.0).
///
/// An end has what was said last, or an error. An interrupted turn has neither. Whose a record is says its first line:
/// ``CodexRecords`` follows none that a helper or a title was made in.
package struct CodexTurnReader: AgentTurnReading {
    /// A reader at the beginning of a line.
    package init() {}

    package mutating func read(_ line: ArraySlice<UInt8>) -> AgentTurn? {
        // A line that cannot be read is one of those that are skipped.
        guard let record = try? JSONValue(parsing: Array(line)), record["type"]?.text == "event_msg",
            let payload = record["payload"], payload["type"]?.text == "task_complete",
            let time = AgentTurn.seconds(of: record["timestamp"])
        else { return nil }
        let id = payload["turn_id"]?.text
        if let error = payload["error"], error != .null {
            let words = error["message"]?.text ?? error.text ?? "error"
            return AgentTurn(time: time, text: words, id: id, isFailure: true)
        }
        guard let text = payload["last_agent_message"]?.text, text.contains(where: { !$0.isWhitespace }) else {
            return nil
        }
        return AgentTurn(time: time, text: text, id: id)
    }

    package mutating func settle() -> AgentTurn? { nil }
}
