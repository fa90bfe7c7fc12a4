// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// What answers `nes/start`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#startnesresponse>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct StartNESResponse: JSONRecord {
        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(sessionID: SessionID, meta: JSONObject? = nil) {
            self.sessionID = sessionID
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// The parameters of `nes/start`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#startnesrequest>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct StartNESRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = StartNESResponse
        /// The method.
        public static let method = "nes/start"

        /// The member `workspaceUri`; `nil` where it is absent, null or not readable.
        public var workspaceURI: String?
        /// The member `workspaceFolders`; `nil` where a list is absent or null.
        public var workspaceFolders: [WorkspaceFolder]?
        /// The member `repository`; `nil` where it is absent, null or not readable.
        public var repository: NESRepository?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            workspaceURI: String? = nil,
            workspaceFolders: [WorkspaceFolder]? = nil,
            repository: NESRepository? = nil,
            meta: JSONObject? = nil
        ) {
            self.workspaceURI = workspaceURI
            self.workspaceFolders = workspaceFolders
            self.repository = repository
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            workspaceURI = members.lenient("workspaceUri")
            workspaceFolders = try members.optional("workspaceFolders")
            repository = members.lenient("repository")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("workspaceUri", workspaceURI)
            object.write("workspaceFolders", workspaceFolders)
            object.write("repository", repository)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
