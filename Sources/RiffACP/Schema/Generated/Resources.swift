// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `ResourceLink` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#resourcelink>
    public struct ResourceLink: JSONRecord {
        /// The member `name`, which must be there.
        public var name: String
        /// The member `uri`, which must be there.
        public var uri: String
        /// The member `annotations`; `nil` where it is absent, null or not readable.
        public var annotations: Annotations?
        /// The member `description`; `nil` where it is absent, null or not readable.
        public var description: String?
        /// The member `mimeType`; `nil` where it is absent, null or not readable.
        public var mimeType: String?
        /// The member `size`; `nil` where it is absent, null or not readable.
        public var size: Int?
        /// The member `title`; `nil` where it is absent, null or not readable.
        public var title: String?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            name: String,
            uri: String,
            annotations: Annotations? = nil,
            description: String? = nil,
            mimeType: String? = nil,
            size: Int? = nil,
            title: String? = nil,
            meta: JSONObject? = nil
        ) {
            self.name = name
            self.uri = uri
            self.annotations = annotations
            self.description = description
            self.mimeType = mimeType
            self.size = size
            self.title = title
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            name = try members.required("name")
            uri = try members.required("uri")
            annotations = members.lenient("annotations")
            description = members.lenient("description")
            mimeType = members.lenient("mimeType")
            size = members.lenient("size")
            title = members.lenient("title")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("name", name)
            object.write("uri", uri)
            object.write("annotations", annotations)
            object.write("description", description)
            object.write("mimeType", mimeType)
            object.write("size", size)
            object.write("title", title)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `EmbeddedResourceResource` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#embeddedresourceresource>
    public enum EmbeddedResourceResource: JSONRecord {
        /// Has the members of ``TextResourceContents``.
        case text(TextResourceContents)
        /// Has the members of ``BlobResourceContents``.
        case blob(BlobResourceContents)
        /// A variant that this version does not know.
        case unknown(JSONObject)

        /// Reads the members.
        public init(reading members: inout JSONMembers) {
            let before = members
            // Which variant it is shows in whether it can be read.
            if let value = try? TextResourceContents(reading: &members) {
                self = .text(value)
                return
            }
            members = before
            // Which variant it is shows in whether it can be read.
            if let value = try? BlobResourceContents(reading: &members) {
                self = .blob(value)
                return
            }
            members = before
            self = .unknown(members.takeRest())
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            switch self {
            case .text(let value): value.write(into: &object)
            case .blob(let value): value.write(into: &object)
            case .unknown(let others): object.write(rest: others)
            }
        }
    }

    /// `TextResourceContents` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#textresourcecontents>
    public struct TextResourceContents: JSONRecord {
        /// The member `text`, which must be there.
        public var text: String
        /// The member `uri`, which must be there.
        public var uri: String
        /// The member `mimeType`; `nil` where it is absent, null or not readable.
        public var mimeType: String?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(text: String, uri: String, mimeType: String? = nil, meta: JSONObject? = nil) {
            self.text = text
            self.uri = uri
            self.mimeType = mimeType
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            text = try members.required("text")
            uri = try members.required("uri")
            mimeType = members.lenient("mimeType")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("text", text)
            object.write("uri", uri)
            object.write("mimeType", mimeType)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `BlobResourceContents` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#blobresourcecontents>
    public struct BlobResourceContents: JSONRecord {
        /// The member `blob`, which must be there.
        public var blob: String
        /// The member `uri`, which must be there.
        public var uri: String
        /// The member `mimeType`; `nil` where it is absent, null or not readable.
        public var mimeType: String?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(blob: String, uri: String, mimeType: String? = nil, meta: JSONObject? = nil) {
            self.blob = blob
            self.uri = uri
            self.mimeType = mimeType
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            blob = try members.required("blob")
            uri = try members.required("uri")
            mimeType = members.lenient("mimeType")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("blob", blob)
            object.write("uri", uri)
            object.write("mimeType", mimeType)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `EmbeddedResource` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#embeddedresource>
    public struct EmbeddedResource: JSONRecord {
        /// The member `resource`, which must be there.
        public var resource: EmbeddedResourceResource
        /// The member `annotations`; `nil` where it is absent, null or not readable.
        public var annotations: Annotations?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(resource: EmbeddedResourceResource, annotations: Annotations? = nil, meta: JSONObject? = nil) {
            self.resource = resource
            self.annotations = annotations
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            resource = try members.required("resource")
            annotations = members.lenient("annotations")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("resource", resource)
            object.write("annotations", annotations)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
