// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `PlanEntry` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#planentry>
    public struct PlanEntry: JSONRecord {
        /// The member `content`, which must be there.
        public var content: String
        /// The member `priority`, which must be there.
        public var priority: PlanEntryPriority
        /// The member `status`, which must be there.
        public var status: PlanEntryStatus
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(content: String, priority: PlanEntryPriority, status: PlanEntryStatus, meta: JSONObject? = nil) {
            self.content = content
            self.priority = priority
            self.status = status
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            content = try members.required("content")
            priority = try members.required("priority")
            status = try members.required("status")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("content", content)
            object.write("priority", priority)
            object.write("status", status)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `Plan` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#plan>
    public struct Plan: JSONRecord {
        /// The member `entries`, which must be there; elements that cannot be read are left out.
        public var entries: [PlanEntry]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(entries: [PlanEntry], meta: JSONObject? = nil) {
            self.entries = entries
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            entries = try members.requiredList("entries")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("entries", entries)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
