// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// The parameters of `$/cancel_request`, which both sides send.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#cancelrequestnotification>
    public struct CancelRequestNotification: ACPNotification, JSONRecord {
        /// The method.
        public static let method = "$/cancel_request"

        /// The member `requestId`, which must be there.
        public var requestID: RequestID
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(requestID: RequestID, meta: JSONObject? = nil) {
            self.requestID = requestID
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            requestID = try members.required("requestId")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("requestId", requestID)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
