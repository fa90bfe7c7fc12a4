// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// What answers `providers/set`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#setproviderresponse>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct SetProviderResponse: JSONRecord {
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

    /// The parameters of `providers/set`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#setproviderrequest>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct SetProviderRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = SetProviderResponse
        /// The method.
        public static let method = "providers/set"

        /// The member `providerId`, which must be there.
        public var providerID: ProviderID
        /// The member `apiType`, which must be there.
        public var apiType: LLMProtocol
        /// The member `baseUrl`, which must be there.
        public var baseURL: String
        /// The member `headers`; `nil` where it is absent or null.
        public var headers: [String: String]?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            providerID: ProviderID,
            apiType: LLMProtocol,
            baseURL: String,
            headers: [String: String]? = nil,
            meta: JSONObject? = nil
        ) {
            self.providerID = providerID
            self.apiType = apiType
            self.baseURL = baseURL
            self.headers = headers
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            providerID = try members.required("providerId")
            apiType = try members.required("apiType")
            baseURL = try members.required("baseUrl")
            headers = try members.optional("headers")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("providerId", providerID)
            object.write("apiType", apiType)
            object.write("baseUrl", baseURL)
            object.write("headers", headers)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
