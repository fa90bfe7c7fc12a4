// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffServer
import RiffTransport
import RiffVoice
import Synchronization
import Testing
import VoiceTestSupport

/// Signatures of version 2: what they cover, and that nothing is taken twice.
@Suite struct SignatureTests {
    private static let body = Array(#"{"text":"hello"}"#.utf8)

    private static func server(
        allowsV1: Bool = false,
        now: @escaping @Sendable () -> Double = { 1_000_000 }
    ) throws -> VoiceServer {
        var configuration = ServerConfiguration(secret: try RiffFixtures.secret(), exposure: .network)
        configuration.allowsV1 = allowsV1
        return try VoiceServer(
            configuration,
            FakeRecognizer.reading,
            nil,
            nil,
            clock: ContinuousClock(),
            wallClock: now,
            report: { _ in }
        )
    }

    private static func signed(
        _ target: String = "/riff/health?a=b",
        method: HTTPRequest.Method = .get,
        body: [UInt8] = [],
        fields: HTTPFields = [:],
        at time: Double = 1_000_000
    ) throws -> HTTPFields {
        let request = HTTPRequest(method: method, scheme: "http", authority: "h", path: target, headerFields: fields)
        let key = RiffSigningKey(try RiffFixtures.secret())
        let field = SignedRequestField(signing: request, target: target, body: body, with: key, at: time)
        var fields = fields
        fields[.riffSignedRequest] = field.value
        return fields
    }

    private static func status(
        _ server: VoiceServer,
        _ fields: HTTPFields,
        _ target: String = "/riff/health?a=b",
        method: HTTPRequest.Method = .get,
        body: [UInt8] = []
    ) async throws -> String {
        let bytes = BodyChunks(chunks: body.isEmpty ? [] : [body])
        let response = try await server.respond(
            to: ServerRequest(method, target, headerFields: fields, body: bytes)
        )
        let challenge = response.headerFields[.wwwAuthenticate].map { " \($0)" } ?? ""
        return "\(response.statusCode)\(challenge)"
    }

    @Test func `a request is taken once`() async throws {
        let server = try Self.server()
        let fields = try Self.signed()
        #expect(try await Self.status(server, fields) == "200")
        #expect(try await Self.status(server, fields) == "401 Riff version=2, error=replayed")
        #expect(try await Self.status(server, try Self.signed()) == "200")
    }

    @Test func `method, path, query, body and Riff's fields are covered, others are not`() async throws {
        let server = try Self.server()
        let target = "/riff/transcribe-only"
        let clip = Array("TEXT:x".utf8)
        func fields(_ change: (inout HTTPFields) -> Void = { _ in }) throws -> HTTPFields {
            var fields = try Self.signed(
                target,
                method: .post,
                body: clip,
                fields: [.riffAudioFormat: "wav", .riffDeviceID: "d"]
            )
            change(&fields)
            return fields
        }
        let refused = "401 Riff version=2"
        #expect(
            try await Self.status(server, fields { $0[.userAgent] = "x" }, target, method: .post, body: clip) == "200"
        )
        #expect(try await Self.status(server, fields(), target, method: .put, body: clip) == refused)
        #expect(try await Self.status(server, fields(), "/riff/audio", method: .post, body: clip) == refused)
        #expect(try await Self.status(server, fields(), target + "?", method: .post, body: clip) == refused)
        #expect(try await Self.status(server, fields(), target, method: .post, body: clip + [0]) == refused)
        #expect(try await Self.status(server, fields(), target, method: .post, body: []) == refused)
        let changes: [(inout HTTPFields) -> Void] = [
            { $0[.riffAudioFormat] = "m4a" }, { $0[.riffDeviceID] = nil }, { $0[.riffConversationID] = "c" },
            { $0.append(HTTPField(name: .riffDeviceID, value: "e")) },
        ]
        for change in changes {
            #expect(try await Self.status(server, fields(change), target, method: .post, body: clip) == refused)
        }
    }

    @Test func `every part of the field matters, and what is none is refused`() async throws {
        let server = try Self.server()
        let value = try #require(try Self.signed()[.riffSignedRequest])
        for place in value.indices {
            var other = value
            other.replaceSubrange(place...place, with: value[place] == "0" ? "1" : "0")
            let fields: HTTPFields = [.riffSignedRequest: other]
            #expect(try await Self.status(server, fields) == "401 Riff version=2", "\(other)")
        }
        for length in stride(from: 0, to: value.count, by: 7) {
            let fields: HTTPFields = [.riffSignedRequest: String(value.prefix(length))]
            #expect(try await Self.status(server, fields) == "401 Riff version=2")
        }
        let longer: HTTPFields = [.riffSignedRequest: value + ";x=1"]
        #expect(try await Self.status(server, longer) == "401 Riff version=2")
        #expect(try await Self.status(server, [.riffSignedRequest: value]) == "200")
    }

    @Test(arguments: [(299.0, "200"), (300, "200"), (301, "stale"), (-300, "stale")])
    func `times are near, and behind the server's beginning`(offset: Double, expected: String) async throws {
        let server = try Self.server()
        let answer = try await Self.status(server, try Self.signed(at: 1_000_000 + offset))
        #expect(answer.hasSuffix(expected))
    }

    @Test func `a request is too old after five minutes, and its nonce is remembered until then`() async throws {
        let now = Mutex(1_000_000.0)
        let server = try Self.server(now: { now.withLock { $0 } })
        let fields = try Self.signed()
        #expect(try await Self.status(server, fields) == "200")
        now.withLock { $0 += 300 }
        #expect(try await Self.status(server, fields).hasSuffix("replayed"))
        now.withLock { $0 += 1 }
        #expect(try await Self.status(server, fields).hasSuffix("stale"))
        #expect(try await Self.status(server, try Self.signed(at: 1_000_301)) == "200")
    }

    @Test func `version 1 is taken only where it is allowed, and neither side goes back by itself`() async throws {
        let v1: HTTPFields = [.riffSignature: RequestSignature(of: [], with: try RiffFixtures.secret()).value]
        #expect(try await Self.status(try Self.server(), v1) == "401 Riff version=2, error=version")
        #expect(try await Self.status(try Self.server(allowsV1: true), v1) == "200")
        // A wrong signature of version 2 is not forgiven for a right one of version 1 beside it.
        var both = v1
        both[.riffSignedRequest] = "v2;"
        #expect(try await Self.status(try Self.server(allowsV1: true), both) == "401 Riff version=2")
        let server = try Self.server()
        func client(_ version: RiffClient.SignatureVersion, _ clock: Double) throws -> RiffClient {
            RiffClient(
                server: try HTTPBaseURL("http://127.0.0.1:1"),
                secret: try RiffFixtures.secret(),
                http: BridgedTransport(server: server),
                signature: version,
                wallClock: { clock }
            )
        }
        #expect(try await client(.v2, 1_000_000).health().status == "ok")
        let old = await #expect(throws: VoiceError.self) { _ = try await client(.v1, 1_000_000).health() }
        #expect(old?.code == .signatureVersion)
        let late = await #expect(throws: VoiceError.self) { _ = try await client(.v2, 1_000_400).health() }
        #expect(late?.code == .clocksDiffer)
    }

    @Test func `a client under a path of a proxy signs what the server sees`() async throws {
        struct Proxy: HTTPTransport {
            let server: VoiceServer
            func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
                var request = request
                request.path = request.path.map { String($0.dropFirst("/mac".count)) }
                return try await BridgedTransport(server: server).send(request, body: body, deadlines: deadlines)
            }
        }
        let client = RiffClient(
            server: try HTTPBaseURL("https://host.example/mac"),
            secret: try RiffFixtures.secret(),
            http: Proxy(server: try Self.server()),
            wallClock: { 1_000_000 }
        )
        #expect(try await client.health().status == "ok")
    }

    @Test func `the key says nothing of the secret, and the same of the same`() throws {
        let key = RiffSigningKey(try RiffFixtures.secret())
        #expect(key == RiffSigningKey(try RiffFixtures.secret()))
        #expect(key.id != RiffSigningKey(try RiffSecret(hex: String(repeating: "5a", count: 32))).id)
        #expect("\(key)".contains(key.id) && "\(key)".contains("<secret>"))
    }
}
