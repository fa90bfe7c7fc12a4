// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `ContentBlock` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#contentblock>
    public enum ContentBlock: JSONRecord {
        /// `type` is `text`.
        case text(TextContent)
        /// `type` is `image`.
        case image(ImageContent)
        /// `type` is `audio`.
        case audio(AudioContent)
        /// `type` is `resource_link`.
        case resourceLink(ResourceLink)
        /// `type` is `resource`.
        case resource(EmbeddedResource)
        /// A variant that this version cannot read: its `type`, and its other members.
        case unknown(String, JSONObject)

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            let tag: String = try members.required("type")
            switch tag {
            case "text": self = .text(try TextContent(reading: &members))
            case "image": self = .image(try ImageContent(reading: &members))
            case "audio": self = .audio(try AudioContent(reading: &members))
            case "resource_link": self = .resourceLink(try ResourceLink(reading: &members))
            case "resource": self = .resource(try EmbeddedResource(reading: &members))
            default: self = .unknown(tag, members.takeRest())
            }
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            switch self {
            case .text(let value):
                object.write("type", "text")
                value.write(into: &object)
            case .image(let value):
                object.write("type", "image")
                value.write(into: &object)
            case .audio(let value):
                object.write("type", "audio")
                value.write(into: &object)
            case .resourceLink(let value):
                object.write("type", "resource_link")
                value.write(into: &object)
            case .resource(let value):
                object.write("type", "resource")
                value.write(into: &object)
            case .unknown(let tag, let others):
                object.write("type", tag)
                object.write(rest: others)
            }
        }
    }

    /// `Annotations` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#annotations>
    public struct Annotations: JSONRecord {
        /// The member `audience`; `nil` where a list is absent, null or not readable.
        public var audience: [Role]?
        /// The member `lastModified`; `nil` where it is absent, null or not readable.
        public var lastModified: String?
        /// The member `priority`; `nil` where it is absent, null or not readable.
        public var priority: Double?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            audience: [Role]? = nil,
            lastModified: String? = nil,
            priority: Double? = nil,
            meta: JSONObject? = nil
        ) {
            self.audience = audience
            self.lastModified = lastModified
            self.priority = priority
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            audience = members.lenientList("audience")
            lastModified = members.lenient("lastModified")
            priority = members.lenient("priority")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("audience", audience)
            object.write("lastModified", lastModified)
            object.write("priority", priority)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `TextContent` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#textcontent>
    public struct TextContent: JSONRecord {
        /// The member `text`, which must be there.
        public var text: String
        /// The member `annotations`; `nil` where it is absent, null or not readable.
        public var annotations: Annotations?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(text: String, annotations: Annotations? = nil, meta: JSONObject? = nil) {
            self.text = text
            self.annotations = annotations
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            text = try members.required("text")
            annotations = members.lenient("annotations")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("text", text)
            object.write("annotations", annotations)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `ImageContent` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#imagecontent>
    public struct ImageContent: JSONRecord {
        /// The member `data`, which must be there.
        public var data: String
        /// The member `mimeType`, which must be there.
        public var mimeType: String
        /// The member `annotations`; `nil` where it is absent, null or not readable.
        public var annotations: Annotations?
        /// The member `uri`; `nil` where it is absent, null or not readable.
        public var uri: String?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            data: String,
            mimeType: String,
            annotations: Annotations? = nil,
            uri: String? = nil,
            meta: JSONObject? = nil
        ) {
            self.data = data
            self.mimeType = mimeType
            self.annotations = annotations
            self.uri = uri
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            data = try members.required("data")
            mimeType = try members.required("mimeType")
            annotations = members.lenient("annotations")
            uri = members.lenient("uri")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("data", data)
            object.write("mimeType", mimeType)
            object.write("annotations", annotations)
            object.write("uri", uri)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `AudioContent` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#audiocontent>
    public struct AudioContent: JSONRecord {
        /// The member `data`, which must be there.
        public var data: String
        /// The member `mimeType`, which must be there.
        public var mimeType: String
        /// The member `annotations`; `nil` where it is absent, null or not readable.
        public var annotations: Annotations?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(data: String, mimeType: String, annotations: Annotations? = nil, meta: JSONObject? = nil) {
            self.data = data
            self.mimeType = mimeType
            self.annotations = annotations
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            data = try members.required("data")
            mimeType = try members.required("mimeType")
            annotations = members.lenient("annotations")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("data", data)
            object.write("mimeType", mimeType)
            object.write("annotations", annotations)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
