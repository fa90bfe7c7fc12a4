// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `SessionConfigOption` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionconfigoption>
    public struct SessionConfigOption: JSONRecord {
        /// The member `id`, which must be there.
        public var id: SessionConfigID
        /// The member `name`, which must be there.
        public var name: String
        /// The member `description`; `nil` where it is absent, null or not readable.
        public var description: String?
        /// The member `category`; `nil` where it is absent, null or not readable.
        public var category: SessionConfigOptionCategory?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// What its other members say.
        public var kind: SessionConfigKind
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            id: SessionConfigID,
            name: String,
            kind: SessionConfigKind,
            description: String? = nil,
            category: SessionConfigOptionCategory? = nil,
            meta: JSONObject? = nil
        ) {
            self.id = id
            self.name = name
            self.description = description
            self.category = category
            self.meta = meta
            self.kind = kind
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            id = try members.required("id")
            name = try members.required("name")
            description = members.lenient("description")
            category = members.lenient("category")
            meta = members.lenient("_meta")
            kind = try SessionConfigKind(reading: &members)
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("id", id)
            object.write("name", name)
            object.write("description", description)
            object.write("category", category)
            object.write("_meta", meta)
            kind.write(into: &object)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// What the members of ``SessionConfigOption`` beside its own say.
    public enum SessionConfigKind: JSONRecord {
        /// `type` is `select`.
        case select(SessionConfigSelect)
        /// `type` is `boolean`.
        case boolean(SessionConfigBoolean)
        /// A variant that this version cannot read: its `type`, and its other members.
        case unknown(String, JSONObject)

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            let tag: String = try members.required("type")
            switch tag {
            case "select": self = .select(try SessionConfigSelect(reading: &members))
            case "boolean": self = .boolean(try SessionConfigBoolean(reading: &members))
            default: self = .unknown(tag, members.takeRest())
            }
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            switch self {
            case .select(let value):
                object.write("type", "select")
                value.write(into: &object)
            case .boolean(let value):
                object.write("type", "boolean")
                value.write(into: &object)
            case .unknown(let tag, let others):
                object.write("type", tag)
                object.write(rest: others)
            }
        }
    }

    /// `SessionConfigSelectOption` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionconfigselectoption>
    public struct SessionConfigSelectOption: JSONRecord {
        /// The member `value`, which must be there.
        public var value: SessionConfigValueID
        /// The member `name`, which must be there.
        public var name: String
        /// The member `description`; `nil` where it is absent, null or not readable.
        public var description: String?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(value: SessionConfigValueID, name: String, description: String? = nil, meta: JSONObject? = nil) {
            self.value = value
            self.name = name
            self.description = description
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            value = try members.required("value")
            name = try members.required("name")
            description = members.lenient("description")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("value", value)
            object.write("name", name)
            object.write("description", description)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `SessionConfigSelectGroup` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionconfigselectgroup>
    public struct SessionConfigSelectGroup: JSONRecord {
        /// The member `group`, which must be there.
        public var group: SessionConfigGroupID
        /// The member `name`, which must be there.
        public var name: String
        /// The member `options`, which must be there; elements that cannot be read are left out.
        public var options: [SessionConfigSelectOption]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            group: SessionConfigGroupID,
            name: String,
            options: [SessionConfigSelectOption],
            meta: JSONObject? = nil
        ) {
            self.group = group
            self.name = name
            self.options = options
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            group = try members.required("group")
            name = try members.required("name")
            options = try members.requiredList("options")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("group", group)
            object.write("name", name)
            object.write("options", options)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `SessionConfigSelect` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionconfigselect>
    public struct SessionConfigSelect: JSONRecord {
        /// The member `currentValue`, which must be there.
        public var currentValue: SessionConfigValueID
        /// The member `options`, which must be there.
        public var options: SessionConfigSelectOptions
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(currentValue: SessionConfigValueID, options: SessionConfigSelectOptions) {
            self.currentValue = currentValue
            self.options = options
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            currentValue = try members.required("currentValue")
            options = try members.required("options")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("currentValue", currentValue)
            object.write("options", options)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `SessionConfigBoolean` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionconfigboolean>
    public struct SessionConfigBoolean: JSONRecord {
        /// The member `currentValue`, which must be there.
        public var currentValue: Bool
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(currentValue: Bool) {
            self.currentValue = currentValue
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            currentValue = try members.required("currentValue")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("currentValue", currentValue)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
