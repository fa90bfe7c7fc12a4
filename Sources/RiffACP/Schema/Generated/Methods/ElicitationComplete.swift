// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// The parameters of `elicitation/complete`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#completeelicitationnotification>
    public struct CompleteElicitationNotification: ACPNotification, JSONRecord {
        /// The method.
        public static let method = "elicitation/complete"

        /// The member `elicitationId`, which must be there.
        public var elicitationID: ElicitationID
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(elicitationID: ElicitationID, meta: JSONObject? = nil) {
            self.elicitationID = elicitationID
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            elicitationID = try members.required("elicitationId")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("elicitationId", elicitationID)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
