// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The prompts that an agent's records say it took. Lines in, in their order; a value.
///
/// Claude Code: a `user` record that a person made, an `enqueue` of its own queue (after which it delivers the prompt
/// itself), or a queued command that it gave to the running turn. Codex: a `UserMessage` that is complete.
package struct RecordedPrompts: Sendable {
    /// A prompt that was taken.
    package struct Receipt: Sendable, Hashable {
        /// The client's id of it; `nil` if the agent keeps none.
        package let id: String?
        /// The agent's id of the turn or the prompt; empty if it tells none.
        package let turn: String
        /// The words.
        package let text: PromptText
    }

    private let agent: AgentKind

    /// Creates a reader of an agent's records.
    package init(agent: AgentKind) { self.agent = agent }

    /// Whether receipts of this kind of agent are known.
    package var isKnown: Bool { [.claude, .codex].contains(agent) }

    /// The receipt in a line of the record; `nil` if it is none, or broken.
    package func read(_ line: [UInt8]) -> Receipt? {
        guard let json = try? JSONValue(parsing: line) else { return nil }
        return agent == .codex ? codex(json) : agent == .claude ? claude(json) : nil
    }

    /// The first line that has a prompt.
    ///
    /// - Parameters:
    ///   - text: The prompt's words.
    ///   - id: Its id.
    ///   - lines: The lines after the mark.
    /// - Returns: The turn; `nil` if none has it.
    package func find(_ text: String, id: String, in lines: some Sequence<[UInt8]>) -> String? {
        let wanted = PromptText(text)
        for line in lines {
            guard let receipt = read(line) else { continue }
            if receipt.id?.isSame(bytes: id) == true || receipt.text == wanted { return receipt.turn }
        }
        return nil
    }

    private func claude(_ json: JSONValue) -> Receipt? {
        // A helper of the agent has prompts of its own.
        guard json["isSidechain"]?.bool != true, json["isMeta"]?.bool != true else { return nil }
        switch json["type"]?.text {
        case "user":
            guard json["origin"]?["kind"]?.text ?? "human" == "human", let content = json["message"]?["content"],
                let text = Self.text(content)
            else { return nil }
            return Receipt(id: nil, turn: Self.id(json["promptId"]), text: PromptText(text))
        case "queue-operation":
            guard json["operation"]?.text == "enqueue", let text = json["content"]?.text else { return nil }
            return Receipt(id: nil, turn: "", text: PromptText(text))
        case "attachment":
            guard let command = json["attachment"], command["type"]?.text == "queued_command",
                command["origin"]?["kind"]?.text ?? "human" == "human", let text = command["prompt"]?.text
            else { return nil }
            return Receipt(id: nil, turn: "", text: PromptText(text))
        default: return nil
        }
    }

    private func codex(_ json: JSONValue) -> Receipt? {
        guard json["type"]?.text == "event_msg", let payload = json["payload"],
            payload["type"]?.text == "item_completed", let item = payload["item"],
            item["type"]?.text == "UserMessage", let content = item["content"], let text = Self.text(content)
        else { return nil }
        return Receipt(id: item["client_id"]?.text, turn: Self.id(payload["turn_id"]), text: PromptText(text))
    }

    /// The words of a message: a text, or blocks of which those with a text count. A tool's result is no prompt.
    private static func text(_ content: JSONValue) -> String? {
        if let text = content.text { return text }
        guard let blocks = content.array, !blocks.contains(where: { $0["type"]?.text == "tool_result" }) else {
            return nil
        }
        let texts = blocks.compactMap { $0["text"]?.text }
        return texts.isEmpty ? nil : texts.joined(separator: "\n")
    }

    /// An id as it is kept: one harmless line.
    private static func id(_ value: JSONValue?) -> String { InertText.quote(value?.text ?? "", limitBytes: 128) }
}
