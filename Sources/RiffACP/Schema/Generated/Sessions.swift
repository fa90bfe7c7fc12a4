// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `SessionModeState` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionmodestate>
    public struct SessionModeState: JSONRecord {
        /// The member `currentModeId`, which must be there.
        public var currentModeID: SessionModeID
        /// The member `availableModes`, which must be there; elements that cannot be read are left out.
        public var availableModes: [SessionMode]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(currentModeID: SessionModeID, availableModes: [SessionMode], meta: JSONObject? = nil) {
            self.currentModeID = currentModeID
            self.availableModes = availableModes
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            currentModeID = try members.required("currentModeId")
            availableModes = try members.requiredList("availableModes")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("currentModeId", currentModeID)
            object.write("availableModes", availableModes)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `SessionMode` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionmode>
    public struct SessionMode: JSONRecord {
        /// The member `id`, which must be there.
        public var id: SessionModeID
        /// The member `name`, which must be there.
        public var name: String
        /// The member `description`; `nil` where it is absent, null or not readable.
        public var description: String?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(id: SessionModeID, name: String, description: String? = nil, meta: JSONObject? = nil) {
            self.id = id
            self.name = name
            self.description = description
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            id = try members.required("id")
            name = try members.required("name")
            description = members.lenient("description")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("id", id)
            object.write("name", name)
            object.write("description", description)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `SessionInfo` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessioninfo>
    public struct SessionInfo: JSONRecord {
        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `cwd`, which must be there.
        public var cwd: String
        /// The member `additionalDirectories`; `[]` where a list is absent or not readable.
        public var additionalDirectories: [String]
        /// The member `title`; `nil` where it is absent, null or not readable.
        public var title: String?
        /// The member `updatedAt`; `nil` where it is absent, null or not readable.
        public var updatedAt: String?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            sessionID: SessionID,
            cwd: String,
            additionalDirectories: [String] = [],
            title: String? = nil,
            updatedAt: String? = nil,
            meta: JSONObject? = nil
        ) {
            self.sessionID = sessionID
            self.cwd = cwd
            self.additionalDirectories = additionalDirectories
            self.title = title
            self.updatedAt = updatedAt
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            cwd = try members.required("cwd")
            additionalDirectories = members.lenientList("additionalDirectories", default: [])
            title = members.lenient("title")
            updatedAt = members.lenient("updatedAt")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("cwd", cwd)
            object.write("additionalDirectories", additionalDirectories, default: [])
            object.write("title", title)
            object.write("updatedAt", updatedAt)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `ModelInfo` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#modelinfo>
    ///
    /// No longer in the schema; agents in use still send it.
    public struct ModelInfo: JSONRecord {
        /// The member `modelId`, which must be there.
        public var modelID: ModelID
        /// The member `name`, which must be there.
        public var name: String
        /// The member `description`; `nil` where it is absent, null or not readable.
        public var description: String?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(modelID: ModelID, name: String, description: String? = nil, meta: JSONObject? = nil) {
            self.modelID = modelID
            self.name = name
            self.description = description
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            modelID = try members.required("modelId")
            name = try members.required("name")
            description = members.lenient("description")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("modelId", modelID)
            object.write("name", name)
            object.write("description", description)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `SessionModelState` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionmodelstate>
    ///
    /// No longer in the schema; agents in use still send it.
    public struct SessionModelState: JSONRecord {
        /// The member `currentModelId`, which must be there.
        public var currentModelID: ModelID
        /// The member `availableModels`, which must be there; elements that cannot be read are left out.
        public var availableModels: [ModelInfo]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(currentModelID: ModelID, availableModels: [ModelInfo], meta: JSONObject? = nil) {
            self.currentModelID = currentModelID
            self.availableModels = availableModels
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            currentModelID = try members.required("currentModelId")
            availableModels = try members.requiredList("availableModels")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("currentModelId", currentModelID)
            object.write("availableModels", availableModels)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
