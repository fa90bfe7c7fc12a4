// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `EnvVariable` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#envvariable>
    public struct EnvVariable: JSONRecord {
        /// The member `name`, which must be there.
        public var name: String
        /// The member `value`, which must be there.
        public var value: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(name: String, value: String, meta: JSONObject? = nil) {
            self.name = name
            self.value = value
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            name = try members.required("name")
            value = try members.required("value")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("name", name)
            object.write("value", value)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `McpServer` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#mcpserver>
    public enum MCPServer: JSONRecord {
        /// `type` is `http`.
        case http(MCPServerHTTP)
        /// `type` is `sse`.
        case sse(MCPServerSSE)
        /// `type` is `acp`. Unstable.
        case acp(MCPServerACP)
        /// Has no `type`.
        case stdio(MCPServerStdio)
        /// A variant that this version cannot read: its `type`, and its other members.
        case unknown(String, JSONObject)

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            guard let found = members.peek("type"), found != .null, found != "stdio" else {
                self = .stdio(try MCPServerStdio(reading: &members))
                return
            }
            let tag: String = try members.required("type")
            switch tag {
            case "http": self = .http(try MCPServerHTTP(reading: &members))
            case "sse": self = .sse(try MCPServerSSE(reading: &members))
            case "acp": self = .acp(try MCPServerACP(reading: &members))
            default: self = .unknown(tag, members.takeRest())
            }
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            switch self {
            case .http(let value):
                object.write("type", "http")
                value.write(into: &object)
            case .sse(let value):
                object.write("type", "sse")
                value.write(into: &object)
            case .acp(let value):
                object.write("type", "acp")
                value.write(into: &object)
            case .stdio(let value): value.write(into: &object)
            case .unknown(let tag, let others):
                object.write("type", tag)
                object.write(rest: others)
            }
        }
    }

    /// `HttpHeader` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#httpheader>
    public struct HTTPHeader: JSONRecord {
        /// The member `name`, which must be there.
        public var name: String
        /// The member `value`, which must be there.
        public var value: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(name: String, value: String, meta: JSONObject? = nil) {
            self.name = name
            self.value = value
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            name = try members.required("name")
            value = try members.required("value")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("name", name)
            object.write("value", value)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `McpServerHttp` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#mcpserverhttp>
    public struct MCPServerHTTP: JSONRecord {
        /// The member `name`, which must be there.
        public var name: String
        /// The member `url`, which must be there.
        public var url: String
        /// The member `headers`, which must be there.
        public var headers: [HTTPHeader]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(name: String, url: String, headers: [HTTPHeader], meta: JSONObject? = nil) {
            self.name = name
            self.url = url
            self.headers = headers
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            name = try members.required("name")
            url = try members.required("url")
            headers = try members.required("headers")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("name", name)
            object.write("url", url)
            object.write("headers", headers)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `McpServerSse` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#mcpserversse>
    public struct MCPServerSSE: JSONRecord {
        /// The member `name`, which must be there.
        public var name: String
        /// The member `url`, which must be there.
        public var url: String
        /// The member `headers`, which must be there.
        public var headers: [HTTPHeader]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(name: String, url: String, headers: [HTTPHeader], meta: JSONObject? = nil) {
            self.name = name
            self.url = url
            self.headers = headers
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            name = try members.required("name")
            url = try members.required("url")
            headers = try members.required("headers")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("name", name)
            object.write("url", url)
            object.write("headers", headers)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `McpServerStdio` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#mcpserverstdio>
    public struct MCPServerStdio: JSONRecord {
        /// The member `name`, which must be there.
        public var name: String
        /// The member `command`, which must be there.
        public var command: String
        /// The member `args`, which must be there.
        public var args: [String]
        /// The member `env`, which must be there.
        public var env: [EnvVariable]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(name: String, command: String, args: [String], env: [EnvVariable], meta: JSONObject? = nil) {
            self.name = name
            self.command = command
            self.args = args
            self.env = env
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            name = try members.required("name")
            command = try members.required("command")
            args = try members.required("args")
            env = try members.required("env")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("name", name)
            object.write("command", command)
            object.write("args", args)
            object.write("env", env)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
