// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `ProviderInfo` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#providerinfo>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct ProviderInfo: JSONRecord {
        /// The member `providerId`, which must be there.
        public var providerID: ProviderID
        /// The member `supported`, which must be there; elements that cannot be read are left out.
        public var supported: [LLMProtocol]
        /// The member `required`, which must be there.
        public var required: Bool
        /// The member `current`; `nil` where it is absent or null.
        public var current: ProviderCurrentConfig?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            providerID: ProviderID,
            supported: [LLMProtocol],
            required: Bool,
            current: ProviderCurrentConfig? = nil,
            meta: JSONObject? = nil
        ) {
            self.providerID = providerID
            self.supported = supported
            self.required = required
            self.current = current
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            providerID = try members.required("providerId")
            supported = try members.requiredList("supported")
            required = try members.required("required")
            current = try members.optional("current")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("providerId", providerID)
            object.write("supported", supported)
            object.write("required", required)
            object.write("current", current)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `ProviderCurrentConfig` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#providercurrentconfig>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct ProviderCurrentConfig: JSONRecord {
        /// The member `apiType`, which must be there.
        public var apiType: LLMProtocol
        /// The member `baseUrl`, which must be there.
        public var baseURL: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(apiType: LLMProtocol, baseURL: String, meta: JSONObject? = nil) {
            self.apiType = apiType
            self.baseURL = baseURL
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            apiType = try members.required("apiType")
            baseURL = try members.required("baseUrl")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("apiType", apiType)
            object.write("baseUrl", baseURL)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `Usage` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#usage>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct Usage: JSONRecord {
        /// The member `totalTokens`, which must be there.
        public var totalTokens: UInt64
        /// The member `inputTokens`, which must be there.
        public var inputTokens: UInt64
        /// The member `outputTokens`, which must be there.
        public var outputTokens: UInt64
        /// The member `thoughtTokens`; `nil` where it is absent, null or not readable.
        public var thoughtTokens: UInt64?
        /// The member `cachedReadTokens`; `nil` where it is absent, null or not readable.
        public var cachedReadTokens: UInt64?
        /// The member `cachedWriteTokens`; `nil` where it is absent, null or not readable.
        public var cachedWriteTokens: UInt64?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            totalTokens: UInt64,
            inputTokens: UInt64,
            outputTokens: UInt64,
            thoughtTokens: UInt64? = nil,
            cachedReadTokens: UInt64? = nil,
            cachedWriteTokens: UInt64? = nil,
            meta: JSONObject? = nil
        ) {
            self.totalTokens = totalTokens
            self.inputTokens = inputTokens
            self.outputTokens = outputTokens
            self.thoughtTokens = thoughtTokens
            self.cachedReadTokens = cachedReadTokens
            self.cachedWriteTokens = cachedWriteTokens
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            totalTokens = try members.required("totalTokens")
            inputTokens = try members.required("inputTokens")
            outputTokens = try members.required("outputTokens")
            thoughtTokens = members.lenient("thoughtTokens")
            cachedReadTokens = members.lenient("cachedReadTokens")
            cachedWriteTokens = members.lenient("cachedWriteTokens")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("totalTokens", totalTokens)
            object.write("inputTokens", inputTokens)
            object.write("outputTokens", outputTokens)
            object.write("thoughtTokens", thoughtTokens)
            object.write("cachedReadTokens", cachedReadTokens)
            object.write("cachedWriteTokens", cachedWriteTokens)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
