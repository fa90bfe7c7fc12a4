// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

/// The address of a chat gateway, and the values by which it is spoken to.
public struct GatewayConfiguration: Sendable, Hashable {
    /// The address on which gateways listen unless configured otherwise.
    package static let standardAddress = "http://127.0.0.1:18789"

    /// The address of the gateway.
    public var server: HTTPBaseURL
    /// The token, sent as `Authorization: Bearer`; without one, most gateways talk to their own machine alone.
    public var token: Secret?
    /// Which of the gateway's agents is meant.
    public var agent: String?
    /// The model to ask for.
    public var model: String

    /// The billing of providers, by their ids, if the person knows better than the gateway.
    public var billing: [String: GatewayProvider.Billing]

    /// Whether thoughts that a model writes into its answer, between `<think>` and `</think>` before all else, are a
    /// part of its reasoning instead. Servers do this by themselves where they know the model.
    public var separatesThinking = false

    /// The places that the address, the token and the model were taken from, where
    /// ``resolved(typed:environment:file:)`` took them: to show, and to find out why another gateway answers than was
    /// meant.
    public internal(set) var origins: Origins?

    /// Creates a configuration.
    package init(
        server: HTTPBaseURL,
        token: Secret? = nil,
        agent: String? = nil,
        model: String = "default",
        billing: [String: GatewayProvider.Billing] = [:]
    ) {
        (self.server, self.token, self.agent, self.model) = (server, token, agent, model)
        self.billing = billing
    }

    /// The values that a person typed.
    public struct Typed: Sendable, Hashable {
        /// The address of the gateway.
        public var address: String?
        /// The token for the gateway.
        public var token: Secret?
        /// The name of the agent.
        public var agent: String?
        /// The name of the model.
        public var model: String?

        /// A choice; `nil` leaves it to the other places.
        public init(
            address: String? = nil,
            token: Secret? = nil,
            agent: String? = nil,
            model: String? = nil
        ) {
            (self.address, self.token, self.agent, self.model) = (address, token, agent, model)
        }
    }

    /// Whether the token and all that is said go over a network that is not this machine, without TLS. A front end
    /// should say so unless the network itself encrypts, as a tailnet does.
    public var isExposed: Bool {
        guard server.scheme == "http" else { return false }
        let authority = server.authority
        let host =
            authority.hasPrefix("[") ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        return !(host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || Self.isLoopback(host))
    }
}

extension GatewayConfiguration {
    /// `127.` and three more numbers: a name may begin so, too.
    fileprivate static func isLoopback(_ host: Substring) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

extension GatewayErrorCode {
    /// The gateway's address is none.
    public static let addressInvalid = GatewayError.Code(rawValue: "addressInvalid")
}

extension SettingName {
    /// The address of a gateway.
    public static let gatewayURL = SettingName("gatewayURL")
    /// The token with which a gateway is entered.
    public static let gatewayToken = SettingName("gatewayToken")
}
