// Riff
// SPDX-License-Identifier: Apache-2.0

/// The wishes for one start of an agent.
public struct AgentStart: Sendable, Hashable {
    /// The conversation that it begins with.
    public enum Conversation: Sendable, Hashable {
        /// A new one. With an id, it gets this one (Claude Code: a UUID); with `nil`, a random one if the agent takes
        /// ids, and else one of its own.
        case new(id: String?)
        /// The one with this id.
        case resumed(String)
        /// The last one of the folder.
        case latest
    }

    /// The things that it does without asking.
    public enum Permission: Sendable, Hashable {
        /// It asks before each risky step, which is what questions on a phone need.
        case asking
        /// A mode in the agent's own word, such as `plan`.
        case mode(String)

        func word(in facts: LaunchFacts) -> String {
            switch self {
            case .asking: facts.askingMode
            case .mode(let word): word
            }
        }
    }

    /// The conversation to begin or to resume.
    public var conversation: Conversation
    /// The program, by its name or its path on the host; the one of the agent's facts if `nil`.
    public var program: String?
    /// A name for people, which Claude Code shows as its title; `nil` for none.
    public var name: String?
    /// The things that it does without asking; the agent's own choice if `nil`.
    public var permission: Permission?
    /// Whether it draws on the normal screen, so that tmux keeps what scrolls away.
    public var usesNormalScreen: Bool
    /// Arguments behind all others, such as the host kit's for `claude`.
    public var arguments: [String]

    /// Creates wishes; without arguments, those for a new conversation.
    public init(
        _ conversation: Conversation = .new(id: nil),
        program: String? = nil,
        name: String? = nil,
        permission: Permission? = nil,
        usesNormalScreen: Bool = false,
        arguments: [String] = []
    ) {
        self.conversation = conversation
        self.program = program
        self.name = name
        self.permission = permission
        self.usesNormalScreen = usesNormalScreen
        self.arguments = arguments
    }
}

/// A way to interrupt an agent's turn.
public enum AgentInterrupt: Sendable, Hashable {
    /// Keys for its terminal.
    case keys([UInt8])
    /// A request of its protocol, such as `session/cancel`.
    case request(String)
}
