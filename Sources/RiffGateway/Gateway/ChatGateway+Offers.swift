// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

extension ChatGateway {
    /// Asks whether the gateway is there: `GET /health`, and `/healthz` where that is unknown.
    ///
    /// - Returns: What answered.
    /// - Throws: ``GatewayError`` with `unreachable`, `timedOut`, `connectionLost`, or what a status means; a page is no
    ///   error. `CancellationError`.
    public func health() async throws -> GatewayHealth {
        // Nobody asks for the token here, so that it goes to no wrong address.
        func ask(_ path: String) async throws -> HTTPAnswer {
            try await self.answer(to: configuration.server.request(.get, path), within: timing.health)
        }
        var answer = try await ask("/health")
        if answer.head.status == .notFound { answer = try await ask("/healthz") }
        guard answer.head.status.kind == .successful else {
            throw GatewayError(refusal: answer.head, body: answer.body)
        }
        return answer.mediaType == "text/html" ? .page : .service
    }

    /// The models to choose from: `GET /api/models`, else `GET /v1/models`. Newer hosts list their agents there.
    ///
    /// - Returns: The models, each once, in the gateway's order.
    /// - Throws: ``GatewayError``, `unsupported` where neither is offered; `CancellationError`.
    public func models() async throws -> [GatewayModel] {
        let json: JSONValue
        do {
            json = try await self.json(try request(.get, "/api/models"), within: timing.question)
        } catch let error as GatewayError where error.code == .unsupported {
            json = try await self.json(try request(.get, "/v1/models"), within: timing.question)
        }
        guard let list = json["data"]?.array ?? json["models"]?.array ?? json.array else {
            throw malformed("the list of models")
        }
        var seen: Set<String> = []
        return list.compactMap(GatewayModel.init(json:)).filter { seen.insert($0.id).inserted }
    }

    /// The providers behind the gateway, and how they are paid: `GET /api/providers`.
    ///
    /// - Returns: The providers.
    /// - Throws: ``GatewayError``; `CancellationError`.
    public func providers() async throws -> [GatewayProvider] {
        let json = try await json(try request(.get, "/api/providers"), within: timing.question)
        guard let list = json["providers"]?.array else { throw malformed("the list of providers") }
        return list.compactMap(GatewayProvider.init(json:))
    }

    /// How much of a provider's limits is used: `GET /api/rate-limits`.
    ///
    /// - Parameter provider: The provider's id; `nil` for all that the gateway knows.
    /// - Returns: The limits, with windows where there is data.
    /// - Throws: ``GatewayError``; `CancellationError`.
    public func rateLimits(of provider: String? = nil) async throws -> [RateLimits] {
        let query = provider.map { "?provider=\(Self.escaped($0))" } ?? ""
        let json = try await json(try request(.get, "/api/rate-limits\(query)"), within: timing.question)
        if let list = json["rateLimits"]?.array { return list.compactMap { RateLimits(json: $0, provider: nil) } }
        return RateLimits(json: json, provider: provider).map { [$0] } ?? []
    }

    /// What was spent: `GET /api/cost-usage?days=`.
    ///
    /// - Parameter days: How many days back, today included.
    /// - Returns: The costs.
    /// - Throws: ``GatewayError``; `CancellationError`.
    public func costs(days: Int) async throws -> CostUsage {
        let json = try await json(try request(.get, "/api/cost-usage?days=\(max(1, days))"), within: timing.question)
        guard json.object != nil else { throw malformed("the costs") }
        return CostUsage(json: json)
    }

    /// Lets a session use another model from now on: `POST /api/model-override`, and where that is unknown the host's own
    /// tool (`POST /tools/invoke`, `session_status`).
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - session: The session.
    /// - Throws: ``GatewayError``: `requestRefused` where the gateway knows no such model; `CancellationError`.
    public func use(model: String, in session: GatewaySession) async throws {
        let key = JSONValue.string(session.key.text)
        let answer: JSONValue
        do {
            let request = try request(.post, "/api/model-override", session: session)
            let body: JSONValue = ["model": .string(model), "sessionKey": key]
            answer = try await json(request, body, within: timing.question)
        } catch let error as GatewayError where error.code == .unsupported {
            let body: JSONValue = [
                "tool": "session_status", "args": ["model": .string(model), "sessionKey": key], "sessionKey": key,
            ]
            let request = try request(.post, "/tools/invoke", session: session)
            answer = try await json(request, body, within: timing.question)
        }
        if answer["ok"] == false {
            let problem = GatewayProblem(envelope: answer, isBare: true)
            let words = problem.map { " It says: \($0.phrase)" } ?? ""
            throw GatewayError(.requestRefused, "The gateway does not change the model.\(words)", answer: problem)
        }
    }

    /// Asks a model for one token, to see whether it answers and whether it is the one that was asked. Hosts that ignore
    /// `max_tokens` run a whole turn for it: ask only after a person has changed the model.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - session: The session.
    /// - Returns: What answered.
    /// - Throws: ``GatewayError``; `CancellationError`, with the connection closed: cancel an old probe before a new one.
    public func probe(_ model: String, in session: GatewaySession? = nil) async throws -> ModelProbe {
        var question = ChatRequest(model: model, messages: [.user("hi")])
        question.maxTokens = 1
        let request = try request(.post, "/v1/chat/completions", session: session)
        let answer = try await json(request, question.json(streaming: false), within: timing.work)
        return ModelProbe(asked: model, answered: answer["model"]?.text)
    }

    /// What the gateway offers for speech: `GET /api/voice/capabilities`.
    ///
    /// - Returns: What it offers.
    /// - Throws: ``GatewayError``; `CancellationError`.
    public func voice() async throws -> VoiceOffer {
        let json = try await json(try request(.get, "/api/voice/capabilities"), within: timing.question)
        guard json.object != nil else { throw malformed("what is offered for speech") }
        return VoiceOffer(json: json)
    }

    func malformed(_ what: String) -> GatewayError {
        GatewayError(.answerMalformed, "The gateway at \(configuration.server) told \(what) in an unknown form.")
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
