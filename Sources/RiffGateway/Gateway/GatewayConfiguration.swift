// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

/// Where a chat gateway is, and how it is spoken to.
public struct GatewayConfiguration: Sendable, Hashable {
    /// Where gateways listen unless told otherwise.
    package static let standardAddress = "http://127.0.0.1:18789"

    /// The address.
    public var server: HTTPBaseURL
    /// The token, sent as `Authorization: Bearer`; without one, most gateways talk to their own machine alone.
    public var token: Secret?
    /// Which of the gateway's agents is meant.
    public var agent: String?
    /// The model to ask for.
    public var model: String

    /// How providers are paid, by their ids, where the person knows better than the gateway.
    public var billing: [String: GatewayProvider.Billing]

    /// A configuration.
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

    /// The configuration that several places give together. What was typed counts most, then the environment
    /// (`REMOTECLAW_GATEWAY_URL`, `REMOTECLAW_GATEWAY_TOKEN`), then a file, then what is built in; an empty text counts
    /// as absent in each of them.
    ///
    /// - Parameters:
    ///   - typed: What a person chose: an address, a token, an agent and a model, each of them optional.
    ///   - environment: The variables of the process.
    ///   - file: What was kept: the members `gatewayUrl`, `gatewayToken`, `agentId`, `defaultModel` and `billing` of an
    ///     object; the last one holds `{"mode": "api" or "subscription", "plan"?, "monthlyPrice"?}` by provider.
    /// - Returns: The configuration.
    /// - Throws: ``GatewayError`` with `addressInvalid`; the message does not quote the address, which may hold a
    ///   password.
    public static func resolved(
        typed: Typed = Typed(),
        environment: [String: String] = [:],
        file: JSONValue = .null
    ) throws(GatewayError) -> GatewayConfiguration {
        func first(_ texts: String?...) -> String? {
            texts.lazy.compactMap(\.self).first { !$0.allSatisfy(\.isWhitespace) }
        }
        let address =
            first(typed.address, environment["REMOTECLAW_GATEWAY_URL"], file["gatewayUrl"]?.text) ?? standardAddress
        let token = first(
            typed.token.map { String(decoding: $0.bytes, as: UTF8.self) },
            environment["REMOTECLAW_GATEWAY_TOKEN"],
            file["gatewayToken"]?.text
        )
        let server: HTTPBaseURL
        do {
            server = try HTTPBaseURL(address)
        } catch {
            let message = "The gateway's address must look like http://host:port; check it in the settings."
            throw GatewayError(.addressInvalid, message, recovery: .openSettings(.gatewayURL), cause: error)
        }
        return GatewayConfiguration(
            server: server,
            token: token.map { Secret($0) },
            agent: first(typed.agent, file["agentId"]?.text),
            model: first(typed.model, file["defaultModel"]?.text) ?? "default",
            billing: Dictionary(
                (file["billing"]?.object ?? [:]).compactMap { member in
                    GatewayProvider.Billing(json: member.value).map { (member.key.lowercased(), $0) }
                },
                uniquingKeysWith: { $1 }
            )
        )
    }

    /// What a person chose.
    public struct Typed: Sendable, Hashable {
        /// The address.
        public var address: String?
        /// The token.
        public var token: Secret?
        /// The agent.
        public var agent: String?
        /// The model.
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
