// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A question that an agent asks, and waits for an answer to.
public struct AgentQuestion: Sendable, Hashable {
    /// The kind of a question; agents add kinds.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The kind's name.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// May a tool be used: a command, a change of a file, a request to a server.
        public static let permission = Kind(rawValue: "permission")
        /// Is a plan to be carried out.
        public static let plan = Kind(rawValue: "plan")
        /// The model asks something that has answers to choose from.
        public static let question = Kind(rawValue: "question")
        /// A dialog in the middle of a turn, which stands still until it is closed.
        public static let dialog = Kind(rawValue: "dialog")
    }

    /// One of the answers to choose from.
    public struct Option: Sendable, Hashable {
        /// The answer in the agent's words, on one line, without its number.
        public let label: String
        /// The key that gives this answer at once in the terminal, such as `1`, `y` or `esc`; `nil` if the screen names
        /// none, or the question is not on the screen. A key is right only while this very question is shown: what it
        /// does differs from question to question.
        public let key: String?

        /// Creates an answer; foreign words become one harmless line.
        package init(_ label: String, key: String? = nil) {
            self.label = InertText.quote(label, limitBytes: 200)
            self.key = key
        }
    }

    /// The one request that a question stands for, so that an answer to it cannot become another's.
    package struct Binding: Sendable, Hashable {
        /// The conversation: a session's or a thread's id.
        package let session: String
        /// The turn's id; empty if the agent names none.
        package let turn: String
        /// The call's id; empty if the agent names none.
        package let call: String
        /// The name under which a hook waits for the answer; empty if none does.
        package let waiter: String

        /// Creates a binding.
        package init(session: String, turn: String = "", call: String = "", waiter: String = "") {
            self.session = session
            self.turn = turn
            self.call = call
            self.waiter = waiter
        }
    }

    /// The most answers that are kept.
    static let optionLimit = 20
    /// The longest subject in bytes; its middle is left out beyond.
    static let limitBytes = 600

    /// The kind of question.
    public let kind: Kind
    /// The tool that is to be used, or the kind's own word: `Bash`, `exec`, `Edit`, `plan`.
    public let tool: String
    /// The subject: the command, the path or the question's text. One line; empty if it is not known.
    public let subject: String
    /// The agent's own id of the request or the call; `nil` if the evidence has none.
    public let id: String?
    /// The answers as the screen or the request names them, in order; empty if they are not known.
    public let options: [Option]
    /// The request behind it; `nil` if the evidence cannot tell it from another one.
    package let binding: Binding?

    /// Creates a question; foreign words become one harmless line.
    package init(
        kind: Kind,
        tool: String,
        subject: String,
        id: String? = nil,
        options: [Option] = [],
        binding: Binding? = nil
    ) {
        self.kind = kind
        self.tool = InertText.quote(tool, limitBytes: 80)
        self.subject = InertText.quote(subject, limitBytes: Self.limitBytes)
        self.id = id
        self.options = Array(options.prefix(Self.optionLimit))
        self.binding = binding
    }

    /// The question on one line: the tool and its subject.
    public var summary: String { subject.isEmpty ? tool : tool + " " + subject }

    /// The same question with what another kind of evidence knows besides.
    func completed(by other: AgentQuestion?) -> AgentQuestion {
        guard let other else { return self }
        return AgentQuestion(
            kind: kind,
            tool: tool.isEmpty ? other.tool : tool,
            subject: subject.isEmpty ? other.subject : subject,
            id: id ?? other.id,
            // The screen's say which key is which.
            options: options.isEmpty || other.options.contains { $0.key != nil } ? other.options : options,
            binding: binding
        )
    }
}
