// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// The parameters of `elicitation/create`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#createelicitationrequest>
    public struct CreateElicitationRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = CreateElicitationResponse
        /// The method.
        public static let method = "elicitation/create"

        /// The member `message`, which must be there.
        public var message: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// What its other members say.
        public var mode: ElicitationMode
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(message: String, mode: ElicitationMode, meta: JSONObject? = nil) {
            self.message = message
            self.meta = meta
            self.mode = mode
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            message = try members.required("message")
            meta = members.lenient("_meta")
            mode = try ElicitationMode(reading: &members)
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("message", message)
            object.write("_meta", meta)
            mode.write(into: &object)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// What the members of ``CreateElicitationRequest`` beside its own say.
    public enum ElicitationMode: JSONRecord {
        /// `mode` is `form`.
        case form(ElicitationFormMode)
        /// `mode` is `url`.
        case url(ElicitationURLMode)
        /// A variant that this version cannot read: its `mode`, and its other members.
        case unknown(String, JSONObject)

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            let tag: String = try members.required("mode")
            switch tag {
            case "form": self = .form(try ElicitationFormMode(reading: &members))
            case "url": self = .url(try ElicitationURLMode(reading: &members))
            default: self = .unknown(tag, members.takeRest())
            }
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            switch self {
            case .form(let value):
                object.write("mode", "form")
                value.write(into: &object)
            case .url(let value):
                object.write("mode", "url")
                value.write(into: &object)
            case .unknown(let tag, let others):
                object.write("mode", tag)
                object.write(rest: others)
            }
        }
    }

    /// What answers `elicitation/create`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#createelicitationresponse>
    public struct CreateElicitationResponse: JSONRecord {
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// What its other members say.
        public var action: ElicitationAction
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(action: ElicitationAction, meta: JSONObject? = nil) {
            self.meta = meta
            self.action = action
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            meta = members.lenient("_meta")
            action = try ElicitationAction(reading: &members)
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("_meta", meta)
            action.write(into: &object)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// What the members of ``CreateElicitationResponse`` beside its own say.
    public enum ElicitationAction: JSONRecord {
        /// `action` is `accept`.
        case accept(ElicitationAcceptAction)
        /// `action` is `decline`.
        case decline
        /// `action` is `cancel`.
        case cancel
        /// A variant that this version cannot read: its `action`, and its other members.
        case unknown(String, JSONObject)

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            let tag: String = try members.required("action")
            switch tag {
            case "accept": self = .accept(try ElicitationAcceptAction(reading: &members))
            case "decline": self = .decline
            case "cancel": self = .cancel
            default: self = .unknown(tag, members.takeRest())
            }
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            switch self {
            case .accept(let value):
                object.write("action", "accept")
                value.write(into: &object)
            case .decline:
                object.write("action", "decline")
            case .cancel:
                object.write("action", "cancel")
            case .unknown(let tag, let others):
                object.write("action", tag)
                object.write(rest: others)
            }
        }
    }
}
