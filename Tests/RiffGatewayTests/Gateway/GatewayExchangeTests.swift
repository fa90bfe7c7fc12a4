// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffGateway
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing

/// Every recorded exchange of both files, through the call that makes it. What no call makes is named with its reason
/// in Fixtures/README.md.
@Suite(.timeLimit(.minutes(5))) struct GatewayExchangeTests {
    struct Exchange: Sendable, CustomTestStringConvertible {
        let name: String
        /// What comes of it, in words.
        let expected: String
        var file = GatewayFixtures.files[0]
        /// Whether the request is one that the call really makes; otherwise only the answer is replayed.
        var isOurs = true
        let call: @Sendable (ChatGateway) async throws -> String

        var testDescription: String { name }
    }

    private static let clip = AudioClip([UInt8](repeating: 1, count: 3_200), encoding: .pcm(.speech))
    private static let words = "You said: hello there (agent remoteclaw)"

    // MARK: Calls

    private static let providers: @Sendable (ChatGateway) async throws -> String = { gateway in
        try await gateway.providers().map { provider in
            if case .subscription(let plan, let price) = provider.billing {
                return "\(provider.id) \(plan ?? "") \(price ?? 0)"
            }
            return provider.id
        }.joined(separator: ", ")
    }

    private static func limits(_ provider: String?) -> @Sendable (ChatGateway) async throws -> String {
        { gateway in
            try await gateway.rateLimits(of: provider).map { limits in
                let windows = [limits.session, limits.weekly].map { window in
                    window.map { "\($0.percent)%\($0.resetsAt == nil ? "" : " resets")" } ?? "-"
                }
                return "\(limits.provider) \(windows.joined(separator: " "))\(limits.isPaused ? " PAUSED" : "")"
            }.joined(separator: ", ")
        }
    }

    private static let voice: @Sendable (ChatGateway) async throws -> String = { gateway in
        let offer = try await gateway.voice()
        return "\(offer.recognition.map { $0.model ?? "-" } ?? "none") \(offer.synthesis?.voices.count ?? -1)"
    }

    private static func hear(_ language: String = "en") -> @Sendable (ChatGateway) async throws -> String {
        { gateway in
            let transcript = try await GatewaySpeechToText(gateway, language: language).transcribe(clip)
            return "\(transcript.text) (\(transcript.language ?? "-"))"
        }
    }

    private static func say(_ text: String, _ voice: String? = nil, _ speed: Double? = nil)
        -> @Sendable (ChatGateway) async throws -> String
    {
        { gateway in
            let (stream, writer) = ByteStream.makeStream(bufferedBytes: .max)
            try await GatewayVoice(gateway, voice: voice, speed: speed).speak(text) { clip in
                #expect(clip.encoding == .mp3)
                try await writer.write(clip.bytes)
            }
            writer.finish()
            return "\(try await stream.collect(upTo: 1 << 20).count) bytes"
        }
    }

    private static func chat(_ text: String, _ role: ChatMessage.Role = .user, streaming: Bool = true)
        -> @Sendable (ChatGateway) async throws -> String
    {
        { gateway in
            let request = ChatRequest(model: "m", messages: [ChatMessage(role, content: [.text(text)])])
            switch await gateway.reply(to: request, streaming: streaming) {
            case .complete(let reply):
                return reply.content + (reply.suspectedError ? " (suspected)" : "")
            case .truncated(let reply, let error): return "\(reply.content)| \(error.code.rawValue)"
            case .failed(_, let error): throw error
            }
        }
    }

    private static func use(_ model: String) -> @Sendable (ChatGateway) async throws -> String {
        { gateway in
            let key = try RiffIdentifier("remoteclaw-00000000-0000-4000-8000-000000000001")
            try await gateway.use(model: model, in: GatewaySession(key: key))
            return "changed"
        }
    }

    private static func pair(_ password: String) -> @Sendable (ChatGateway) async throws -> String {
        { gateway in
            let pairing = try await gateway.pair(password: Secret(password))
            let configuration = pairing.configuration
            #expect(configuration.server == gateway.configuration.server)
            #expect(configuration.token == Secret("<token>"))
            return "\(pairing.name ?? "-") \(configuration.agent ?? "-")"
        }
    }

    // MARK: Exchanges

    private static let offers: [Exchange] =
        [
            Exchange(name: "health", expected: "page") { "\(try await $0.health())" },
            Exchange(name: "models_v1", expected: "0", isOurs: false) { "\(try await $0.models().count)" },
            Exchange(name: "api_models_absent", expected: "0") { "\(try await $0.models().count)" },
            Exchange(name: "cost_usage_absent", expected: "nil") { "\(try await $0.costs(days: 1).total as Double?)" },
            Exchange(
                name: "no_token_configured_loopback_allowed",
                expected: "acme, anthropic, deepseek, openai",
                call: providers
            ),
            Exchange(
                name: "auth_case",
                expected: "acme, anthropic Max Pro 200.0, deepseek, openai",
                isOurs: false,
                call: providers
            ),
            Exchange(
                name: "rate_limits_filtered_with_data",
                expected: "anthropic 45% resets 100% resets PAUSED",
                call: limits("anthropic")
            ),
            Exchange(
                name: "rate_limits_all_with_data",
                expected: "anthropic 45% resets 100% resets PAUSED",
                call: limits(nil)
            ),
            Exchange(name: "rate_limits_provider_without_data", expected: "deepseek - -", call: limits("deepseek")),
            Exchange(name: "capabilities_no_voice", expected: "none -1", call: voice),
        ]
        + [
            ("/api/providers", "acme, anthropic Max Pro 200.0, deepseek, openai", providers),
            ("/api/rate-limits?provider=anthropic", "anthropic - -", limits("anthropic")),
            ("/api/rate-limits", "", limits(nil)), ("/api/voice/capabilities", "whisper-1 6", voice),
        ].flatMap { path, expected, call in
            [
                Exchange(name: "get \(path)", expected: expected, call: call),
                Exchange(name: "noauth \(path)", expected: "unauthorized: Unauthorized", call: call),
                Exchange(name: "wrongauth \(path)", expected: "unauthorized: Unauthorized", call: call),
            ]
        }

    private static let speech: [Exchange] =
        [
            ("transcribe_ok", "hello gateway (en)"), ("transcribe_small", "requestRefused: No audio data received"),
            ("transcribe_no_language", "hej (en)"), ("transcribe_other_field_name", "any field (en)"),
            ("transcribe_no_file", "requestRefused: No audio data received"),
            ("transcribe_not_multipart", "requestRefused: Expected multipart/form-data"),
            ("transcribe_no_boundary", "requestRefused: Failed to parse audio upload"),
            (
                "transcribe_upstream_error",
                #"rateLimited: OpenAI STT error (429): {"error":{"message":"upstream said no"}}"#
            ),
            ("transcribe_26MiB_truncated_not_413", "big (en)"), ("transcribe_get", "unsupported"),
            ("no_provider /api/voice/transcribe", "voiceUnavailable: No STT provider configured"),
        ].map { name, expected in
            let ours = ["transcribe_ok", "transcribe_upstream_error", "no_provider /api/voice/transcribe"]
            return Exchange(name: name, expected: expected, isOurs: ours.contains(name), call: hear())
        } + [
            Exchange(name: "transcribe_lang_da_before_file", expected: "hej (da)", call: hear("da")),
            Exchange(name: "synth_ok", expected: "768 bytes", call: say("Hello", "nova", 1)),
            Exchange(name: "synth_default", expected: "768 bytes", call: say("Hello")),
            Exchange(
                name: "synth_bad_voice",
                expected:
                    #"requestRefused: Invalid voice "rachel". Valid voices: alloy, echo, fable, onyx, nova, shimmer"#,
                call: say("Hello", "rachel")
            ),
            Exchange(
                name: "synth_empty",
                expected: "requestRefused: Missing or empty text",
                isOurs: false,
                call: say("Hello")
            ),
            Exchange(name: "synth_4096", expected: "768 bytes", call: say(String(repeating: "x", count: 4096))),
            Exchange(
                name: "synth_4097",
                expected: "requestRefused: Text too long (max 4096 chars)",
                isOurs: false,
                call: say("Hello")
            ),
            Exchange(
                name: "synth_bad_json",
                expected: "requestRefused: Invalid JSON body",
                isOurs: false,
                call: say("Hello")
            ),
            Exchange(
                name: "synth_speed_9_passed_through",
                expected: "768 bytes",
                isOurs: false,
                call: say("Hello", nil, 9)
            ),
            Exchange(
                name: "synth_upstream_error",
                expected: #"gatewayFailed: OpenAI TTS error (500): {"error":"boom"}"#,
                call: say("[ttsfail]")
            ),
            Exchange(
                name: "no_provider /api/voice/synthesize",
                expected: "voiceUnavailable: No TTS provider configured",
                call: say("Hello")
            ),
        ]

    private static let replies: [Exchange] = [
        Exchange(name: "chat_nonstream", expected: "You said: hi (agent main)", call: chat("hi", streaming: false)),
        Exchange(name: "chat_noauth", expected: "unauthorized: Unauthorized", call: chat("hi")),
        Exchange(
            name: "chat_no_user",
            expected: "requestRefused: Missing user message in `messages`.",
            call: chat("hi", .system)
        ),
        Exchange(
            name: "chat_bad_json",
            expected:
                "requestRefused: SyntaxError: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
            isOurs: false,
            call: chat("hi")
        ),
        Exchange(
            name: "chat_over_1MiB",
            expected: "requestRefused: payload too large",
            call: chat(String(repeating: "x", count: 1 << 20))
        ),
        Exchange(name: "chat_get", expected: "unsupported", isOurs: false, call: chat("hi")),
        Exchange(
            name: "chat_error_nonstream",
            expected: "gatewayFailed: agent failed",
            call: chat("error", streaming: false)
        ),
        Exchange(name: "stream_hello", expected: words, call: chat("hello there")),
        Exchange(name: "stream_noreply", expected: "NO_REPLY", call: chat("noreply")),
        Exchange(name: "stream_heartbeat", expected: "HEARTBEAT_OK", call: chat("heartbeat")),
        Exchange(name: "stream_error", expected: "Error: Error: agent failed (suspected)", call: chat("error")),
        Exchange(name: "stream_cut", expected: "You | chatTruncated", call: chat("cut")),
        Exchange(
            name: "stream_utf8",
            expected: "snowman \u{2603} flag \u{1F1E9}\u{1F1F0} done",
            call: chat("utf8")
        ),
        Exchange(name: "stream_silent", expected: "You said: silent (agent remoteclaw)", call: chat("silent")),
        // Most of its lines were left out of the recording.
        Exchange(name: "stream_long", expected: "w0 w1 w2 w199 ", call: chat("long")),
        Exchange(
            name: "stream_include_usage_ignored",
            expected: "You said: hello (agent remoteclaw)",
            call: chat("hello")
        ),
        Exchange(name: "model_override_absent", expected: "unsupported", call: use("x")),
        Exchange(name: "override_ok", expected: "changed", call: use("anthropic/claude-opus-4-5")),
        Exchange(
            name: "override_unknown",
            expected: #"requestRefused: Unrecognized model "zz/none"."#,
            call: use("zz/none")
        ),
        Exchange(
            name: "override_no_tool",
            expected: "requestRefused: tools.invoke requires body.tool",
            isOurs: false,
            call: use("x")
        ),
        Exchange(name: "tool_absent", expected: "unsupported: Tool not available: nope", isOurs: false, call: use("x")),
    ]

    private static let newest: [Exchange] = [
        ("pair_ok", "Home Server mobileclaw", true, pair("<password>")),
        ("pair_wrong", "passwordRefused: Invalid password", true, pair("no")),
        ("pair_missing", "requestRefused: Missing password", false, pair("")),
        ("pair_rate_0", "passwordRefused: Invalid password", true, pair("no")),
        ("pair_rate_1", "passwordRefused: Invalid password", true, pair("no")),
        ("pair_rate_2", "rateLimited: Too many attempts. Try again later.", true, pair("no")),
        ("pair_rate_3", "rateLimited: Too many attempts. Try again later.", true, pair("no")),
        ("providers", "acme, anthropic Max Pro 200.0, deepseek, openai", true, providers),
        ("rate_limits", "anthropic - -", true, limits("anthropic")), ("voice_caps", "whisper-1 6", true, voice),
    ].map { Exchange(name: $0, expected: $1, file: GatewayFixtures.files[1], isOurs: $2, call: $3) }

    // MARK: Tests

    private static func outcome(_ body: () async throws -> String) async -> String {
        do {
            return try await body()
        } catch let error as GatewayError {
            return error.code.rawValue + (error.answer.map { ": \($0.message)" } ?? "")
        } catch { return "\(error)" }
    }

    @Test(arguments: offers + speech + replies + newest)
    func `an exchange means what it meant`(_ exchange: Exchange) async throws {
        var answers = [try GatewayFixtures.reply(exchange.name, in: exchange.file)]
        switch exchange.name {
        // What is asked where the first address is not known.
        case "api_models_absent": answers.append(try GatewayFixtures.reply("models_v1"))
        case "models_v1": answers.insert(try GatewayFixtures.reply("api_models_absent"), at: 0)
        case "model_override_absent": answers.append(try GatewayFixtures.reply("tool_absent"))
        case _ where exchange.name.hasPrefix("override_") || exchange.name == "tool_absent":
            answers.insert(try GatewayFixtures.reply("model_override_absent"), at: 0)
        default: break
        }
        let http = ScriptedHTTPTransport(answers)
        let expected =
            exchange.name == "model_override_absent" ? "unsupported: Tool not available: nope" : exchange.expected
        let gateway = try GatewayFixtures.gateway(http)
        #expect(await Self.outcome { try await exchange.call(gateway) } == expected)
        guard exchange.isOurs else { return }
        let recorded = try #require(try GatewayFixtures.exchange(exchange.name, in: exchange.file)["request"])
        let place = exchange.name == "override_ok" || exchange.name == "override_unknown" ? 1 : 0
        let request = try #require(http.requests.dropFirst(place).first)
        #expect(request.head.method.rawValue == recorded["method"]?.text && request.head.path == recorded["path"]?.text)
        // What was recorded of the body is in ours.
        guard let json = recorded["json"]?.object, let body = try? JSONValue(parsing: request.body) else { return }
        for key in ["tool", "args", "sessionKey", "password", "voice"] where json[key] != nil {
            #expect(body[key] == json[key])
        }
    }

    @Test func `every exchange is replayed, or is named with its reason`() throws {
        let notes = String(decoding: try Fixture.bytes("README.md"), as: UTF8.self)
        let replayed = Self.offers + Self.speech + Self.replies + Self.newest
        for file in GatewayFixtures.files {
            let names = try Fixture.cases("gateway/\(file).jsonl").compactMap { $0["name"]?.text }
            let known = Set(replayed.filter { $0.file == file }.map(\.name))
            #expect(!names.isEmpty && known.isSubset(of: names))
            for name in names where !known.contains(name) {
                #expect(notes.contains("`\(name)`"), "\(name) is neither replayed nor named")
            }
        }
        for exchange in replayed where !exchange.isOurs {
            #expect(notes.contains("`\(exchange.name)`"), "\(exchange.name) is not named")
        }
    }

    @Test func `who pairs sends the password, and no token; what is no token is none`() async throws {
        let (gateway, http) = try GatewayFixtures.gateway(["pair_ok"], in: GatewayFixtures.files[1])
        let pairing = try await gateway.pair(password: Secret("hunter2"))
        #expect(http.requests.first?.head.headerFields[.authorization] == nil)
        #expect(try JSONValue(parsing: try #require(http.requests.first?.body)) == ["password": "hunter2"])
        #expect(!"\(pairing)".contains("<token>"))
        for text in ["{}", #"{"authToken":""}"#, #"{"authToken":7}"#, ""] {
            let http = ScriptedHTTPTransport([.json(text)])
            let error = await #expect(throws: GatewayError.self) {
                try await GatewayFixtures.gateway(http).pair(password: Secret("x"))
            }
            #expect(error?.code == .answerMalformed)
        }
        let absent = ScriptedHTTPTransport([.json("{}", status: .notFound)])
        let error = await #expect(throws: GatewayError.self) {
            try await GatewayFixtures.gateway(absent).pair(password: Secret("hunter2"))
        }
        #expect(error?.code == .unsupported && error.map { "\($0)".contains("hunter2") } == false)
    }
}
