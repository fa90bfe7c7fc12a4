// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample: manager: SessionManager
/// One kind of agent: how it is started, goes on with a conversation and is interrupted.
///
/// ```swift
/// let launch = try AgentAdapter.claude.launch(AgentStart(permission: .asking))
/// try await manager.create(launch.spec())
/// ```
///
/// What it knows are its ``facts``, which a front end can replace without a build. An agent of another kind gets an
/// adapter by facts of its own, or is the generic one: that is never called ready.
public struct AgentAdapter: Sendable, Hashable {
    /// The words of the agent.
    public let facts: AgentFacts
    /// The command of an agent without a terminal; `nil` for one with a terminal.
    private let command: [String]?

    /// Creates an adapter.
    ///
    /// - Parameter facts: The agent's facts, for example newer ones than those built in.
    public init(facts: AgentFacts) { self.init(facts: facts, command: nil) }

    private init(facts: AgentFacts, command: [String]?) {
        self.facts = facts
        self.command = command
    }

    /// Claude Code.
    public static let claude = AgentAdapter(facts: .builtIn(.claude))
    /// Codex CLI.
    public static let codex = AgentAdapter(facts: .builtIn(.codex))
    /// Any agent in a terminal, of which only bytes, screen and process are known.
    public static let generic = AgentAdapter(facts: .builtIn(.generic))

    /// An agent that speaks the Agent Client Protocol on its standard streams, and has no terminal. RiffACP tells its
    /// state; its conversations go on by `session/load`.
    ///
    /// - Parameter command: The program and its arguments.
    /// - Returns: The adapter.
    public static func acp(_ command: [String]) -> AgentAdapter {
        AgentAdapter(facts: .builtIn(.acp), command: command)
    }

    /// The kind of agent.
    public var kind: AgentKind { command == nil ? facts.agent : .acp }
    /// Whether it is used in a terminal.
    public var hasTerminal: Bool { command == nil }

    /// The way to interrupt a turn; `nil` if none is known.
    public var interrupt: AgentInterrupt? {
        guard hasTerminal else { return .request("session/cancel") }
        return switch facts.launch.interrupt {
        case .escape: .keys([0x1B])
        case .controlC: .keys([0x03])
        case nil: nil
        }
    }

    /// Makes the command line of a start.
    ///
    /// - Parameter start: What is wanted of it.
    /// - Returns: The command with the conversation's id, if that is known before the agent runs.
    /// - Throws: `CoreError` with `agentOptionMissing` if the agent has no such option, or no program is known and none
    ///   was named; with `invalidAgentOption` for an id or a word that an agent could take for an option.
    public func launch(_ start: AgentStart = AgentStart()) throws(CoreError) -> AgentLaunch {
        if let command { return try launch(start, command: command) }
        guard let program = start.program ?? facts.programs.first else { throw missing("a program") }
        let words = facts.launch
        var arguments: [String] = []
        var conversation: String?
        switch start.conversation {
        case .new(let id):
            if let id, words.session.isEmpty { throw missing("an id for a new conversation (\(InertText.quote(id)))") }
            if !words.session.isEmpty {
                let id = id ?? ConversationID.random()
                arguments += try filled(words.session, "{id}", id)
                conversation = id
            }
        case .resumed(let id):
            guard !words.resume.isEmpty else { throw missing("a conversation to go on with") }
            arguments += try filled(words.resume, "{id}", id)
            conversation = id
        case .latest:
            guard !words.resumeLatest.isEmpty else { throw missing("a conversation to go on with") }
            arguments += words.resumeLatest
        }
        if let name = start.name {
            guard !words.name.isEmpty else { throw missing("a name") }
            arguments += try filled(words.name, "{name}", InertText.line(name), isPlain: false)
        }
        if let mode = start.permission?.word(in: words) {
            guard !words.mode.isEmpty, !mode.isEmpty else { throw missing("a permission mode") }
            arguments += try filled(words.mode, "{mode}", mode)
        }
        if start.usesNormalScreen {
            guard !words.normalScreen.isEmpty || !words.normalScreenVariables.isEmpty else {
                throw missing("the normal screen")
            }
            arguments += words.normalScreen
        }
        return AgentLaunch(
            agent: kind,
            words: [program] + arguments + start.arguments,
            environment: start.usesNormalScreen ? words.normalScreenVariables : [:],
            conversation: conversation
        )
    }

    /// An agent without a terminal: its conversation is chosen by its protocol.
    private func launch(_ start: AgentStart, command: [String]) throws(CoreError) -> AgentLaunch {
        guard let first = command.first else { throw missing("a program") }
        if start.name != nil { throw missing("a name") }
        if start.permission != nil { throw missing("a permission mode") }
        if start.usesNormalScreen { throw missing("the normal screen") }
        var conversation: String?
        switch start.conversation {
        case .new(nil): break
        case .new: throw missing("an id for a new conversation")
        case .resumed(let id): conversation = id
        case .latest: throw missing("a conversation to go on with")
        }
        let words = [start.program ?? first] + command.dropFirst() + start.arguments
        return AgentLaunch(agent: kind, words: words, environment: [:], conversation: conversation)
    }

    private func filled(
        _ words: [String],
        _ place: String,
        _ value: String,
        isPlain: Bool = true
    ) throws(CoreError) -> [String] {
        let isHarmless = isPlain ? ConversationID.isPlain(value) : !value.isEmpty && !value.hasPrefix(bytes: "-")
        guard isHarmless, value.utf8.count <= 200 else {
            throw CoreError(.invalidAgentOption, "\(InertText.quote(value)) cannot be given to \(kind.rawValue).")
        }
        return words.map { $0.isSame(bytes: place) ? value : $0 }
    }

    private func missing(_ what: String) -> CoreError {
        CoreError(.agentOptionMissing, "\(InertText.quote(kind.rawValue)) does not take \(what).")
    }
}

extension CoreErrorCode {
    /// The agent has no such option.
    public static let agentOptionMissing = CoreError.Code(rawValue: "agentOptionMissing")
    /// The text cannot be given to an agent: it could be taken for an option.
    public static let invalidAgentOption = CoreError.Code(rawValue: "invalidAgentOption")
}
