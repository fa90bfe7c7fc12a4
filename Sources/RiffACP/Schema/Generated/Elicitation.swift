// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `ElicitationSessionScope` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#elicitationsessionscope>
    public struct ElicitationSessionScope: JSONRecord {
        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `toolCallId`; `nil` where it is absent, null or not readable.
        public var toolCallID: ToolCallID?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(sessionID: SessionID, toolCallID: ToolCallID? = nil) {
            self.sessionID = sessionID
            self.toolCallID = toolCallID
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            toolCallID = members.lenient("toolCallId")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("toolCallId", toolCallID)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `ElicitationRequestScope` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#elicitationrequestscope>
    public struct ElicitationRequestScope: JSONRecord {
        /// The member `requestId`, which must be there.
        public var requestID: RequestID
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(requestID: RequestID) {
            self.requestID = requestID
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            requestID = try members.required("requestId")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("requestId", requestID)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `ElicitationSchema` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#elicitationschema>
    public struct ElicitationSchema: JSONRecord {
        /// The member `type`; `.object` where it is absent or not readable.
        public var type: ElicitationSchemaType
        /// The member `title`; `nil` where it is absent, null or not readable.
        public var title: String?
        /// The member `properties`; `[:]` where it is absent.
        public var properties: [String: ElicitationPropertySchema]
        /// The member `required`; `nil` where a list is absent or null.
        public var required: [String]?
        /// The member `description`; `nil` where it is absent, null or not readable.
        public var description: String?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            type: ElicitationSchemaType = .object,
            title: String? = nil,
            properties: [String: ElicitationPropertySchema] = [:],
            required: [String]? = nil,
            description: String? = nil,
            meta: JSONObject? = nil
        ) {
            self.type = type
            self.title = title
            self.properties = properties
            self.required = required
            self.description = description
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            type = members.lenient("type", default: .object)
            title = members.lenient("title")
            properties = try members.optional("properties", default: [:])
            required = try members.optional("required")
            description = members.lenient("description")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("type", type, default: .object)
            object.write("title", title)
            object.write("properties", properties, default: [:])
            object.write("required", required)
            object.write("description", description)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `ElicitationPropertySchema` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#elicitationpropertyschema>
    public enum ElicitationPropertySchema: JSONRecord {
        /// `type` is `string`.
        case string(StringPropertySchema)
        /// `type` is `number`.
        case number(NumberPropertySchema)
        /// `type` is `integer`.
        case integer(IntegerPropertySchema)
        /// `type` is `boolean`.
        case boolean(BooleanPropertySchema)
        /// `type` is `array`.
        case array(MultiSelectPropertySchema)
        /// A variant that this version cannot read: its `type`, and its other members.
        case unknown(String, JSONObject)

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            let tag: String = try members.required("type")
            switch tag {
            case "string": self = .string(try StringPropertySchema(reading: &members))
            case "number": self = .number(try NumberPropertySchema(reading: &members))
            case "integer": self = .integer(try IntegerPropertySchema(reading: &members))
            case "boolean": self = .boolean(try BooleanPropertySchema(reading: &members))
            case "array": self = .array(try MultiSelectPropertySchema(reading: &members))
            default: self = .unknown(tag, members.takeRest())
            }
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            switch self {
            case .string(let value):
                object.write("type", "string")
                value.write(into: &object)
            case .number(let value):
                object.write("type", "number")
                value.write(into: &object)
            case .integer(let value):
                object.write("type", "integer")
                value.write(into: &object)
            case .boolean(let value):
                object.write("type", "boolean")
                value.write(into: &object)
            case .array(let value):
                object.write("type", "array")
                value.write(into: &object)
            case .unknown(let tag, let others):
                object.write("type", tag)
                object.write(rest: others)
            }
        }
    }

    /// `EnumOption` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#enumoption>
    public struct EnumOption: JSONRecord {
        /// The member `const`, which must be there.
        public var const: String
        /// The member `title`, which must be there.
        public var title: String
        /// The member `description`; `nil` where it is absent, null or not readable.
        public var description: String?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(const: String, title: String, description: String? = nil, meta: JSONObject? = nil) {
            self.const = const
            self.title = title
            self.description = description
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            const = try members.required("const")
            title = try members.required("title")
            description = members.lenient("description")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("const", const)
            object.write("title", title)
            object.write("description", description)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `ElicitationFormMode` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#elicitationformmode>
    public struct ElicitationFormMode: JSONRecord {
        /// The member `requestedSchema`, which must be there.
        public var requestedSchema: ElicitationSchema
        /// What its other members say.
        public var scope: ElicitationScope
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(requestedSchema: ElicitationSchema, scope: ElicitationScope) {
            self.requestedSchema = requestedSchema
            self.scope = scope
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            requestedSchema = try members.required("requestedSchema")
            scope = try ElicitationScope(reading: &members)
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("requestedSchema", requestedSchema)
            scope.write(into: &object)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `ElicitationUrlMode` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#elicitationurlmode>
    public struct ElicitationURLMode: JSONRecord {
        /// The member `elicitationId`, which must be there.
        public var elicitationID: ElicitationID
        /// The member `url`, which must be there.
        public var url: String
        /// What its other members say.
        public var scope: ElicitationScope
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(elicitationID: ElicitationID, url: String, scope: ElicitationScope) {
            self.elicitationID = elicitationID
            self.url = url
            self.scope = scope
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            elicitationID = try members.required("elicitationId")
            url = try members.required("url")
            scope = try ElicitationScope(reading: &members)
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("elicitationId", elicitationID)
            object.write("url", url)
            scope.write(into: &object)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `ElicitationAcceptAction` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#elicitationacceptaction>
    public struct ElicitationAcceptAction: JSONRecord {
        /// The member `content`; `nil` where it is absent or null.
        public var content: [String: ElicitationContentValue]?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(content: [String: ElicitationContentValue]? = nil) {
            self.content = content
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            content = try members.optional("content")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("content", content)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
