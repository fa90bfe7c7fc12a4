// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffTransport

extension GatewayConfiguration {
    /// A place that a part of a configuration was taken from.
    public enum Origin: Sendable, Hashable {
        /// A person's choice.
        case typed
        /// The variable of this name.
        case environment(String)
        /// The member of this name in the file.
        case file(String)
        /// The value that holds where no place names one.
        case builtIn
    }

    /// The places that a configuration was taken from, by its parts.
    public struct Origins: Sendable, Hashable {
        /// The place that gave the address.
        public let address: Origin
        /// The place that gave the token; `nil` where there is none.
        public let token: Origin?
        /// The place that gave the model.
        public let model: Origin
    }

    /// Merges the places that a configuration may come from.
    ///
    /// What was typed counts most, then the environment, then a file, then what is built in; an empty text counts as
    /// absent in each of them. In the environment the names that clients of OpenAI's interface share count first:
    /// `OPENAI_BASE_URL` (or the older `OPENAI_API_BASE`), `OPENAI_API_KEY` and `OPENAI_MODEL`; then
    /// `REMOTECLAW_GATEWAY_URL` and `REMOTECLAW_GATEWAY_TOKEN`. A token goes with an address of its own names alone: a
    /// key for OpenAI is not sent to a gateway that another variable, the file or nobody names. With an address that
    /// was typed goes the gateway's token, and `OPENAI_API_KEY` where there is none, unless the variable beside that
    /// token names the same address. ``origins`` says which were used.
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
        func variables(_ names: String...) -> [Found] { names.map { Found(environment[$0], .environment($0)) } }
        func member(_ name: String) -> Found { Found(file[name]?.text, .file(name)) }
        let shared = variables("OPENAI_BASE_URL", "OPENAI_API_BASE")
        let own = variables("REMOTECLAW_GATEWAY_URL")
        let address = first([Found(typed.address, .typed)] + shared + own + [member("gatewayUrl")])
        let server = try server(address?.text ?? standardAddress, from: address?.origin ?? .builtIn)
        let isShared = shared.contains { $0.origin == address?.origin }
        let key = variables("OPENAI_API_KEY")
        let gatewayToken = variables("REMOTECLAW_GATEWAY_TOKEN") + [member("gatewayToken")]
        var tokens = [Found(typed.token.map { String(decoding: $0.bytes, as: UTF8.self) }, .typed)]
        if isShared {
            tokens += key
        } else if address?.origin == .typed, !isAddress(of: own, server) {
            tokens += gatewayToken + key
        } else {
            tokens += gatewayToken
        }
        let token = first(tokens)
        let isOwn = address.map { own.map(\.origin).contains($0.origin) } ?? true
        let models = [Found(typed.model, .typed)] + (isOwn ? [] : variables("OPENAI_MODEL")) + [member("defaultModel")]
        let model = first(models)
        var configuration = GatewayConfiguration(
            server: server,
            token: token.map { Secret($0.text) },
            agent: first([Found(typed.agent, .typed), member("agentId")])?.text,
            model: model?.text ?? "default",
            billing: billing(file)
        )
        configuration.origins = Origins(
            address: address?.origin ?? .builtIn,
            token: token?.origin,
            model: model?.origin ?? .builtIn
        )
        return configuration
    }

    private struct Found {
        let text: String
        let origin: Origin

        init(_ text: String?, _ origin: Origin) { (self.text, self.origin) = (text ?? "", origin) }
    }

    private static func first(_ found: [Found]) -> Found? {
        found.first { !$0.text.allSatisfy(\.isWhitespace) }
    }

    private static func isAddress(of found: [Found], _ server: HTTPBaseURL) -> Bool {
        // One that is none is not the address of this server.
        found.contains { (try? HTTPBaseURL($0.text)) == server }
    }

    private static func server(_ text: String, from origin: Origin) throws(GatewayError) -> HTTPBaseURL {
        do {
            return try HTTPBaseURL(text)
        } catch {
            let place =
                switch origin {
                case .environment(let name): "check the variable \(name)."
                case .file(let name): "check \(name) in the file."
                case .typed, .builtIn: "check it in the settings."
                }
            let message = "The gateway's address must look like http://host:port; \(place)"
            throw GatewayError(.addressInvalid, message, recovery: .openSettings(.gatewayURL), cause: error)
        }
    }

    private static func billing(_ file: JSONValue) -> [String: GatewayProvider.Billing] {
        Dictionary(
            (file["billing"]?.object ?? [:]).compactMap { member in
                GatewayProvider.Billing(json: member.value).map { (member.key.lowercased(), $0) }
            },
            uniquingKeysWith: { $1 }
        )
    }
}
