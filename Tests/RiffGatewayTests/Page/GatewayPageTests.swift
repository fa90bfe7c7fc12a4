// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffGateway
import RiffHTTP
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct GatewayPageTests {
        private static func settled(_ page: GatewayPage) async -> GatewayPage.State {
            for await state in page.updates() {
                let isLoading = [
                    state.health.isLoading, state.models.isLoading, state.providers.isLoading, state.limits.isLoading,
                    state.costs.isLoading, state.voice.isLoading,
                ]
                if state.voice.value != nil, state.costs.value != nil, state.limits.value != nil,
                    state.health.value != nil, state.models.value != nil, state.providers.value != nil,
                    !isLoading.contains(true)
                {
                    return state
                }
            }
            return page.current
        }

        @Test func `everything is there after one look, over a socket`() async throws {
            try await GatewayStandIn.with { (_, gateway) async throws in
                let page = GatewayPage(gateway)
                #expect(page.current == GatewayPage.State())
                await page.refresh()
                let state = page.current
                #expect(state.health.value == .service)
                #expect(state.models.value?.map(\.id) == ["acme/large-4", "acme/small"])
                #expect(state.models.value?.last?.aliases == ["s"])
                #expect(state.providers.value?.map(\.id) == ["acme"])
                #expect(state.limits.value?.first?.session?.percent == 45)
                #expect(state.limits.value?.first?.isPaused == true)
                #expect(state.costs.value?.today == 2)
                #expect(state.costs.value?.dailyAverage == 1)
                #expect(state.voice.value?.synthesis?.voices == ["nova"])
                #expect(state.health.problem == nil)
            }
        }

        @Test func `the gateway is asked while somebody looks, and never otherwise`() async throws {
            try await GatewayStandIn.with { (standIn, gateway) async throws in
                let clock = ManualClock()
                let page = GatewayPage(gateway, clock: clock)
                let looking = Task { await page.run() }
                _ = await Self.settled(page)
                #expect(standIn.count("/health") == 1)
                await clock.sleepers(1)
                clock.advance(by: .seconds(15))
                try await waitUntil { standIn.count("/health") == 2 && !page.current.health.isLoading }
                #expect(standIn.count("/api/rate-limits") == 1)
                for _ in 0..<3 {
                    await clock.sleepers(1)
                    let before = standIn.count("/health")
                    clock.advance(by: .seconds(15))
                    try await waitUntil { standIn.count("/health") == before + 1 && !page.current.health.isLoading }
                }
                try await waitUntil { standIn.count("/api/rate-limits") == 2 && !page.current.limits.isLoading }
                try await waitUntil { standIn.count("/api/cost-usage") == 4 && !page.current.costs.isLoading }
                #expect(standIn.count("/api/models") == 1)
                await clock.sleepers(1)
                looking.cancel()
                await looking.value
                let total = standIn.total
                clock.advance(by: .seconds(3600))
                // An hour later nobody looked: asking takes a connection, which a look that follows comes behind.
                await page.refresh()
                #expect(standIn.count("/health") == 6)
                #expect(standIn.total == total + 7)
            }
        }

        @Test func `two who look ask once, and one of them may leave`() async throws {
            try await GatewayStandIn.with { (standIn, gateway) async throws in
                let clock = ManualClock()
                let page = GatewayPage(gateway, clock: clock)
                let one = Task { await page.run() }
                let other = Task { await page.run() }
                _ = await Self.settled(page)
                await clock.sleepers(2)
                #expect(standIn.count("/health") == 1)
                one.cancel()
                await one.value
                await clock.sleepers(1)
                clock.advance(by: .seconds(15))
                try await waitUntil { standIn.count("/health") == 2 }
                other.cancel()
                await other.value
            }
        }

        @Test func `a part that fails keeps its answer, with the problem beside it`() async throws {
            try await GatewayStandIn.with { (standIn, gateway) async throws in
                let page = GatewayPage(gateway)
                await page.refresh()
                standIn.set("/api/cost-usage?days=7", ["error": ["message": "\u{1B}[31mno"]], status: 500)
                standIn.set("/api/models", .string("x"))
                await page.refresh()
                #expect(page.current.costs.value?.today == 2)
                #expect(page.current.costs.problem != nil)
                #expect(page.current.costs.problem?.message.contains("\u{1B}") == false)
                #expect(page.current.models.problem?.code == "gateway.answerMalformed")
                #expect(page.current.providers.problem == nil)
                standIn.set("/api/models", ["data": [["id": "x"]]])
                await page.refresh()
                #expect(page.current.models == GatewayPart(value: [GatewayModel(id: "x")]))
            }
        }

        @Test func `a model is chosen by what a person types, probed, and told where another one answers`() async throws
        {
            try await GatewayStandIn.with { (standIn, gateway) async throws in
                let page = GatewayPage(gateway, session: .random(), model: "old")
                await page.refresh()
                await page.choose("Large")
                #expect(page.current.model == "acme/large-4")
                #expect(page.current.choice?.answered == "large-4")
                #expect(page.current.choice?.warning == nil)
                #expect(page.current.choice?.problem == nil)
                let probe = try JSONValue(parsing: standIn.body("/v1/chat/completions"))
                #expect(probe["max_tokens"] == 1)
                #expect(probe["model"] == "acme/large-4")
                standIn.set("/v1/chat/completions", GatewayStandIn.reply(by: "cheap\u{1B}[31m-1"))
                await page.choose("s")
                #expect(page.current.model == "acme/small")
                let warning = try #require(page.current.choice?.warning)
                #expect(warning.hasPrefix("acme/small was asked for, and cheap"))
                #expect(!warning.contains("\u{1B}"))
            }
        }

        @Test func `a model that the gateway refuses is not chosen, and one that does not answer is told`() async throws
        {
            try await GatewayStandIn.with { (standIn, gateway) async throws in
                let page = GatewayPage(gateway, session: .random(), model: "old")
                standIn.set("/api/model-override", ["ok": false, "error": ["message": "no such model"]], status: 400)
                await page.choose("new")
                #expect(page.current.model == "old")
                #expect(page.current.choice?.problem != nil)
                #expect(standIn.count("/v1/chat/completions") == 0)
                // Where neither way of choosing is known, the requests name the model.
                standIn.set("/api/model-override", Array("<html>".utf8), type: "text/html")
                standIn.set("/v1/chat/completions", ["error": ["message": "overloaded"]], status: 503)
                await page.choose("new")
                #expect(page.current.model == "new")
                #expect(page.current.choice?.problem != nil)
                #expect(page.current.choice?.isProbing == false)
            }
        }

        @Test func `a newer choice ends an older one that hangs`() async throws {
            try await RawHTTPServer.withServer([.readHead, .awaitClose]) { (server) async throws in
                try await AsyncHTTPTransport.withTransport { (http) async throws in
                    let address = try HTTPBaseURL("http://127.0.0.1:\(server.port)")
                    let page = GatewayPage(ChatGateway(GatewayConfiguration(server: address), http: http))
                    async let first: Void = page.choose("one")
                    try await server.reached(step: 1)
                    let second = Task { await page.choose("two") }
                    await first
                    try await server.closed()
                    #expect(page.current.choice?.model == "two")
                    second.cancel()
                    await second.value
                }
            }
        }

        @Test func `speech goes both ways over a socket: a WAV file up in a form, an MP3 file down`() async throws {
            try await GatewayStandIn.with { (standIn, gateway) async throws in
                let page = GatewayPage(gateway)
                await page.refresh()
                let offer = page.current.voice.value
                standIn.set("/api/voice/transcribe", ["text": "hello", "language": "en", "duration": 1.5])
                let samples = [UInt8](repeating: 1, count: 32_000)
                let clip = AudioClip(samples, encoding: .pcm(.speech))
                let words = try await GatewaySpeechToText(gateway, offer: offer).transcribe(clip)
                #expect(words.text == "hello")
                #expect(standIn.type("/api/voice/transcribe").hasPrefix("multipart/form-data; boundary="))
                let form = standIn.body("/api/voice/transcribe")
                #expect(form.contains(Array("RIFF".utf8)))
                #expect(form.contains(Array("name=\"language\"".utf8)))
                #expect(form.count > samples.count)
                let file = [UInt8]([0xFF, 0xFB, 0x90, 0x00]) + [UInt8](repeating: 5, count: 200_000)
                standIn.set("/api/voice/synthesize", file, type: "audio/mpeg")
                let voice = GatewayVoice(gateway, offer: offer, voice: "nova")
                try await voice.speak("Hello there.") { clip in
                    #expect(clip == AudioClip(file, encoding: .mp3))
                }
                #expect(standIn.count("/api/voice/synthesize") == 1)
                let asked = try JSONValue(parsing: standIn.body("/api/voice/synthesize"))
                #expect(asked["text"] == "Hello there.")
                #expect(asked["voice"] == "nova")
                standIn.set("/api/voice/synthesize", ["error": "No TTS provider configured"], status: 503)
                await #expect(throws: GatewayError.self) { try await voice.speak("Hello.") { _ in } }
            }
        }
    }

    struct GatewayModelNameTests {
        @Test(arguments: [
            ("gpt-4o", "gpt-4o-2024-08-06", true), ("openai/gpt-4o", "gpt-4o", true), ("GPT-4o", "gpt-4o", true),
            ("claude-sonnet-4", "claude-sonnet-4-20250514", true), ("llama3", "llama3:latest", true),
            ("claude-3-5-haiku-latest", "claude-3-5-haiku-20241022", true), ("gpt-4", "gpt-4o", false),
            ("gpt-4o", "gpt-4o-mini", false), ("a/gpt-4", "b/gpt-4-32", false), ("gpt-5", "gpt-4", false),
            ("", "x", false), ("x", "", false), ("gemini-2", "gemini-2@20250101", true),
        ])
        func `a version behind a name is the same model, another name is not`(
            asked: String,
            answered: String,
            isSame: Bool
        ) {
            #expect(GatewayModel.isSame(asked, answered) == isSame)
        }

        @Test(arguments: [
            ("acme/large-4", "acme/large-4"), ("LARGE-4", "acme/large-4"), ("large", "acme/large-4"), ("x1", "b/mid"),
            ("mid", nil), ("a", nil), ("", nil), (" ", nil), ("nothing", nil),
        ])
        func `a name that more than one model has is nobody's`(name: String, id: String?) {
            let models = [
                GatewayModel(id: "acme/large-4"), GatewayModel(id: "a/mid"), GatewayModel(id: "b/mid", aliases: ["X1"]),
                GatewayModel(id: "tall-a"),
            ]
            #expect(GatewayModel.find(name, in: models)?.id == id)
        }
    }
}
