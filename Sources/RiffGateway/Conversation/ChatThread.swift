// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A conversation with a chat model: what was asked, and what came of each answer. Events in, entries out; it does nothing
/// itself. Kept as JSON at any moment, an answer that was cut off is still there after the process is gone.
public struct ChatThread: Sendable, Hashable {
    /// One thing that was said.
    public struct Entry: Sendable, Hashable, Identifiable {
        /// What became of it.
        public enum State: Sendable, Hashable {
            /// All of it is there.
            case whole
            /// An answer that is coming.
            case growing
            /// An answer whose end was lost; it can be asked for.
            case cut
            /// No answer came, or it ended with an error, for a reason that a person can read.
            case failed(reason: String)
        }

        /// Its number in the conversation.
        public let id: Int
        /// Who says it: a person or the model.
        public let role: ChatMessage.Role
        /// What is said, so far.
        public internal(set) var text: String
        /// What became of it.
        public internal(set) var state: State
    }

    /// What was said, oldest first.
    public private(set) var entries: [Entry] = []
    private var nextID = 0

    /// An empty conversation.
    public init() {}

    /// The answer that is the last entry; `nil` where a question is.
    public var answer: Entry? { entries.last.flatMap { $0.role == .assistant ? $0 : nil } }

    /// What is sent to the model: everything that was said but the last answer, where that is not whole. What failed
    /// without a word is left out.
    public var messages: [ChatMessage] {
        var said = entries[...]
        if let answer, answer.state != .whole { said = said.dropLast() }
        return said.compactMap { entry in
            entry.text.isEmpty ? nil : ChatMessage(entry.role, content: [.text(entry.text)])
        }
    }

    /// A person asks; an answer begins to grow.
    mutating func ask(_ text: String) {
        add(.user, text, .whole)
        add(.assistant, "", .growing)
    }

    /// An answer that was cut off grows on, or one that failed is asked for anew.
    ///
    /// - Returns: Whether there is such an answer.
    mutating func resume() -> Bool {
        guard let answer, let last = entries.indices.last else { return false }
        switch answer.state {
        case .whole, .growing: return false
        case .cut: break
        case .failed: entries[last].text = ""
        }
        entries[last].state = .growing
        return true
    }

    /// More of the answer came.
    mutating func grow(_ text: String) {
        guard answer?.state == .growing, let last = entries.indices.last else { return }
        entries[last].text += text
    }

    /// The answer ended.
    mutating func end(_ state: Entry.State) {
        guard answer?.state == .growing, let last = entries.indices.last else { return }
        entries[last].state = state
    }

    /// The answer says nothing that is to be shown or kept.
    mutating func dropAnswer() {
        if answer?.state == .growing { entries.removeLast() }
    }

    private mutating func add(_ role: ChatMessage.Role, _ text: String, _ state: Entry.State) {
        entries.append(Entry(id: nextID, role: role, text: text, state: state))
        nextID += 1
    }

    // MARK: Kept

    /// The conversation to be kept: `{"entries": [{"role", "text", "state", "reason"?}]}`.
    public var json: JSONValue {
        let list = entries.map { entry -> JSONValue in
            var object: JSONObject = ["role": .string(entry.role.rawValue), "text": .string(entry.text)]
            switch entry.state {
            case .whole: object["state"] = "whole"
            // Who reads this later does not get the rest of it.
            case .growing, .cut: object["state"] = "cut"
            case .failed(let reason):
                object["state"] = "failed"
                object["reason"] = .string(reason)
            }
            return .object(object)
        }
        return ["entries": .array(list)]
    }

    /// Reads what was kept; `nil` where it is none of these.
    public init?(json: JSONValue) {
        guard let list = json["entries"]?.array else { return nil }
        for item in list {
            guard let role = item["role"]?.text, let text = item["text"]?.text else { return nil }
            switch item["state"]?.text {
            case "whole": add(ChatMessage.Role(rawValue: role), text, .whole)
            case "cut": add(ChatMessage.Role(rawValue: role), text, .cut)
            case "failed":
                add(ChatMessage.Role(rawValue: role), text, .failed(reason: item["reason"]?.text ?? ""))
            default: return nil
            }
        }
    }
}
