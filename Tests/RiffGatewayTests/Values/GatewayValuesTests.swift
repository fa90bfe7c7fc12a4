// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffGateway
import RiffTesting
import RiffTransport
import Testing

struct GatewayValuesTests {
    @Test func `limits are told in percent or in tokens, and may be missing`() async throws {
        let text = #"""
            {"rateLimits":[
              {"provider":"a","session":{"used":45,"limit":100,"resetsAt":"2026-02-01T10:00:00.500Z"},
               "weekly":{"used":1234567,"limit":1000000}},
              {"provider":"b","error":"no data"},{"provider":"c","session":{"used":5,"limit":0}},{}]}
            """#
        let limits = try await GatewayFixtures.gateway(ScriptedHTTPTransport([.json(text)])).rateLimits()
        #expect(limits.map(\.provider) == ["a", "b", "c"])
        #expect(limits[0].session?.percent == 45 && limits[0].weekly?.percent == 123)
        #expect(limits[0].isPaused && !limits[2].isPaused && limits[2].session?.percent == 0)
        #expect(limits[1].problem == "no data" && limits[1].session == nil)
        let now = try Date("2026-02-01T09:59:00Z", strategy: .iso8601).timeIntervalSince1970
        #expect(limits[0].session?.resetsAt == now + 60.5)
        #expect(limits[0].session?.untilReset(at: now) == .seconds(60.5))
        #expect(limits[0].session?.untilReset(at: now + 1000) == .zero)
        #expect(limits[0].weekly?.untilReset(at: now) == nil)
    }

    @Test func `no data is no window, and nothing at all is no limits`() async throws {
        let (gateway, http) = try GatewayFixtures.gateway([
            "get /api/rate-limits?provider=anthropic", "get /api/rate-limits",
        ])
        #expect(try await gateway.rateLimits(of: "anthropic") == [RateLimits(provider: "anthropic")])
        #expect(try await gateway.rateLimits() == [])
        #expect(http.requests.first?.head.path == "/api/rate-limits?provider=anthropic")
    }

    @Test(arguments: [(0.0, 100.0, 0), (99.4, 100, 99), (99.5, 100, 100), (250, 100, 250), (1, 0, 0), (-5, 100, 0)])
    func `a share is rounded, and an unknown limit is none`(used: Double, limit: Double, percent: Int) {
        let window = RateLimits.Window(used: used, limit: limit)
        #expect(window.percent == percent)
        #expect(window.isPaused == (percent >= 100))
    }

    @Test func `costs of a day and of a week`() async throws {
        let week = #"{"totals":{"totalCost":14,"inputTokens":5},"byDay":[{"date":"2026-02-01","totalCost":2.5},{}]}"#
        let http = ScriptedHTTPTransport([.json(#"{"totals":{"totalCost":2.5}}"#), .json(week), .json("{}")])
        let gateway = try GatewayFixtures.gateway(http)
        let (today, days) = (try await gateway.costs(days: 1), try await gateway.costs(days: 7))
        #expect(http.requests.map(\.head.path) == ["/api/cost-usage?days=1", "/api/cost-usage?days=7"])
        let summary = CostUsage.Summary(today: today, week: days)
        #expect(summary.today == 2.5 && summary.dailyAverage == 2 && summary.monthlyEstimate == 60)
        #expect(days.days == [CostUsage.Day(date: "2026-02-01", cost: 2.5)] && days.inputTokens == 5)
        let unknown = try await gateway.costs(days: 1)
        #expect(CostUsage.Summary(today: unknown, week: nil) == CostUsage.Summary(today: nil, week: nil))
        let usage = ChatReply.Usage(json: ["prompt_tokens": 1_000_000, "completion_tokens": 100_000])
        #expect(GatewayModel.Price.unknown.cost(of: usage) == 1.5)
    }

    @Test func `zeros are unknown, and what a part of it costs is told`() async throws {
        let zeros = #"""
            {"totals":{"totalCost":0,"inputCost":0,"outputCost":0,"inputTokens":0,"outputTokens":0},
             "byDay":[{"date":"2026-02-01","totalCost":0}]}
            """#
        let parts =
            #"{"totals":{"totalCost":3,"inputCost":1,"outputCost":2},"byDay":[{"date":"a","totalCost":0},{"date":"b","totalCost":3}]}"#
        let gateway = try GatewayFixtures.gateway(ScriptedHTTPTransport([.json(zeros), .json(parts)]))
        #expect(try await gateway.costs(days: 7) == CostUsage(total: nil))
        let costs = try await gateway.costs(days: 7)
        #expect(costs.inputCost == 1 && costs.outputCost == 2 && costs.days.map(\.cost) == [0, 3])
        let nothing = ChatReply.Usage(json: ["prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0])
        #expect(
            GatewayModel.Price.unknown.cost(of: nothing) == nil
                && GatewayModel.Price.unknown.cost(of: ChatReply.Usage(json: [:])) == nil
        )
    }

    @Test func `what is known of billing here counts more than what the gateway says`() async throws {
        let file: JSONValue = [
            "billing": [
                "DeepSeek": ["mode": "subscription", "plan": "Pro", "monthlyPrice": 20], "anthropic": ["mode": "api"],
                "openai": ["mode": "barter"],
            ]
        ]
        let configuration = try GatewayConfiguration.resolved(file: file)
        let http = ScriptedHTTPTransport([try GatewayFixtures.reply("get /api/providers")])
        let providers = try await ChatGateway(configuration, http: http).providers()
        let expected: [GatewayProvider.Billing] = [
            .usage, .usage, .subscription(plan: "Pro", monthlyPrice: 20), .usage,
        ]
        #expect(providers.map(\.id) == ["acme", "anthropic", "deepseek", "openai"])
        #expect(providers.map(\.billing) == expected)
    }

    @Test(arguments: [
        ("1e300", "1e300", 1_000_000_000_000, 1_000_000_000), ("-5", "-5", 26_214_400, 120),
        ("0", "0", 26_214_400, 120),
        ("1", "0.5", 1_048_576, 0.5), ("null", "null", 26_214_400, 120), (#""x""#, "{}", 26_214_400, 120),
    ])
    func `limits beyond all measure are brought into one`(
        size: String,
        time: String,
        bytes: Int,
        seconds: Double
    ) async throws {
        let text = #"{"stt":{"available":true,"maxFileSizeMB":\#(size),"maxDurationSeconds":\#(time)}}"#
        let offer = try await GatewayFixtures.gateway(ScriptedHTTPTransport([.json(text)])).voice()
        #expect(offer.recognition?.limitBytes == bytes && offer.recognition?.longest == .seconds(seconds))
    }

    @Test func `numbers beyond all measure are numbers`() async throws {
        let limits = #"{"provider":"a","session":{"used":1e308,"limit":1e-308,"resetsAt":"9999-12-31T00:00:00Z"}}"#
        let costs = #"{"totals":{"totalCost":1e308,"inputTokens":9e18,"outputTokens":-1}}"#
        let gateway = try GatewayFixtures.gateway(ScriptedHTTPTransport([.json(limits), .json(costs)]))
        let window = try #require(try await gateway.rateLimits(of: "a").first?.session)
        #expect(window.percent >= 0 && window.isPaused == (window.percent >= 100))
        #expect(window.untilReset(at: Date.distantPast.timeIntervalSince1970).map { $0 > .seconds(1e9) } == true)
        #expect(try await gateway.costs(days: 1).total == 1e308)
    }

    @Test func `what is typed counts more than the environment, and that more than a file`() throws {
        let file: JSONValue = ["gatewayUrl": "http://file:1", "gatewayToken": "ft", "defaultModel": "fm"]
        let environment = ["REMOTECLAW_GATEWAY_URL": "http://env:2", "REMOTECLAW_GATEWAY_TOKEN": " "]
        var resolved = try GatewayConfiguration.resolved(environment: environment, file: file)
        #expect(resolved.server.authority == "env:2" && resolved.token == Secret("ft") && resolved.model == "fm")
        resolved = try GatewayConfiguration.resolved(typed: .init(address: "https://me:3/x"), environment: environment)
        #expect(resolved.server.description == "https://me:3/x" && resolved.token == nil)
        #expect(try GatewayConfiguration.resolved().server.authority == "127.0.0.1:18789")
        for address in ["file:///etc", "http://u:p@h", "http://"] {
            let error = #expect(throws: GatewayError.self) {
                _ = try GatewayConfiguration.resolved(typed: .init(address: address))
            }
            #expect(error?.code == .addressInvalid && error?.message.contains("u:p") == false)
        }
    }

    private static let both = [
        "OPENAI_BASE_URL": "https://api.example/v1", "OPENAI_API_KEY": "sk", "REMOTECLAW_GATEWAY_URL": "http://mac:1",
        "REMOTECLAW_GATEWAY_TOKEN": "rt",
    ]

    @Test func `the names that all clients share count before the gateway's own, and what was used is told`() throws {
        var found = try GatewayConfiguration.resolved(environment: Self.both)
        #expect(found.server.description == "https://api.example/v1" && found.token == Secret("sk"))
        #expect(found.origins?.address == .environment("OPENAI_BASE_URL"))
        #expect(found.origins?.token == .environment("OPENAI_API_KEY") && found.origins?.model == .builtIn)
        found = try GatewayConfiguration.resolved(environment: ["OPENAI_API_BASE": "http://h/v1", "OPENAI_MODEL": "m"])
        #expect(found.origins?.address == .environment("OPENAI_API_BASE") && found.token == nil)
        #expect(found.model == "m" && found.origins?.model == .environment("OPENAI_MODEL"))
        found = try GatewayConfiguration.resolved(file: ["gatewayUrl": "http://file:1", "gatewayToken": "ft"])
        #expect(found.origins?.address == .file("gatewayUrl") && found.origins?.token == .file("gatewayToken"))
        found = try GatewayConfiguration.resolved()
        #expect(found.origins?.address == .builtIn && found.origins?.token == nil)
        let error = #expect(throws: GatewayError.self) {
            _ = try GatewayConfiguration.resolved(environment: ["OPENAI_BASE_URL": "ftp://secret"])
        }
        #expect(error?.message.contains("OPENAI_BASE_URL") == true && error?.message.contains("secret") == false)
    }

    @Test func `a key for OpenAI goes to no gateway that another place names`() throws {
        let environment = Self.both.filter { $0.key != "OPENAI_BASE_URL" }
        var found = try GatewayConfiguration.resolved(environment: environment)
        #expect(found.server.authority == "mac:1" && found.token == Secret("rt"))
        let key = ["OPENAI_API_KEY": "sk", "REMOTECLAW_GATEWAY_URL": "http://mac:1"]
        #expect(try GatewayConfiguration.resolved(environment: key).token == nil)
        #expect(try GatewayConfiguration.resolved(typed: .init(address: "http://mac:1"), environment: key).token == nil)
        #expect(try GatewayConfiguration.resolved(environment: ["OPENAI_API_KEY": "sk"]).token == nil)
        let file: JSONValue = ["gatewayUrl": "http://file:1"]
        #expect(try GatewayConfiguration.resolved(environment: ["OPENAI_API_KEY": "sk"], file: file).token == nil)
        // Nor the gateway's token to the address that the other names.
        found = try GatewayConfiguration.resolved(environment: Self.both.filter { $0.key != "OPENAI_API_KEY" })
        #expect(found.server.authority == "api.example" && found.token == nil)
        // With an address that was typed, the gateway's own first.
        found = try GatewayConfiguration.resolved(typed: .init(address: "http://x:1"), environment: Self.both)
        #expect(found.token == Secret("rt") && found.origins?.address == .typed)
        found = try GatewayConfiguration.resolved(typed: .init(address: "http://x:1"), environment: key)
        #expect(found.token == Secret("sk") && found.origins?.token == .environment("OPENAI_API_KEY"))
    }

    @Test(arguments: [
        ("http://127.0.0.1:1", false), ("http://localhost", false), ("http://[::1]:5", false),
        ("https://far.net", false),
        ("http://far.net", true), ("http://100.64.0.1:18789", true), ("http://127.0.0.1.evil.net", true),
    ])
    func `a token over a network without TLS is told of`(address: String, isExposed: Bool) throws {
        #expect(try GatewayConfiguration.resolved(typed: .init(address: address)).isExposed == isExposed)
    }
}
