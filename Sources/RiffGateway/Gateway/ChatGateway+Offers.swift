// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

extension ChatGateway {
    /// Asks whether the gateway is there: `GET /health`, and `/healthz` where that is unknown. The token is sent only
    /// where something asks for it, as a proxy may.
    ///
    /// - Returns: What answered.
    /// - Throws: ``GatewayError`` with `unreachable`, `timedOut`, `connectionLost`, `unauthorized`, or what another
    ///   status means; a page and an unknown address are no errors. `CancellationError`.
    public func health() async throws -> ChatGateway.Health {
        var answer = try await health(at: "/health")
        if Self.isUnknown(answer) { answer = try await health(at: "/healthz") }
        if Self.isUnknown(answer) { return .unknown }
        guard answer.head.status.kind == .successful else {
            throw GatewayError(refusal: answer.head, body: answer.body, to: nil)
        }
        return answer.mediaType == "text/html" ? .page : .service
    }

    private func health(at path: String) async throws -> HTTPAnswer {
        let answer = try await answer(to: configuration.server.interfaceRequest(.get, path), within: timing.health)
        guard answer.head.status == .unauthorized, configuration.token != nil else { return answer }
        return try await self.answer(to: try request(.get, path), within: timing.health)
    }

    private static func isUnknown(_ answer: HTTPAnswer) -> Bool {
        [.notFound, .methodNotAllowed, .notImplemented].contains(answer.head.status)
    }

    /// The models to choose from: `GET /api/models`, else `GET /v1/models`. Newer hosts list their agents there.
    ///
    /// - Returns: The models, each once, in the gateway's order; none where neither is offered.
    /// - Throws: ``GatewayError``; `CancellationError`.
    public func models() async throws -> [GatewayModel] {
        var told = try await told("/api/models")
        if told == nil { told = try await self.told("/v1/models") }
        guard let json = told else { return [] }
        guard let list = json["data"]?.array ?? json["models"]?.array ?? json.array else {
            throw malformed("the list of models")
        }
        var seen: Set<String> = []
        return list.compactMap(GatewayModel.init(json:)).filter { seen.insert($0.id).inserted }
    }

    /// The providers behind the gateway, and how they are paid: `GET /api/providers`.
    ///
    /// - Returns: The providers, with ``GatewayConfiguration/billing`` in the place of what the gateway says; none
    ///   where it does not tell.
    /// - Throws: ``GatewayError``; `CancellationError`.
    public func providers() async throws -> [GatewayProvider] {
        guard let json = try await told("/api/providers") else { return [] }
        guard let list = json["providers"]?.array else { throw malformed("the list of providers") }
        return list.compactMap(GatewayProvider.init(json:)).map { provider in
            GatewayProvider(id: provider.id, billing: configuration.billing[provider.id] ?? provider.billing)
        }
    }

    /// Returns the used part of a provider's limits: `GET /api/rate-limits`.
    ///
    /// - Parameter provider: The provider's id; `nil` for all that the gateway knows.
    /// - Returns: The limits, with windows where there is data; none where the gateway does not tell.
    /// - Throws: ``GatewayError``; `CancellationError`.
    public func rateLimits(of provider: String? = nil) async throws -> [RateLimits] {
        let query = provider.map { "?provider=\(Self.escaped($0))" } ?? ""
        guard let json = try await told("/api/rate-limits\(query)") else { return [] }
        guard json.object != nil else { throw malformed("the limits") }
        if let list = json["rateLimits"]?.array { return list.compactMap { RateLimits(json: $0, provider: nil) } }
        return RateLimits(json: json, provider: provider).map { [$0] } ?? []
    }

    /// Returns the costs of some days: `GET /api/cost-usage?days=`.
    ///
    /// - Parameter days: How many days back, today included.
    /// - Returns: The costs; nothing in them where the gateway does not tell.
    /// - Throws: ``GatewayError``; `CancellationError`.
    public func costs(days: Int) async throws -> CostUsage {
        guard let json = try await told("/api/cost-usage?days=\(max(1, days))") else { return CostUsage(total: nil) }
        guard json.object != nil else { throw malformed("the costs") }
        return CostUsage(json: json)
    }

    /// Returns the gateway's offer for speech: `GET /api/voice/capabilities`.
    ///
    /// - Returns: What it offers; nothing where it does not tell.
    /// - Throws: ``GatewayError``; `CancellationError`.
    public func voice() async throws -> VoiceOffer {
        guard let json = try await told("/api/voice/capabilities") else { return VoiceOffer() }
        guard json.object != nil else { throw malformed("what is offered for speech") }
        return VoiceOffer(json: json)
    }

    /// Escapes all but the unreserved characters of RFC 3986 section 2.3.
    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isWord = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            return isWord || "-._~".unicodeScalars.contains(scalar)
                ? String(scalar) : "%" + HexDigits.text([byte]).uppercased()
        }.joined()
    }
}
