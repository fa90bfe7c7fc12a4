// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `PermissionOption` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#permissionoption>
    public struct PermissionOption: JSONRecord {
        /// The member `optionId`, which must be there.
        public var optionID: PermissionOptionID
        /// The member `name`, which must be there.
        public var name: String
        /// The member `kind`, which must be there.
        public var kind: PermissionOptionKind
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(optionID: PermissionOptionID, name: String, kind: PermissionOptionKind, meta: JSONObject? = nil) {
            self.optionID = optionID
            self.name = name
            self.kind = kind
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            optionID = try members.required("optionId")
            name = try members.required("name")
            kind = try members.required("kind")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("optionId", optionID)
            object.write("name", name)
            object.write("kind", kind)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `RequestPermissionOutcome` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#requestpermissionoutcome>
    public enum RequestPermissionOutcome: JSONRecord {
        /// `outcome` is `cancelled`.
        case cancelled(rest: JSONObject = JSONObject())
        /// `outcome` is `selected`.
        case selected(SelectedPermissionOutcome)
        /// A variant that this version cannot read: its `outcome`, and its other members.
        case unknown(String, JSONObject)

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            let tag: String = try members.required("outcome")
            switch tag {
            case "cancelled": self = .cancelled(rest: members.takeRest())
            case "selected": self = .selected(try SelectedPermissionOutcome(reading: &members))
            default: self = .unknown(tag, members.takeRest())
            }
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            switch self {
            case .cancelled(let others):
                object.write("outcome", "cancelled")
                object.write(rest: others)
            case .selected(let value):
                object.write("outcome", "selected")
                value.write(into: &object)
            case .unknown(let tag, let others):
                object.write("outcome", tag)
                object.write(rest: others)
            }
        }
    }

    /// `SelectedPermissionOutcome` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#selectedpermissionoutcome>
    public struct SelectedPermissionOutcome: JSONRecord {
        /// The member `optionId`, which must be there.
        public var optionID: PermissionOptionID
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(optionID: PermissionOptionID, meta: JSONObject? = nil) {
            self.optionID = optionID
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            optionID = try members.required("optionId")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("optionId", optionID)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
