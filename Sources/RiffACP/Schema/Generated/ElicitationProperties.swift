// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `StringPropertySchema` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#stringpropertyschema>
    public struct StringPropertySchema: JSONRecord {
        /// The member `title`; `nil` where it is absent, null or not readable.
        public var title: String?
        /// The member `description`; `nil` where it is absent, null or not readable.
        public var description: String?
        /// The member `minLength`; `nil` where it is absent or null.
        public var minLength: Int?
        /// The member `maxLength`; `nil` where it is absent or null.
        public var maxLength: Int?
        /// The member `pattern`; `nil` where it is absent or null.
        public var pattern: String?
        /// The member `format`; `nil` where it is absent or null.
        public var format: StringFormat?
        /// The member `default`; `nil` where it is absent, null or not readable.
        public var `default`: String?
        /// The member `enum`; `nil` where a list is absent or null.
        public var `enum`: [String]?
        /// The member `oneOf`; `nil` where a list is absent or null.
        public var oneOf: [EnumOption]?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            title: String? = nil,
            description: String? = nil,
            minLength: Int? = nil,
            maxLength: Int? = nil,
            pattern: String? = nil,
            format: StringFormat? = nil,
            `default`: String? = nil,
            `enum`: [String]? = nil,
            oneOf: [EnumOption]? = nil,
            meta: JSONObject? = nil
        ) {
            self.title = title
            self.description = description
            self.minLength = minLength
            self.maxLength = maxLength
            self.pattern = pattern
            self.format = format
            self.default = `default`
            self.enum = `enum`
            self.oneOf = oneOf
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            title = members.lenient("title")
            description = members.lenient("description")
            minLength = try members.optional("minLength", in: 0...4294967295)
            maxLength = try members.optional("maxLength", in: 0...4294967295)
            pattern = try members.optional("pattern")
            format = try members.optional("format")
            self.default = members.lenient("default")
            self.enum = try members.optional("enum")
            oneOf = try members.optional("oneOf")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("title", title)
            object.write("description", description)
            object.write("minLength", minLength)
            object.write("maxLength", maxLength)
            object.write("pattern", pattern)
            object.write("format", format)
            object.write("default", `default`)
            object.write("enum", `enum`)
            object.write("oneOf", oneOf)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `NumberPropertySchema` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#numberpropertyschema>
    public struct NumberPropertySchema: JSONRecord {
        /// The member `title`; `nil` where it is absent, null or not readable.
        public var title: String?
        /// The member `description`; `nil` where it is absent, null or not readable.
        public var description: String?
        /// The member `minimum`; `nil` where it is absent or null.
        public var minimum: Double?
        /// The member `maximum`; `nil` where it is absent or null.
        public var maximum: Double?
        /// The member `default`; `nil` where it is absent, null or not readable.
        public var `default`: Double?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            title: String? = nil,
            description: String? = nil,
            minimum: Double? = nil,
            maximum: Double? = nil,
            `default`: Double? = nil,
            meta: JSONObject? = nil
        ) {
            self.title = title
            self.description = description
            self.minimum = minimum
            self.maximum = maximum
            self.default = `default`
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            title = members.lenient("title")
            description = members.lenient("description")
            minimum = try members.optional("minimum")
            maximum = try members.optional("maximum")
            self.default = members.lenient("default")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("title", title)
            object.write("description", description)
            object.write("minimum", minimum)
            object.write("maximum", maximum)
            object.write("default", `default`)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `IntegerPropertySchema` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#integerpropertyschema>
    public struct IntegerPropertySchema: JSONRecord {
        /// The member `title`; `nil` where it is absent, null or not readable.
        public var title: String?
        /// The member `description`; `nil` where it is absent, null or not readable.
        public var description: String?
        /// The member `minimum`; `nil` where it is absent or null.
        public var minimum: Int?
        /// The member `maximum`; `nil` where it is absent or null.
        public var maximum: Int?
        /// The member `default`; `nil` where it is absent, null or not readable.
        public var `default`: Int?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            title: String? = nil,
            description: String? = nil,
            minimum: Int? = nil,
            maximum: Int? = nil,
            `default`: Int? = nil,
            meta: JSONObject? = nil
        ) {
            self.title = title
            self.description = description
            self.minimum = minimum
            self.maximum = maximum
            self.default = `default`
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            title = members.lenient("title")
            description = members.lenient("description")
            minimum = try members.optional("minimum")
            maximum = try members.optional("maximum")
            self.default = members.lenient("default")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("title", title)
            object.write("description", description)
            object.write("minimum", minimum)
            object.write("maximum", maximum)
            object.write("default", `default`)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `BooleanPropertySchema` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#booleanpropertyschema>
    public struct BooleanPropertySchema: JSONRecord {
        /// The member `title`; `nil` where it is absent, null or not readable.
        public var title: String?
        /// The member `description`; `nil` where it is absent, null or not readable.
        public var description: String?
        /// The member `default`; `nil` where it is absent, null or not readable.
        public var `default`: Bool?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(title: String? = nil, description: String? = nil, `default`: Bool? = nil, meta: JSONObject? = nil) {
            self.title = title
            self.description = description
            self.default = `default`
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            title = members.lenient("title")
            description = members.lenient("description")
            self.default = members.lenient("default")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("title", title)
            object.write("description", description)
            object.write("default", `default`)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
