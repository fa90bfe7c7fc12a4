// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffServer
import RiffTesting
import RiffTransport
import RiffVoice
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

/// The handler's own checks, limits and order of checks.
@Suite(.timeLimit(.minutes(5)))
struct SvenServerTests {
    struct Broken: Error, CustomStringConvertible {
        var description: String { "sk-inner-secret" }
    }

    struct Verifier: AttestationVerifier {
        var fails = false

        func isGenuine(_ attestation: String, of prompt: SvenClient.AttestedPrompt) async throws -> Bool {
            if fails { throw Broken() }
            return attestation == "for " + String(decoding: prompt.clientData, as: UTF8.self)
        }
    }

    /// A store that cannot be read.
    struct Unreadable: KeyValueStore {
        func value(for name: String) async throws -> String? { throw Broken() }
        func set(_ value: String?, for name: String) async throws { throw Broken() }
        func names() async throws -> Set<String> { throw Broken() }
    }

    /// What was handed on, and what was reported.
    final class Record: Sendable {
        private let state = Mutex<(prompts: [SvenPrompt], errors: [ServerError])>(([], []))
        var prompts: [SvenPrompt] { state.withLock { $0.prompts } }
        var errors: [ServerError] { state.withLock { $0.errors } }
        func note(_ prompt: SvenPrompt) { state.withLock { $0.prompts.append(prompt) } }
        func note(_ error: ServerError) { state.withLock { $0.errors.append(error) } }
    }

    static func make(
        _ configuration: SvenConfiguration = SvenConfiguration(),
        record: Record = Record(),
        devices: DeviceLedger? = nil,
        pairing: PairingWindow? = nil,
        verifier: (any AttestationVerifier)? = nil,
        conversation: SvenConversation? = nil,
        clock: any Clock<Duration> = ManualClock(),
        sink: PromptSink? = nil
    ) async throws -> SvenServer {
        let known = try await SvenFixtures.ledger()
        return SvenServer(
            configuration,
            devices: devices ?? known,
            pairing: pairing,
            verifier: verifier,
            conversation: conversation,
            clock: clock,
            wallClock: { 1_795_229_428 },
            report: { record.note($0) },
            sink: sink ?? { record.note($0) }
        )
    }

    @Test func `a prompt is handed on, trimmed, with who sent it`() async throws {
        let record = Record()
        let server = try await Self.make(record: record)
        let response = try await server.respond(to: SvenFixtures.prompt("  hello \n"))
        #expect(try response.json == ["status": "ok", "message": "Prompt received."])
        #expect(record.prompts.map(\.text) == ["hello"])
        #expect(record.prompts.map(\.device.name) == ["phone"])
    }

    @Test func `nobody is known by being first`() async throws {
        let record = Record()
        let server = try await Self.make(record: record, devices: DeviceLedger(InMemoryKeyValueStore()))
        let response = try await server.respond(to: SvenFixtures.prompt("hello"))
        #expect(response.status == .unauthorized)
        #expect(try response.detail == "Unknown device token")
        #expect(record.prompts.isEmpty)
    }

    @Test func `the checks come in the public server's order`() async throws {
        let clock = ManualClock()
        var configuration = SvenConfiguration()
        configuration.promptsPerWindow = 1
        let server = try await Self.make(configuration, verifier: Verifier(), clock: clock) { _ in throw Broken() }
        func ask(_ transcript: JSONValue, _ token: String, _ attestation: String?) async throws -> String {
            var object: JSONObject = ["transcript": transcript, "token": .string(token)]
            object["attestation"] = attestation.map { .string($0) }
            let response = try await server.respond(to: SvenFixtures.request(.post, "/prompt", .object(object)))
            return "\(response.status.code) \(try response.detail ?? "")"
        }
        #expect(try await ask(7, "bad", nil) == "422 ")
        #expect(try await ask(" ", "bad", nil) == "400 Empty transcript")
        #expect(try await ask("x", "bad", nil) == "401 Invalid attestation")
        #expect(try await ask("x", SvenFixtures.tokenText, "for \ny") == "401 Invalid attestation")
        #expect(try await ask("x", "bad", "for \nx") == "401 Unknown device token")
        #expect(try await ask("x", SvenFixtures.tokenText, "for \nx") == "500 Failed to inject prompt")
        #expect(try await ask("x", SvenFixtures.tokenText, "for \nx") == "429 Too many requests")
    }

    @Test func `a verifier that fails refuses, and the host is told`() async throws {
        let record = Record()
        let server = try await Self.make(record: record, verifier: Verifier(fails: true))
        let json: JSONValue = ["transcript": "x", "token": .string(SvenFixtures.tokenText), "attestation": "x"]
        let response = try await server.respond(to: SvenFixtures.request(.post, "/prompt", json))
        #expect(try response.detail == "Invalid attestation")
        #expect(record.errors.map(\.code) == [.attestationFailed])
        #expect(record.prompts.isEmpty)
    }

    private static let longID =
        #"{"transcript":"x","token":"x","message_id":"\#(String(repeating: "i", count: 129))"}"#

    @Test(arguments: [
        (#"{"token":"x"}"#, ["missing transcript"]), (#"{}"#, ["missing transcript", "missing token"]),
        (#"{"transcript":null,"token":[1]}"#, ["string_type transcript", "string_type token"]),
        (#"{"transcript":"x","token":"x","attestation":5}"#, ["string_type attestation"]),
        (#"{"transcript":"x","token":"x","message_id":true}"#, ["string_type message_id"]),
        (SvenServerTests.longID, ["string_too_long message_id"]),
        (#"["transcript"]"#, ["model_attributes_type body"]), ("{", ["json_invalid body"]), ("", ["missing body"]),
    ])
    func `what is wrong with the fields is listed, without their values`(body: String, faults: [String]) async throws {
        let bytes = BodyChunks(chunks: [Array(body.utf8)])
        let fields: HTTPFields = [.contentType: "application/json; charset=utf-8"]
        let request = ServerRequest(.post, "/prompt", headerFields: fields, body: bytes)
        let response = try await Self.make().respond(to: request)
        #expect(response.status == .unprocessableContent)
        let listed = try #require(try response.json["detail"]?.array).map { fault in
            "\(fault["type"]?.text ?? "") \(fault["loc"]?.array?.last?.text ?? "")"
        }
        #expect(listed == faults)
        #expect(try response.json["detail"]?.array?.allSatisfy { $0.object?.keys == ["type", "loc", "msg"] } == true)
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, "/prompt", 405, "POST"), (.get, "/register", 405, "POST"),
        (.put, "/messages", 405, "GET, DELETE"), (.post, "/health", 405, "GET"), (.post, "/", 405, "GET"),
        (.delete, "/audio/x", 405, "GET"), (.get, "/tokens", 404, ""), (.get, "/audio/", 404, ""),
        (.get, "/audio", 404, ""), (.get, "/audio/a/b", 404, ""), (.get, "/prompt/", 404, ""), (.get, "", 404, ""),
        (.post, "/restart-session", 404, ""),
    ])
    func `other methods and other paths`(method: HTTPRequest.Method, path: String, status: Int, allow: String)
        async throws
    {
        let response = try await Self.make().respond(to: SvenFixtures.request(method, path))
        #expect(response.status.code == status)
        #expect(response.headerFields[.allow] ?? "" == allow)
        #expect(try response.detail == (status == 405 ? "Method Not Allowed" : "Not Found"))
    }

    @Test func `it says that it is there`() async throws {
        let server = try await Self.make()
        let root = try await server.respond(to: SvenFixtures.request(.get, "/"))
        #expect(try root.json == ["status": "ok", "service": "sven-api", "time": "2026-11-21T02:50:28"])
        let health = try await server.respond(to: SvenFixtures.request(.get, "/health"))
        #expect(try health.json == ["status": "healthy"])
    }

    @Test func `a body past 64 KB is 413 and reading stops there`() async throws {
        let server = try await Self.make()
        let taken = BodyChunks.Count()
        let chunk = [UInt8](repeating: 0x20, count: 1 << 14)
        let body = BodyChunks(chunks: Array(repeating: chunk, count: 100), taken: taken)
        var fields: HTTPFields = [.contentType: "application/json"]
        for path in ["/prompt", "/register"] {
            let streamed = ServerRequest(.post, path, headerFields: fields, body: body)
            #expect(try await server.respond(to: streamed).status == .contentTooLarge)
        }
        #expect(taken.bytes == 2 * 5 << 14)
        fields[.contentLength] = "65537"
        let announced = ServerRequest(.post, "/prompt", headerFields: fields, body: body)
        #expect(try await server.respond(to: announced).status == .contentTooLarge)
        #expect(taken.bytes == 2 * 5 << 14)
    }

    @Test func `a body that does not come is 408`() async throws {
        let clock = ManualClock()
        let server = try await Self.make(clock: clock)
        let (stream, writer) = ByteStream.makeStream()
        let request = ServerRequest(.post, "/prompt", headerFields: [.contentType: "application/json"], body: stream)
        async let response = server.respond(to: request)
        await clock.sleepers(1)
        clock.advance(by: .seconds(30))
        #expect(try await response.status == .requestTimeout)
        #expect(try await response.headerFields[.connection] == "close")
        writer.finish()
    }

    @Test func `a sink that fails is 500, nothing of it leaks, and the message is taken back`() async throws {
        let record = Record()
        let conversation = SvenConversation()
        let server = try await Self.make(record: record, conversation: conversation) { _ in throw Broken() }
        let response = try await server.respond(to: SvenFixtures.prompt("hello"))
        #expect(response.status == .internalServerError)
        #expect(try response.detail == "Failed to inject prompt")
        #expect(record.errors.map(\.code) == [.promptFailed])
        #expect(!record.errors.map(\.message).joined().contains("hello"))
        #expect(conversation.messages().isEmpty)
    }

    @Test func `a sink that is too slow is cancelled after 30 s, and is 500`() async throws {
        let clock = ManualClock()
        let record = Record()
        let (started, starts) = AsyncStream<Void>.makeStream()
        let server = try await Self.make(record: record, clock: clock) { _ in
            starts.yield()
            try await ManualClock().sleep(for: .seconds(1))
        }
        async let response = server.respond(to: SvenFixtures.prompt("hello"))
        for await _ in started { break }
        await clock.sleepers(1)
        clock.advance(by: .seconds(30))
        #expect(try await response.status == .internalServerError)
        #expect(record.errors.map(\.code) == [.promptTimeout])
    }

    @Test func `a prompt that the sink had when the time was over is handed on`() async throws {
        let clock = ManualClock()
        let (started, starts) = AsyncStream<Void>.makeStream()
        let server = try await Self.make(clock: clock) { _ in
            starts.yield()
            // It ends with cancellation, and says that all is well.
            try? await ManualClock().sleep(for: .seconds(1))
        }
        async let response = server.respond(to: SvenFixtures.prompt("hello"))
        for await _ in started { break }
        await clock.sleepers(1)
        clock.advance(by: .seconds(30))
        #expect(try await response.status == .ok)
    }

    @Test func `a list of devices that cannot be read is 500, and lets nobody in`() async throws {
        let record = Record()
        let pairing = PairingWindow(clock: ManualClock())
        let server = try await Self.make(record: record, devices: DeviceLedger(Unreadable()), pairing: pairing)
        let registering: JSONValue = ["token": .string(SvenFixtures.tokenText), "code": .string(pairing.open())]
        for request in [
            SvenFixtures.prompt("hello"), SvenFixtures.request(.get, "/messages?token=\(SvenFixtures.tokenText)"),
            SvenFixtures.request(.post, "/register", registering),
        ] {
            let response = try await server.respond(to: request)
            #expect(response.status == .internalServerError)
            #expect(try response.detail == "Internal Server Error")
        }
        #expect(record.errors.map(\.code) == Array(repeating: .devicesUnreadable, count: 3))
        #expect(record.prompts.isEmpty)
    }

    @Test func `the rate is each device's own, and refused prompts do not count`() async throws {
        let clock = ManualClock()
        let server = try await Self.make(clock: clock)
        func status(_ token: String) async throws -> Int {
            try await server.respond(to: SvenFixtures.prompt("x", token: token)).status.code
        }
        for _ in 0..<30 { #expect(try await status(SvenFixtures.tokenText) == 200) }
        clock.advance(by: .seconds(59))
        for _ in 0..<10 { #expect(try await status(SvenFixtures.tokenText) == 429) }
        #expect(try await status(SvenFixtures.otherText) == 200)
        let refused = try await server.respond(to: SvenFixtures.prompt("x"))
        #expect(refused.headerFields[.retryAfter] == "1")
        clock.advance(by: .seconds(1))
        for _ in 0..<30 { #expect(try await status(SvenFixtures.tokenText) == 200) }
        #expect(try await status(SvenFixtures.tokenText) == 429)
    }

    @Test func `a token is needed for everything that was said`() async throws {
        let conversation = SvenConversation()
        let id = try conversation.reply("done", clip: AudioClip(Array("RIFF".utf8), encoding: .wav))
        let server = try await Self.make(conversation: conversation)
        for token in ["", "?token=", "?token=bad", "?token=\(SvenFixtures.tokenText.dropLast())"] {
            for (method, path) in [
                (HTTPRequest.Method.get, "/messages"), (.delete, "/messages"), (.get, "/audio/\(id)"),
            ] {
                let response = try await server.respond(to: SvenFixtures.request(method, path + token))
                #expect(response.status == .unauthorized)
                #expect(try response.detail == "Unknown device token")
            }
        }
        #expect(conversation.messages().count == 1)
    }
}
