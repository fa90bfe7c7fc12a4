// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
internal import RiffTransport

extension ChatGateway {
    /// The values that a gateway gives to a device that knows its password.
    public struct Pairing: Sendable, Hashable {
        /// The gateway's name for itself.
        public let name: String?
        /// The configuration for the gateway from now on: the address of the pairing, with the token that the gateway
        /// gave and the agent that it named. Keep the token in a `SecretStore`.
        public let configuration: GatewayConfiguration

        /// A pairing; for tests and previews.
        package init(name: String?, configuration: GatewayConfiguration) {
            (self.name, self.configuration) = (name, configuration)
        }
    }
}

extension ChatGateway {
    // sample: configuration: GatewayConfiguration, http: any HTTPTransport, password: Secret
    /// Gets a token for a password: `POST /api/pair`. No token is sent. The address that the gateway says it has is not
    /// used, since it may be one that only its own machine knows, or another's.
    ///
    /// ```swift
    /// let pairing = try await ChatGateway(configuration, http: http).pair(password: password)
    /// let gateway = ChatGateway(pairing.configuration, http: http)
    /// ```
    ///
    /// - Parameter password: The password; it crosses the network as it is, see ``GatewayConfiguration/isExposed``.
    /// - Returns: The token, in a configuration.
    /// - Throws: ``GatewayError``: `passwordRefused`, `requestRefused` (no password), `rateLimited` (gateways take five
    ///   tries a minute), `unsupported` (an older gateway, or one without a password), `answerMalformed`;
    ///   `CancellationError`.
    public func pair(password: Secret) async throws -> ChatGateway.Pairing {
        var bare = configuration
        bare.token = nil
        let gateway = ChatGateway(bare, http: http, timing: timing, limits: limits, clock: clock)
        let told: JSONValue?
        do {
            told = try await gateway.done(
                "/api/pair",
                ["password": .string(String(decoding: password.bytes, as: UTF8.self))]
            )
        } catch let error as GatewayError where error.code == .unauthorized {
            throw GatewayError(
                .passwordRefused,
                "The gateway does not accept the password; check it, and enter it again.",
                answer: error.answer,
                status: error.status
            )
        }
        guard let token = told?["authToken"]?.text, !token.isEmpty else { throw malformed("its token") }
        bare.token = Secret(token)
        bare.agent = told?["agentID"]?.text ?? bare.agent
        return ChatGateway.Pairing(name: told?["name"]?.text, configuration: bare)
    }
}

extension GatewayErrorCode {
    /// The gateway does not accept the password that is to pair with it.
    public static let passwordRefused = GatewayError.Code(rawValue: "passwordRefused")
}
