// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `MultiSelectItems` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#multiselectitems>
    public enum MultiSelectItems: JSONRecord {
        /// `type` is `string`.
        case string(StringMultiSelectItems)
        /// Has no `type`.
        case titled(TitledMultiSelectItems)
        /// A variant that this version cannot read: its `type`, and its other members.
        case unknown(String, JSONObject)

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            guard let found = members.peek("type"), found != .null, found != "titled" else {
                self = .titled(try TitledMultiSelectItems(reading: &members))
                return
            }
            let tag: String = try members.required("type")
            switch tag {
            case "string": self = .string(try StringMultiSelectItems(reading: &members))
            default: self = .unknown(tag, members.takeRest())
            }
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            switch self {
            case .string(let value):
                object.write("type", "string")
                value.write(into: &object)
            case .titled(let value): value.write(into: &object)
            case .unknown(let tag, let others):
                object.write("type", tag)
                object.write(rest: others)
            }
        }
    }

    /// `StringMultiSelectItems` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#stringmultiselectitems>
    public struct StringMultiSelectItems: JSONRecord {
        /// The member `enum`, which must be there.
        public var `enum`: [String]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(`enum`: [String], meta: JSONObject? = nil) {
            self.enum = `enum`
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            self.enum = try members.required("enum")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("enum", `enum`)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `TitledMultiSelectItems` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#titledmultiselectitems>
    public struct TitledMultiSelectItems: JSONRecord {
        /// The member `anyOf`, which must be there.
        public var anyOf: [EnumOption]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(anyOf: [EnumOption], meta: JSONObject? = nil) {
            self.anyOf = anyOf
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            anyOf = try members.required("anyOf")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("anyOf", anyOf)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `MultiSelectPropertySchema` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#multiselectpropertyschema>
    public struct MultiSelectPropertySchema: JSONRecord {
        /// The member `items`, which must be there.
        public var items: MultiSelectItems
        /// The member `title`; `nil` where it is absent, null or not readable.
        public var title: String?
        /// The member `description`; `nil` where it is absent, null or not readable.
        public var description: String?
        /// The member `minItems`; `nil` where it is absent or null.
        public var minItems: UInt64?
        /// The member `maxItems`; `nil` where it is absent or null.
        public var maxItems: UInt64?
        /// The member `default`; `nil` where a list is absent, null or not readable.
        public var `default`: [String]?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            items: MultiSelectItems,
            title: String? = nil,
            description: String? = nil,
            minItems: UInt64? = nil,
            maxItems: UInt64? = nil,
            `default`: [String]? = nil,
            meta: JSONObject? = nil
        ) {
            self.items = items
            self.title = title
            self.description = description
            self.minItems = minItems
            self.maxItems = maxItems
            self.default = `default`
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            items = try members.required("items")
            title = members.lenient("title")
            description = members.lenient("description")
            minItems = try members.optional("minItems")
            maxItems = try members.optional("maxItems")
            self.default = members.lenientList("default")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("items", items)
            object.write("title", title)
            object.write("description", description)
            object.write("minItems", minItems)
            object.write("maxItems", maxItems)
            object.write("default", `default`)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
