// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `PlanUpdateContent` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#planupdatecontent>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public enum PlanUpdateContent: JSONRecord {
        /// `type` is `items`.
        case items(PlanItems)
        /// `type` is `file`.
        case file(PlanFile)
        /// `type` is `markdown`.
        case markdown(PlanMarkdown)
        /// A variant that this version cannot read: its `type`, and its other members.
        case unknown(String, JSONObject)

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            let tag: String = try members.required("type")
            switch tag {
            case "items": self = .items(try PlanItems(reading: &members))
            case "file": self = .file(try PlanFile(reading: &members))
            case "markdown": self = .markdown(try PlanMarkdown(reading: &members))
            default: self = .unknown(tag, members.takeRest())
            }
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            switch self {
            case .items(let value):
                object.write("type", "items")
                value.write(into: &object)
            case .file(let value):
                object.write("type", "file")
                value.write(into: &object)
            case .markdown(let value):
                object.write("type", "markdown")
                value.write(into: &object)
            case .unknown(let tag, let others):
                object.write("type", tag)
                object.write(rest: others)
            }
        }
    }

    /// `PlanItems` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#planitems>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct PlanItems: JSONRecord {
        /// The member `planId`, which must be there.
        public var planID: PlanID
        /// The member `entries`, which must be there; elements that cannot be read are left out.
        public var entries: [PlanEntry]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(planID: PlanID, entries: [PlanEntry], meta: JSONObject? = nil) {
            self.planID = planID
            self.entries = entries
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            planID = try members.required("planId")
            entries = try members.requiredList("entries")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("planId", planID)
            object.write("entries", entries)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `PlanFile` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#planfile>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct PlanFile: JSONRecord {
        /// The member `planId`, which must be there.
        public var planID: PlanID
        /// The member `uri`, which must be there.
        public var uri: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(planID: PlanID, uri: String, meta: JSONObject? = nil) {
            self.planID = planID
            self.uri = uri
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            planID = try members.required("planId")
            uri = try members.required("uri")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("planId", planID)
            object.write("uri", uri)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `PlanMarkdown` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#planmarkdown>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct PlanMarkdown: JSONRecord {
        /// The member `planId`, which must be there.
        public var planID: PlanID
        /// The member `content`, which must be there.
        public var content: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(planID: PlanID, content: String, meta: JSONObject? = nil) {
            self.planID = planID
            self.content = content
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            planID = try members.required("planId")
            content = try members.required("content")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("planId", planID)
            object.write("content", content)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `PlanUpdate` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#planupdate>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct PlanUpdate: JSONRecord {
        /// The member `plan`, which must be there.
        public var plan: PlanUpdateContent
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(plan: PlanUpdateContent, meta: JSONObject? = nil) {
            self.plan = plan
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            plan = try members.required("plan")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("plan", plan)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `PlanRemoved` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#planremoved>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct PlanRemoved: JSONRecord {
        /// The member `planId`, which must be there.
        public var planID: PlanID
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(planID: PlanID, meta: JSONObject? = nil) {
            self.planID = planID
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            planID = try members.required("planId")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("planId", planID)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
