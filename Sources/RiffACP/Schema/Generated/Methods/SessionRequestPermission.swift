// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// The parameters of `session/request_permission`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#requestpermissionrequest>
    public struct RequestPermissionRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = RequestPermissionResponse
        /// The method.
        public static let method = "session/request_permission"

        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `toolCall`, which must be there.
        public var toolCall: ToolCallUpdate
        /// The member `options`, which must be there.
        public var options: [PermissionOption]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            sessionID: SessionID,
            toolCall: ToolCallUpdate,
            options: [PermissionOption],
            meta: JSONObject? = nil
        ) {
            self.sessionID = sessionID
            self.toolCall = toolCall
            self.options = options
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            toolCall = try members.required("toolCall")
            options = try members.required("options")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("toolCall", toolCall)
            object.write("options", options)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// What answers `session/request_permission`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#requestpermissionresponse>
    public struct RequestPermissionResponse: JSONRecord {
        /// The member `outcome`, which must be there.
        public var outcome: RequestPermissionOutcome
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(outcome: RequestPermissionOutcome, meta: JSONObject? = nil) {
            self.outcome = outcome
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            outcome = try members.required("outcome")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("outcome", outcome)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
