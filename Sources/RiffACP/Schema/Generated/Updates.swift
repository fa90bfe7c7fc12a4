// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `SessionUpdate` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionupdate>
    public indirect enum SessionUpdate: JSONRecord {
        /// `sessionUpdate` is `user_message_chunk`.
        case userMessageChunk(ContentChunk)
        /// `sessionUpdate` is `agent_message_chunk`.
        case agentMessageChunk(ContentChunk)
        /// `sessionUpdate` is `agent_thought_chunk`.
        case agentThoughtChunk(ContentChunk)
        /// `sessionUpdate` is `tool_call`.
        case toolCall(ToolCall)
        /// `sessionUpdate` is `tool_call_update`.
        case toolCallUpdate(ToolCallUpdate)
        /// `sessionUpdate` is `plan`.
        case plan(Plan)
        /// `sessionUpdate` is `plan_update`. Unstable.
        case planUpdate(PlanUpdate)
        /// `sessionUpdate` is `plan_removed`. Unstable.
        case planRemoved(PlanRemoved)
        /// `sessionUpdate` is `available_commands_update`.
        case availableCommandsUpdate(AvailableCommandsUpdate)
        /// `sessionUpdate` is `current_mode_update`.
        case currentModeUpdate(CurrentModeUpdate)
        /// `sessionUpdate` is `config_option_update`.
        case configOptionUpdate(ConfigOptionUpdate)
        /// `sessionUpdate` is `session_info_update`.
        case sessionInfoUpdate(SessionInfoUpdate)
        /// `sessionUpdate` is `usage_update`.
        case usageUpdate(UsageUpdate)
        /// `sessionUpdate` is `notice`. Unstable.
        case notice(Notice)
        /// `sessionUpdate` is `compaction_update`. Unstable.
        case compactionUpdate(CompactionUpdate)
        /// `sessionUpdate` is `compaction_summary_chunk`. Unstable.
        case compactionSummaryChunk(CompactionSummaryChunk)
        /// A variant that this version cannot read: its `sessionUpdate`, and its other members.
        case unknown(String, JSONObject)

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            let tag: String = try members.required("sessionUpdate")
            let before = members
            do {
                switch tag {
                case "user_message_chunk": self = .userMessageChunk(try ContentChunk(reading: &members))
                case "agent_message_chunk": self = .agentMessageChunk(try ContentChunk(reading: &members))
                case "agent_thought_chunk": self = .agentThoughtChunk(try ContentChunk(reading: &members))
                case "tool_call": self = .toolCall(try ToolCall(reading: &members))
                case "tool_call_update": self = .toolCallUpdate(try ToolCallUpdate(reading: &members))
                case "plan": self = .plan(try Plan(reading: &members))
                case "plan_update": self = .planUpdate(try PlanUpdate(reading: &members))
                case "plan_removed": self = .planRemoved(try PlanRemoved(reading: &members))
                case "available_commands_update":
                    self = .availableCommandsUpdate(try AvailableCommandsUpdate(reading: &members))
                case "current_mode_update": self = .currentModeUpdate(try CurrentModeUpdate(reading: &members))
                case "config_option_update": self = .configOptionUpdate(try ConfigOptionUpdate(reading: &members))
                case "session_info_update": self = .sessionInfoUpdate(try SessionInfoUpdate(reading: &members))
                case "usage_update": self = .usageUpdate(try UsageUpdate(reading: &members))
                case "notice": self = .notice(try Notice(reading: &members))
                case "compaction_update": self = .compactionUpdate(try CompactionUpdate(reading: &members))
                case "compaction_summary_chunk":
                    self = .compactionSummaryChunk(try CompactionSummaryChunk(reading: &members))
                default: self = .unknown(tag, members.takeRest())
                }
            } catch {
                // A member that must be there is not, or is wrong. What came is still shown to who can use it.
                members = before
                self = .unknown(tag, members.takeRest())
            }
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            switch self {
            case .userMessageChunk(let value):
                object.write("sessionUpdate", "user_message_chunk")
                value.write(into: &object)
            case .agentMessageChunk(let value):
                object.write("sessionUpdate", "agent_message_chunk")
                value.write(into: &object)
            case .agentThoughtChunk(let value):
                object.write("sessionUpdate", "agent_thought_chunk")
                value.write(into: &object)
            case .toolCall(let value):
                object.write("sessionUpdate", "tool_call")
                value.write(into: &object)
            case .toolCallUpdate(let value):
                object.write("sessionUpdate", "tool_call_update")
                value.write(into: &object)
            case .plan(let value):
                object.write("sessionUpdate", "plan")
                value.write(into: &object)
            case .planUpdate(let value):
                object.write("sessionUpdate", "plan_update")
                value.write(into: &object)
            case .planRemoved(let value):
                object.write("sessionUpdate", "plan_removed")
                value.write(into: &object)
            case .availableCommandsUpdate(let value):
                object.write("sessionUpdate", "available_commands_update")
                value.write(into: &object)
            case .currentModeUpdate(let value):
                object.write("sessionUpdate", "current_mode_update")
                value.write(into: &object)
            case .configOptionUpdate(let value):
                object.write("sessionUpdate", "config_option_update")
                value.write(into: &object)
            case .sessionInfoUpdate(let value):
                object.write("sessionUpdate", "session_info_update")
                value.write(into: &object)
            case .usageUpdate(let value):
                object.write("sessionUpdate", "usage_update")
                value.write(into: &object)
            case .notice(let value):
                object.write("sessionUpdate", "notice")
                value.write(into: &object)
            case .compactionUpdate(let value):
                object.write("sessionUpdate", "compaction_update")
                value.write(into: &object)
            case .compactionSummaryChunk(let value):
                object.write("sessionUpdate", "compaction_summary_chunk")
                value.write(into: &object)
            case .unknown(let tag, let others):
                object.write("sessionUpdate", tag)
                object.write(rest: others)
            }
        }
    }

    /// `ContentChunk` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#contentchunk>
    public struct ContentChunk: JSONRecord {
        /// The member `content`, which must be there.
        public var content: ContentBlock
        /// The member `messageId`; `nil` where it is absent, null or not readable.
        public var messageID: MessageID?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(content: ContentBlock, messageID: MessageID? = nil, meta: JSONObject? = nil) {
            self.content = content
            self.messageID = messageID
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            content = try members.required("content")
            messageID = members.lenient("messageId")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("content", content)
            object.write("messageId", messageID)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
