// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A session as a person sees it: the conversation, and what it runs with. A pure value: updates in, state out.
///
/// Unknown updates change nothing. Updates may come before, between and after turns.
public struct ACPTranscript: Sendable, Hashable {
    /// One entry of the conversation.
    public struct Entry: Sendable, Hashable, Identifiable {
        /// Its number; never changes and never comes again in this transcript.
        public let id: Int
        let role: Role
        // A growing text must be reached through stored properties alone: in an enum's payload it would be copied for
        // each of its pieces.
        var message = Message(id: nil)
        var call: ACPTranscript.ToolCall?

        enum Role: Sendable, Hashable { case user, agent, thought, tool }

        /// The kind of an entry.
        public enum Kind: Sendable, Hashable {
            /// A message of the person.
            case user(Message)
            /// A message of the agent.
            case agent(Message)
            /// A thought of the agent, aloud.
            case thought(Message)
            /// A tool that the agent used.
            case toolCall(ACPTranscript.ToolCall)
        }

        /// The kind of the entry.
        public var kind: Kind {
            if let call { return .toolCall(call) }
            return role == .user ? .user(message) : role == .thought ? .thought(message) : .agent(message)
        }
    }

    /// A message, complete or growing.
    public struct Message: Sendable, Hashable {
        /// The agent's id of it, where it gives ids.
        public let id: ACP.MessageID?
        private var blocks: [ACP.ContentBlock] = []
        private var growing = ""
        /// The number of bytes of the texts among the parts before.
        private var closedBytes = 0

        init(id: ACP.MessageID?) { self.id = id }

        /// Its parts; neighboring texts are one.
        public var content: [ACP.ContentBlock] {
            growing.isEmpty ? blocks : blocks + [.text(ACP.TextContent(text: growing))]
        }

        /// All of its text.
        public var text: String {
            blocks.map { if case .text(let text) = $0 { text.text } else { "" } }.joined() + growing
        }

        /// The number of bytes of UTF-8 in its text.
        var textBytes: Int { closedBytes + growing.utf8.count }

        /// Its text from a byte on.
        func text(from byte: Int) -> String {
            // What came last is asked for most, and need not be put together with what came before.
            var start = closedBytes
            var pieces = [String(decoding: growing.utf8.dropFirst(max(0, byte - start)), as: UTF8.self)]
            for block in blocks.reversed() {
                guard byte < start else { break }
                guard case .text(let text) = block else { continue }
                start -= text.text.utf8.count
                pieces.append(String(decoding: text.text.utf8.dropFirst(max(0, byte - start)), as: UTF8.self))
            }
            return pieces.reversed().joined()
        }

        mutating func append(_ block: ACP.ContentBlock) {
            if case .text(let more) = block, more.annotations == nil {
                growing += more.text
            } else {
                // In place: a copy of all parts for each new one would be work in the square of their number.
                if !growing.isEmpty { blocks.append(.text(ACP.TextContent(text: growing))) }
                blocks.append(block)
                closedBytes += growing.utf8.count
                if case .text(let text) = block { closedBytes += text.text.utf8.count }
                growing = ""
            }
        }
    }

    /// The state of a turn.
    public enum Turn: Sendable, Hashable {
        /// None runs; `nil` before the first one.
        case idle(ACP.StopReason?)
        /// The agent works.
        case running
        /// The person cancelled; the agent winds up.
        case cancelling
        /// The turn ended with an error: its message.
        case failed(String)
    }

    /// The conversation, oldest first.
    public internal(set) var entries: [Entry] = []
    /// The agent's plan; a new one replaces it.
    public internal(set) var plan: [ACP.PlanEntry] = []
    /// The mode that the session is in, and those it can be put into; of no use where there are ``options``.
    public internal(set) var modes: ACP.SessionModeState?
    /// The session's options.
    public internal(set) var options: [ACP.SessionConfigOption] = []
    /// The models of agents that offer them instead of an option.
    public internal(set) var models: ACP.SessionModelState?
    /// Commands that a prompt may begin with.
    public internal(set) var commands: [ACP.AvailableCommand] = []
    /// The part of the model's window that is used, and its cost.
    public internal(set) var usage: ACP.UsageUpdate?
    /// The agent's title for the session, in one line without control characters.
    public internal(set) var title: String?
    /// When the agent says it was last used: ISO 8601.
    public internal(set) var updatedAt: String?
    /// The state of the turn.
    public internal(set) var turn = Turn.idle(nil)
    /// The number of updates that came and that this version does not know.
    package internal(set) var ignoredUpdates = 0

    private var nextID = 0
    /// The index of each tool call.
    private var places: [ACP.ToolCallID: Int] = [:]
    /// Whether the next piece begins a new message even where its kind is the last one's.
    private var isBroken = true

    /// A session that has not begun.
    public init() {}

    /// Every tool call, oldest first.
    public var toolCalls: [ACPTranscript.ToolCall] {
        entries.compactMap(\.call)
    }

    // MARK: Events

    /// Takes over what a session began with.
    package mutating func begin(
        modes: ACP.SessionModeState?,
        options: [ACP.SessionConfigOption]?,
        models: ACP.SessionModelState?
    ) {
        self.modes = modes ?? self.modes
        self.options = options ?? self.options
        self.models = models ?? self.models
    }

    /// The person sent a prompt.
    package mutating func promptSent(_ content: [ACP.ContentBlock]) {
        add(.user, Message(id: nil), content)
        isBroken = true
        turn = .running
        let texts = content.map { if case .text(let text) = $0 { text.text } else { "" } }
        sent = PromptEcho(of: texts.joined())
    }

    /// Another client's prompt was sent: what it says is not known, unless the agent repeats it.
    package mutating func otherTurnBegan() {
        isBroken = true
        turn = .running
    }

    /// A turn ended, and how is not known.
    package mutating func turnLeft() { endTurn(.idle(nil)) }

    /// The person cancelled. What is not finished is cancelled from now on, whatever the agent says later.
    package mutating func cancelled() {
        guard turn == .running else { return }
        turn = .cancelling
        for index in entries.indices where entries[index].call?.isFinished == false {
            entries[index].call?.wasCancelled = true
        }
    }

    /// The turn ended.
    package mutating func turnEnded(_ reason: ACP.StopReason) { endTurn(.idle(reason)) }

    /// The turn failed.
    package mutating func turnFailed(_ message: String) { endTurn(.failed(message)) }

    private mutating func endTurn(_ turn: Turn) {
        self.turn = turn
        isBroken = true
        sent = nil
    }

    /// The prompt that was sent and may come back: some agents repeat the person's message.
    private var sent: PromptEcho?

    /// Applies an update.
    public mutating func apply(_ update: ACP.SessionUpdate) {
        switch update {
        case .userMessageChunk(let chunk): if !isEcho(chunk) { extend(.user, chunk) }
        case .agentMessageChunk(let chunk): extend(.agent, chunk)
        case .agentThoughtChunk(let chunk): extend(.thought, chunk)
        case .toolCall(let call): change(call.toolCallID) { $0.apply(call) }
        case .toolCallUpdate(let update): change(update.toolCallID) { $0.apply(update) }
        case .plan(let plan): self.plan = plan.entries
        case .availableCommandsUpdate(let update): commands = update.availableCommands
        case .currentModeUpdate(let update): modes?.currentModeID = update.currentModeID
        case .configOptionUpdate(let update): options = update.configOptions
        case .usageUpdate(let update): usage = update
        case .sessionInfoUpdate(let update):
            update.title.map(InertText.line).apply(to: &title)
            update.updatedAt.apply(to: &updatedAt)
        case .planUpdate, .planRemoved, .notice, .compactionUpdate, .compactionSummaryChunk, .unknown:
            ignoredUpdates += 1
        }
    }

    /// Takes over a session's options after one was set.
    package mutating func optionsChanged(_ options: [ACP.SessionConfigOption]) { self.options = options }

    /// The session is in another mode.
    package mutating func modeChanged(_ mode: ACP.SessionModeID) { modes?.currentModeID = mode }

    /// The session uses another model.
    package mutating func modelChanged(_ model: ACP.ModelID) { models?.currentModelID = model }

    // MARK: Entries

    private mutating func add(_ role: Entry.Role, _ message: Message, _ content: [ACP.ContentBlock] = []) {
        entries.append(Entry(id: nextID, role: role, message: message))
        nextID += 1
        for block in content { entries[entries.count - 1].message.append(block) }
    }

    /// Whether a piece repeats what was just sent.
    private mutating func isEcho(_ chunk: ACP.ContentChunk) -> Bool {
        guard turn == .running, case .text(let piece) = chunk.content else { return false }
        return sent?.repeats(piece.text) ?? false
    }

    private mutating func extend(_ role: Entry.Role, _ chunk: ACP.ContentChunk) {
        // An id says that a piece belongs to a message, also behind the turn's end.
        let isSame = entries.last?.role == role && entries.last?.message.id == chunk.messageID
        if !isSame || (isBroken && chunk.messageID == nil) {
            add(role, Message(id: chunk.messageID))
            isBroken = false
        }
        entries[entries.count - 1].message.append(chunk.content)
    }

    private mutating func change(_ id: ACP.ToolCallID, _ body: (inout ACPTranscript.ToolCall) -> Void) {
        if let place = places[id], var call = entries[place].call {
            body(&call)
            entries[place].call = call
        } else {
            // An update for a call that was never announced is all that there is to show of it.
            var call = ACPTranscript.ToolCall(id: id)
            body(&call)
            places[id] = entries.count
            add(.tool, Message(id: nil))
            entries[entries.count - 1].call = call
        }
    }
}
