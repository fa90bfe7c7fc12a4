// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The prompts that an agent said it took, by its hooks, its records and its server, the newest few.
package struct PromptReceipts: Sendable, Hashable {
    /// The most that are kept.
    static let limit = 16

    /// One prompt and its number, counted from 1 over all that the agent named.
    package struct Receipt: Sendable, Hashable {
        /// Its number.
        package let number: UInt64
        /// Its text.
        package let text: SqueezedText
    }

    /// The newest ones, in order.
    package private(set) var newest: [Receipt] = []
    /// How many there were.
    package private(set) var count: UInt64 = 0

    /// Creates a list without any.
    package init() {}

    /// Takes what the agent gave to a hook.
    mutating func take(hook: JSONValue, by facts: AgentFacts) {
        guard let event = hook["hook_event_name"]?.text, facts.hooks[ByteName(event)] == .prompt,
            hook["agent_id"]?.text == nil, let text = hook["prompt"]?.text
        else { return }
        add(text, facts)
    }

    /// Takes a line of the agent's record.
    mutating func take(record: JSONValue, by facts: AgentFacts) {
        if let item = record["payload"]?["item"] { return take(item: item, facts) }
        guard let type = record["type"]?.text, facts.records[ByteName(type)] == .prompt,
            record["isSidechain"]?.bool != true, record["isMeta"]?.bool != true
        else { return }
        let content = record["message"]?["content"]
        if let text = content?.text ?? Self.text(of: content) { add(text, facts) }
    }

    /// Takes a message of the agent's server.
    mutating func take(message: JSONValue, by facts: AgentFacts) {
        if let item = message["params"]?["item"] { take(item: item, facts) }
    }

    /// Codex has one form of it in its record and in its messages, but for the first letter.
    private mutating func take(item: JSONValue, _ facts: AgentFacts) {
        guard let type = item["type"]?.text, Self.itemTypes.contains(ByteName(type)),
            let text = Self.text(of: item["content"])
        else { return }
        add(text, facts)
    }

    private static let itemTypes = ["UserMessage", "userMessage"].map { ByteName($0) }

    private static func text(of content: JSONValue?) -> String? {
        let parts = content?.array?.filter { $0["type"]?.text == "text" }.compactMap { $0["text"]?.text } ?? []
        return parts.isEmpty ? nil : parts.joined(separator: "\n")
    }

    private mutating func add(_ text: String, _ facts: AgentFacts) {
        count += 1
        newest.append(Receipt(number: count, text: SqueezedText(Self.unwrapped(text, facts.promptWrapper))))
        if newest.count > Self.limit { newest.removeFirst() }
    }

    /// A prompt without the element in which the agent puts a long paste.
    private static func unwrapped(_ text: String, _ element: String) -> Substring {
        guard !element.isEmpty else { return text[...] }
        let start = text.unicodeScalars.firstIndex { !$0.properties.isWhitespace } ?? text.startIndex
        guard text[start...].hasPrefix(bytes: "<" + element), let open = text[start...].firstIndex(byte: ">"),
            let close = text.lastIndex(byte: "<"), open < close, text[close...].hasPrefix(bytes: "</" + element)
        else { return text[...] }
        return text[text.unicodeScalars.index(after: open)..<close]
    }
}
