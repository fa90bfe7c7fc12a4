// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// What answers `session/set_config_option`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#setsessionconfigoptionresponse>
    public struct SetSessionConfigOptionResponse: JSONRecord {
        /// The member `configOptions`; `[]` where a list is absent or not readable.
        public var configOptions: [SessionConfigOption]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(configOptions: [SessionConfigOption] = [], meta: JSONObject? = nil) {
            self.configOptions = configOptions
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            configOptions = members.lenientList("configOptions", default: [])
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("configOptions", configOptions, default: [])
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// The parameters of `session/set_config_option`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#setsessionconfigoptionrequest>
    public struct SetSessionConfigOptionRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = SetSessionConfigOptionResponse
        /// The method.
        public static let method = "session/set_config_option"

        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `configId`, which must be there.
        public var configID: SessionConfigID
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// What its other members say.
        public var value: SessionConfigOptionValue
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            sessionID: SessionID,
            configID: SessionConfigID,
            value: SessionConfigOptionValue,
            meta: JSONObject? = nil
        ) {
            self.sessionID = sessionID
            self.configID = configID
            self.meta = meta
            self.value = value
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            configID = try members.required("configId")
            meta = members.lenient("_meta")
            value = try SessionConfigOptionValue(reading: &members)
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("configId", configID)
            object.write("_meta", meta)
            value.write(into: &object)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
