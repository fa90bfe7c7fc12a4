// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing
import VoiceTestSupport

@Suite(.timeLimit(.minutes(5)))
struct SvenClientTests {
    private static let ok = ScriptedHTTPTransport.Reply.json(#"{"status":"ok"}"#)

    private static func body(_ http: ScriptedHTTPTransport) throws -> JSONValue {
        try JSONValue(parsing: try #require(http.requests.last).body)
    }

    private static func failure(_ reply: ScriptedHTTPTransport.Reply) async throws -> VoiceError? {
        let client = try SvenFixtures.client(ScriptedHTTPTransport([reply]))
        return await #expect(throws: VoiceError.self) { _ = try await client.send("hello") }
    }

    @Test func `a prompt is trimmed, and a receipt of one word is one`() async throws {
        let http = ScriptedHTTPTransport([Self.ok])
        let receipt = try await SvenFixtures.client(http).send("  hello, \"Sven\" \n", messageID: try .init("m-1"))
        #expect(receipt == SvenClient.Receipt())
        #expect(receipt.replies == .none)
        let expected: JSONValue = [
            "transcript": "hello, \"Sven\"", "token": .string(SvenFixtures.tokenText), "message_id": "m-1",
        ]
        #expect(try Self.body(http) == expected)
        let sent = try #require(http.requests.first)
        #expect(sent.head.path == "/prompt")
        #expect(sent.head.headerFields[.contentType] == "application/json")
        #expect(try #require(sent.deadlines.idle) >= .seconds(35))
    }

    @Test(arguments: ["", " ", "\n\t \u{3000}"])
    func `nothing is not sent`(text: String) async throws {
        let http = ScriptedHTTPTransport([Self.ok])
        let client = try SvenFixtures.client(http)
        let error = await #expect(throws: VoiceError.self) { _ = try await client.send(text) }
        #expect(error?.code == .emptyPrompt)
        #expect(http.requests.isEmpty)
    }

    @Test func `each prompt has an id of its own, unless it is given one`() async throws {
        let http = ScriptedHTTPTransport([Self.ok, Self.ok])
        let client = try SvenFixtures.client(http)
        _ = try await client.send("a")
        let first = try Self.body(http)["message_id"]?.text
        _ = try await client.send("a")
        #expect(first != nil)
        #expect(try Self.body(http)["message_id"]?.text != first)
    }

    @Test(arguments: [
        (400, #"{"detail":"Empty transcript"}"#, "emptyPrompt"),
        (401, #"{"detail":"Unknown device token"}"#, "unknownDevice"),
        (401, #"{"detail":"Unknown device"}"#, "unknownDevice"),
        (401, #"{"detail":"Invalid attestation"}"#, "attestationMissing"),
        (404, #"{"detail":"Not Found"}"#, "notOnThisServer"),
        (405, #"{"detail":"Method Not Allowed"}"#, "notOnThisServer"),
        (413, #"{"detail":"Request body too large"}"#, "promptRejected"),
        (422, #"{"detail":[{"type":"missing","loc":["body","token"],"msg":"secret"}]}"#, "promptRejected"),
        (422, #"{"detail":"secret"}"#, "promptRejected"), (429, #"{"detail":"Too many requests"}"#, "tooManyPrompts"),
        (500, #"{"detail":"Failed to inject prompt"}"#, "promptNotHandedOn"),
        (500, #"{"detail":"secret"}"#, "serverFailed"), (502, "<html>secret", "serverFailed"),
        (401, "<html>secret", "notSvenServer"), (404, #"{"error":"secret"}"#, "notSvenServer"),
        (302, "", "notSvenServer"), (200, "<html>secret", "notSvenServer"), (200, #"{"status":"no"}"#, "notSvenServer"),
        (200, #"["secret"]"#, "notSvenServer"), (200, "{", "notSvenServer"),
    ])
    func `every answer has its own error, which shows nothing of it`(status: Int, body: String, code: String)
        async throws
    {
        let error = try await Self.failure(.json(body, status: .init(code: status)))
        #expect(error?.stableCode == "voice.\(code)", "\(status) \(body)")
        #expect(error?.localizedDescription == error?.message)
        let shown = String(reflecting: error?.message) + String(reflecting: error)
        #expect(!shown.contains("secret") && !shown.contains(SvenFixtures.tokenText))
    }

    @Test func `the fields that a server cannot take are named, and only names are`() async throws {
        let body = #"{"detail":[{"loc":["body","token"]},{"loc":["body","<b>bad one</b>"]},{"loc":[]},7]}"#
        let error = try await Self.failure(.json(body, status: .unprocessableContent))
        #expect(error?.message.contains("(token)") == true)
    }

    @Test(arguments: [
        (TransportError.Code.httpNeverConnected, 2, "serverUnreachable"), (.timeout, 1, "serverTimeout"),
        (.connectionLost, 1, "serverConnectionLost"), (.tlsFailed, 1, "serverUnreachable"),
        (.httpMalformed, 1, "notSvenServer"),
    ])
    func `only what never connected is tried again`(code: TransportError.Code, tries: Int, shown: String) async throws {
        let reply = ScriptedHTTPTransport.Reply.failure(TransportError(code, "scripted"))
        let http = ScriptedHTTPTransport([reply, reply, reply])
        let client = try SvenFixtures.client(http)
        let error = await #expect(throws: VoiceError.self) { _ = try await client.send("hello") }
        #expect(error?.code.rawValue == shown)
        #expect(http.requests.count == tries)
        // A second try is the same prompt, so that a server which knows ids takes it once.
        #expect(Set(http.requests.map(\.body)).count == 1)
    }

    @Test func `a 500 is not followed by a second try`() async throws {
        let body = #"{"detail":"Failed to inject prompt"}"#
        let http = ScriptedHTTPTransport([.json(body, status: .internalServerError), Self.ok])
        let client = try SvenFixtures.client(http)
        await #expect(throws: VoiceError.self) { _ = try await client.send("hello") }
        #expect(http.requests.count == 1)
    }

    @Test func `cancellation comes out as it is`() async throws {
        let client = try SvenFixtures.client(ScriptedHTTPTransport([.never]))
        let task = Task { try await client.send("hello") }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    // MARK: Attestation

    @Test func `a provider vouches for the prompt as it is sent`() async throws {
        let http = ScriptedHTTPTransport([Self.ok, Self.ok])
        let client = try SvenFixtures.client(http, attestation: Vouching())
        _ = try await client.send(" hello ", messageID: try .init("m-1"))
        #expect(try Self.body(http)["attestation"] == "for m-1\nhello")
        _ = try await client.send("hello", attestation: "made before")
        #expect(try Self.body(http)["attestation"] == "made before")
    }

    @Test func `a device that cannot vouch sends nothing, and one that is not believed is told so`() async throws {
        let http = ScriptedHTTPTransport()
        let mute = try SvenFixtures.client(http, attestation: Vouching(fails: true))
        let missing = await #expect(throws: VoiceError.self) { _ = try await mute.send("hello") }
        #expect(missing?.code == .attestationMissing)
        #expect(http.requests.isEmpty)
        http.queue(.json(#"{"detail":"Invalid attestation"}"#, status: .unauthorized))
        let client = try SvenFixtures.client(http, attestation: Vouching())
        let refused = await #expect(throws: VoiceError.self) { _ = try await client.send("hello") }
        #expect(refused?.code == .attestationRefused)
    }

    // MARK: The pace

    @Test func `thirty prompts in a minute are what a server takes, and the client knows when it takes the next`()
        async throws
    {
        let clock = ManualClock()
        let http = ScriptedHTTPTransport(Array(repeating: Self.ok, count: 30))
        let client = try SvenFixtures.client(http, clock: clock)
        for number in 0..<30 {
            #expect(client.promptDelay == .zero)
            _ = try await client.send("n\(number)")
            clock.advance(by: .seconds(1))
        }
        #expect(client.promptDelay == .seconds(30))
        http.queue(.json(#"{"detail":"Too many requests"}"#, status: .tooManyRequests))
        let error = await #expect(throws: VoiceError.self) { _ = try await client.send("one more") }
        #expect(error?.code == .tooManyPrompts)
        clock.advance(by: .seconds(60))
        #expect(client.promptDelay == .zero)
    }

    @Test func `a refusal that the client did not foresee lasts as long as the server says, or a minute`() async throws
    {
        let clock = ManualClock()
        let refusal = HTTPResponse(
            status: .tooManyRequests,
            headerFields: [.contentType: "application/json", .retryAfter: "7"]
        )
        let http = ScriptedHTTPTransport([.response(refusal, chunks: [])])
        http.queue(.json(#"{"detail":"Too many requests"}"#, status: .tooManyRequests))
        let client = try SvenFixtures.client(http, clock: clock)
        let error = await #expect(throws: VoiceError.self) { _ = try await client.send("hello") }
        #expect(error?.message.contains("in 7 s") == true)
        #expect(client.promptDelay == .seconds(7))
        clock.advance(by: .seconds(7))
        #expect(client.promptDelay == .zero)
        await #expect(throws: VoiceError.self) { _ = try await client.send("hello") }
        #expect(client.promptDelay == .seconds(60))
    }

    // MARK: Replies

    @Test func `the time is passed back as it came, percent-encoded`() async throws {
        let http = ScriptedHTTPTransport([.json(#"{"messages":[]}"#)])
        #expect(try await SvenFixtures.client(http).messages(since: "2026-11-21 03:10:32").isEmpty)
        let path = "/messages?since=2026-11-21%2003%3A10%3A32&token=\(SvenFixtures.tokenText)"
        #expect(http.requests.map(\.head.path) == [path])
    }

    @Test func `a message that cannot be read does not hide the others`() async throws {
        let http = ScriptedHTTPTransport([
            .json(#"{"messages":[{"id":7},{"id":"a","role":"x","content":null,"created_at":"t","new":1},"b"]}"#)
        ])
        let expected = SvenMessage(id: "a", role: .init(rawValue: "x"), content: "", createdAt: "t")
        #expect(try await SvenFixtures.client(http).messages() == [expected])
    }

    @Test(arguments: [#"{}"#, #"{"messages":{}}"#, #"[]"#, "x"])
    func `an answer without messages is not a Sven server's`(body: String) async throws {
        let client = try SvenFixtures.client(ScriptedHTTPTransport([.json(body)]))
        let error = await #expect(throws: VoiceError.self) { _ = try await client.messages() }
        #expect(error?.code == .notSvenServer)
    }

    @Test func `speech that is none is refused, and an id never leaves its place in the path`() async throws {
        let http = ScriptedHTTPTransport([.json("{}")])
        let client = try SvenFixtures.client(http)
        let error = await #expect(throws: VoiceError.self) { _ = try await client.audio(of: "../tokens?x=1") }
        #expect(error?.code == .notSvenServer)
        #expect(http.requests.map(\.head.path) == ["/audio/..%2Ftokens%3Fx%3D1?token=\(SvenFixtures.tokenText)"])
    }

    @Test func `a failing request for messages does not show the token in its address`() async throws {
        let http = ScriptedHTTPTransport()
        let client = try SvenFixtures.client(http)
        let error = await #expect(throws: VoiceError.self) { _ = try await client.messages(since: "x") }
        #expect(error?.code == .serverUnreachable)
        #expect(!String(reflecting: error).contains(SvenFixtures.tokenText))
        #expect(!"\(try #require(error))".contains(SvenFixtures.tokenText))
    }

    @Test func `being well needs no token`() async throws {
        let http = ScriptedHTTPTransport([.json(#"{"status":"healthy"}"#)])
        try await SvenFixtures.client(http).health()
        #expect(http.requests.map(\.head.path) == ["/health"])
    }

    @Test func `a code that is refused is its own error`() async throws {
        let http = ScriptedHTTPTransport([.json(#"{"detail":"Invalid pairing code"}"#, status: .unauthorized)])
        let client = try SvenFixtures.client(http)
        let error = await #expect(throws: VoiceError.self) { try await client.register(code: "ABCDE-FGHJK") }
        #expect(error?.code == .pairingRefused)
        #expect(error?.message.contains("ABCDE") == false)
    }

    // MARK: The token

    @Test func `a device's token is made once, whoever asks first, and is new after it was forgotten`() async throws {
        let store = InMemorySecretStore()
        let tokens = try await withThrowingTaskGroup(of: Secret.self) { group in
            for _ in 0..<8 { group.addTask { try await SvenClient.DeviceToken.kept(in: store) } }
            return try await group.reduce(into: Set<Secret>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
        let token = try #require(tokens.first)
        #expect(token.bytes.count == 36)
        #expect(try await store.secret(for: SvenContract.tokenName) == token)
        try await SvenClient.DeviceToken.forget(in: store)
        #expect(try await SvenClient.DeviceToken.kept(in: store) != token)
    }
}
