// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `AgentCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#agentcapabilities>
    public struct AgentCapabilities: JSONRecord {
        /// The member `loadSession`; `false` where it is absent or not readable.
        public var loadSession: Bool
        /// The member `promptCapabilities`; `PromptCapabilities()` where it is absent or not readable.
        public var promptCapabilities: PromptCapabilities
        /// The member `mcpCapabilities`; `MCPCapabilities()` where it is absent or not readable.
        public var mcpCapabilities: MCPCapabilities
        /// The member `sessionCapabilities`; `SessionCapabilities()` where it is absent or not readable.
        public var sessionCapabilities: SessionCapabilities
        /// The member `auth`; `AgentAuthCapabilities()` where it is absent or not readable.
        public var auth: AgentAuthCapabilities
        /// The member `providers`; `nil` where it is absent, null or not readable. Unstable.
        public var providers: ProvidersCapabilities?
        /// The member `nes`; `nil` where it is absent, null or not readable. Unstable.
        public var nes: NESCapabilities?
        /// The member `positionEncoding`; `nil` where it is absent, null or not readable. Unstable.
        public var positionEncoding: PositionEncodingKind?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            loadSession: Bool = false,
            promptCapabilities: PromptCapabilities = PromptCapabilities(),
            mcpCapabilities: MCPCapabilities = MCPCapabilities(),
            sessionCapabilities: SessionCapabilities = SessionCapabilities(),
            auth: AgentAuthCapabilities = AgentAuthCapabilities(),
            providers: ProvidersCapabilities? = nil,
            nes: NESCapabilities? = nil,
            positionEncoding: PositionEncodingKind? = nil,
            meta: JSONObject? = nil
        ) {
            self.loadSession = loadSession
            self.promptCapabilities = promptCapabilities
            self.mcpCapabilities = mcpCapabilities
            self.sessionCapabilities = sessionCapabilities
            self.auth = auth
            self.providers = providers
            self.nes = nes
            self.positionEncoding = positionEncoding
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            loadSession = members.lenient("loadSession", default: false)
            promptCapabilities = members.lenient("promptCapabilities", default: PromptCapabilities())
            mcpCapabilities = members.lenient("mcpCapabilities", default: MCPCapabilities())
            sessionCapabilities = members.lenient("sessionCapabilities", default: SessionCapabilities())
            auth = members.lenient("auth", default: AgentAuthCapabilities())
            providers = members.lenient("providers")
            nes = members.lenient("nes")
            positionEncoding = members.lenient("positionEncoding")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("loadSession", loadSession, default: false)
            object.write("promptCapabilities", promptCapabilities, default: PromptCapabilities())
            object.write("mcpCapabilities", mcpCapabilities, default: MCPCapabilities())
            object.write("sessionCapabilities", sessionCapabilities, default: SessionCapabilities())
            object.write("auth", auth, default: AgentAuthCapabilities())
            object.write("providers", providers)
            object.write("nes", nes)
            object.write("positionEncoding", positionEncoding)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `PromptCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#promptcapabilities>
    public struct PromptCapabilities: JSONRecord {
        /// The member `image`; `false` where it is absent or not readable.
        public var image: Bool
        /// The member `audio`; `false` where it is absent or not readable.
        public var audio: Bool
        /// The member `embeddedContext`; `false` where it is absent or not readable.
        public var embeddedContext: Bool
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(image: Bool = false, audio: Bool = false, embeddedContext: Bool = false, meta: JSONObject? = nil) {
            self.image = image
            self.audio = audio
            self.embeddedContext = embeddedContext
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            image = members.lenient("image", default: false)
            audio = members.lenient("audio", default: false)
            embeddedContext = members.lenient("embeddedContext", default: false)
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("image", image, default: false)
            object.write("audio", audio, default: false)
            object.write("embeddedContext", embeddedContext, default: false)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `McpCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#mcpcapabilities>
    public struct MCPCapabilities: JSONRecord {
        /// The member `http`; `false` where it is absent or not readable.
        public var http: Bool
        /// The member `sse`; `false` where it is absent or not readable.
        public var sse: Bool
        /// The member `acp`; `false` where it is absent or not readable. Unstable.
        public var acp: Bool
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(http: Bool = false, sse: Bool = false, acp: Bool = false, meta: JSONObject? = nil) {
            self.http = http
            self.sse = sse
            self.acp = acp
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            http = members.lenient("http", default: false)
            sse = members.lenient("sse", default: false)
            acp = members.lenient("acp", default: false)
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("http", http, default: false)
            object.write("sse", sse, default: false)
            object.write("acp", acp, default: false)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `AgentAuthCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#agentauthcapabilities>
    public struct AgentAuthCapabilities: JSONRecord {
        /// The member `logout`; `nil` where it is absent, null or not readable.
        public var logout: LogoutCapabilities?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(logout: LogoutCapabilities? = nil, meta: JSONObject? = nil) {
            self.logout = logout
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            logout = members.lenient("logout")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("logout", logout)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `LogoutCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#logoutcapabilities>
    public struct LogoutCapabilities: JSONRecord {
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(meta: JSONObject? = nil) {
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
