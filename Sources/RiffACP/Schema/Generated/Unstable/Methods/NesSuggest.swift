// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// What answers `nes/suggest`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#suggestnesresponse>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct SuggestNESResponse: JSONRecord {
        /// The member `suggestions`, which must be there.
        public var suggestions: [NESSuggestion]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(suggestions: [NESSuggestion], meta: JSONObject? = nil) {
            self.suggestions = suggestions
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            suggestions = try members.required("suggestions")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("suggestions", suggestions)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// The parameters of `nes/suggest`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#suggestnesrequest>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct SuggestNESRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = SuggestNESResponse
        /// The method.
        public static let method = "nes/suggest"

        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `uri`, which must be there.
        public var uri: String
        /// The member `version`, which must be there.
        public var version: Int
        /// The member `position`, which must be there.
        public var position: TextPosition
        /// The member `triggerKind`, which must be there.
        public var triggerKind: NESTriggerKind
        /// The member `selection`; `nil` where it is absent or null.
        public var selection: TextRange?
        /// The member `context`; `nil` where it is absent or null.
        public var context: NESSuggestContext?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            sessionID: SessionID,
            uri: String,
            version: Int,
            position: TextPosition,
            triggerKind: NESTriggerKind,
            selection: TextRange? = nil,
            context: NESSuggestContext? = nil,
            meta: JSONObject? = nil
        ) {
            self.sessionID = sessionID
            self.uri = uri
            self.version = version
            self.position = position
            self.triggerKind = triggerKind
            self.selection = selection
            self.context = context
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            uri = try members.required("uri")
            version = try members.required("version")
            position = try members.required("position")
            triggerKind = try members.required("triggerKind")
            selection = try members.optional("selection")
            context = try members.optional("context")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("uri", uri)
            object.write("version", version)
            object.write("position", position)
            object.write("triggerKind", triggerKind)
            object.write("selection", selection)
            object.write("context", context)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
