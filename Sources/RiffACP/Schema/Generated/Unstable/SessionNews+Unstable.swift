// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `CompactionUpdate` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#compactionupdate>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct CompactionUpdate: JSONRecord {
        /// The member `compactionId`, which must be there.
        public var compactionID: CompactionID
        /// The member `status`, which must be there.
        public var status: CompactionStatus
        /// What becomes of `summary`.
        public var summary: Patch<[ContentBlock]>
        /// What becomes of `error`.
        public var error: Patch<String>
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            compactionID: CompactionID,
            status: CompactionStatus,
            summary: Patch<[ContentBlock]> = .keep,
            error: Patch<String> = .keep,
            meta: JSONObject? = nil
        ) {
            self.compactionID = compactionID
            self.status = status
            self.summary = summary
            self.error = error
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            compactionID = try members.required("compactionId")
            status = try members.required("status")
            summary = members.patchList("summary")
            error = members.patch("error")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("compactionId", compactionID)
            object.write("status", status)
            object.write("summary", summary)
            object.write("error", error)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
