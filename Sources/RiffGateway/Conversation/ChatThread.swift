// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A conversation with a chat model: what was asked, and what came of each answer. Events in, entries out; it does
/// nothing itself. Kept as JSON at any moment, an answer that was cut off is still there after the process is gone.
public struct ChatThread: Sendable, Hashable {
    /// One thing that was said.
    public struct Entry: Sendable, Hashable, Identifiable {
        /// The state of an entry.
        public enum State: Sendable, Hashable {
            /// All of it is there.
            case whole
            /// An answer that is coming.
            case growing
            /// An answer whose end was lost; it can be asked for.
            case cut
            /// No answer came, or it ended with an error, for a reason that a person can read. What came before stays.
            case failed(reason: String)
        }

        /// Its number in the conversation, which no other entry ever gets, also where the conversation is kept and
        /// read.
        public let id: Int
        /// The speaker of the entry: a person or the model.
        public let role: ChatMessage.Role
        /// What is said, so far.
        public internal(set) var text = ""
        /// Why the model does not answer, where it says so in a place of its own.
        public internal(set) var refusal = ""
        /// The tool calls that the model asks for; none of them was made.
        public internal(set) var toolCalls: [ChatToolCall] = []
        /// Words that may stand twice in an answer whose rest was asked for, as ``ChatContinuation/doubt`` says.
        public internal(set) var doubt: String?
        /// The state of this entry.
        public internal(set) var state: State
    }

    /// The entries of the conversation, oldest first.
    public internal(set) var entries: [Entry] = []
    var nextID = 0

    /// An empty conversation.
    public init() {}

    /// The answer that is the last entry; `nil` where a question is.
    public var answer: Entry? { entries.last.flatMap { $0.role == .assistant ? $0 : nil } }

    /// What is sent to the model: everything that was said but the last answer, where that is not whole. A refusal is
    /// said where no answer is; what failed without a word is left out, and so are calls of tools, which have no
    /// answer.
    public var messages: [ChatMessage] {
        var said = entries[...]
        if let answer, answer.state != .whole { said = said.dropLast() }
        return said.compactMap { entry in
            let text = entry.text.isEmpty ? entry.refusal : entry.text
            return text.isEmpty ? nil : ChatMessage(entry.role, content: [.text(text)])
        }
    }

    /// Whether the last answer was cut off or failed, or reads like an error, so that the rest of it, or all of it, can
    /// be asked for.
    public var isResumable: Bool {
        switch answer?.state {
        case .cut, .failed: true
        case .whole: answer?.isSuspectedError == true
        case .growing, nil: false
        }
    }

    /// A person asks; an answer begins to grow.
    package mutating func ask(_ text: String) {
        add(Entry(id: nextID, role: .user, text: text, state: .whole))
        add(Entry(id: nextID, role: .assistant, state: .growing))
    }

    /// An answer that was cut off or failed grows on from this part of its text.
    package mutating func resume(from text: String) {
        guard isResumable, let last = entries.indices.last else { return }
        entries[last].text = text
        entries[last].refusal = ""
        entries[last].toolCalls = []
        if text.isEmpty { entries[last].doubt = nil }
        entries[last].state = .growing
    }

    /// More of the answer came.
    package mutating func grow(_ text: String) {
        if let last = growing { entries[last].text += text }
    }

    /// More of why there is no answer came.
    package mutating func refuse(_ text: String) {
        if let last = growing { entries[last].refusal += text }
    }

    /// The answer ended.
    package mutating func end(_ state: Entry.State, calling tools: [ChatToolCall] = [], doubt: String? = nil) {
        guard let last = growing else { return }
        if let doubt { entries[last].doubt = doubt }
        entries[last].toolCalls = tools
        entries[last].state = state
    }

    /// The answer says nothing that is to be shown or kept.
    mutating func dropAnswer() {
        if growing != nil { entries.removeLast() }
    }

    mutating func add(_ entry: Entry) {
        entries.append(entry)
        nextID = entry.id + 1
    }

    /// The index of the answer that grows. It is looked at in its place: a copy would make the next piece copy its
    /// text.
    private var growing: Int? {
        guard let last = entries.indices.last, entries[last].state == .growing else { return nil }
        return last
    }
}
