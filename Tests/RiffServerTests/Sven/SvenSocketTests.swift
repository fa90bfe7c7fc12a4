// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHTTP
import RiffServer
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    /// Sven's prompts over real sockets, with a server that wants an attestation.
    @Suite(.timeLimit(.minutes(5)))
    struct SvenSocketTests {
        private static func with(
            _ configuration: SvenConfiguration = SvenConfiguration(),
            verifier: (any AttestationVerifier)? = SvenServerTests.Verifier(),
            _ body: @Sendable (Int, AsyncHTTPTransport, SvenServerTests.Record) async throws -> Void
        ) async throws {
            let record = SvenServerTests.Record()
            let server = try await SvenServerTests.make(
                configuration,
                record: record,
                verifier: verifier,
                clock: ContinuousClock()
            )
            try await SocketServer.withServer({ try await server.respond(to: $0) }) { (socket) async throws in
                try await AsyncHTTPTransport.withTransport { (http) async throws in
                    try await body(socket.port, http, record)
                }
            }
        }

        private static func client(
            _ port: Int,
            _ http: AsyncHTTPTransport,
            token: Secret = SvenFixtures.token,
            attestation: (any AttestationProvider)? = Vouching()
        ) throws -> SvenClient {
            let address = try HTTPBaseURL("http://127.0.0.1:\(port)")
            return SvenClient(server: address, token: token, http: http, attestation: attestation)
        }

        @Test func `an attested prompt is taken, and reaches the agent`() async throws {
            try await Self.with { (port, http, record) async throws in
                let receipt = try await Self.client(port, http).send("Is the build green?")
                #expect(receipt.message == "Prompt received.")
                #expect(record.prompts.map(\.text) == ["Is the build green?"])
            }
        }

        @Test func `without an attestation, or with another one, a prompt is 401, and told so`() async throws {
            try await Self.with { (port, http, record) async throws in
                let missing = await #expect(throws: VoiceError.self) {
                    try await Self.client(port, http, attestation: nil).send("hello")
                }
                #expect(missing?.code == .attestationMissing)
                let wrong = await #expect(throws: VoiceError.self) {
                    try await Self.client(port, http).send("hello", attestation: "for something else")
                }
                #expect(wrong?.code == .attestationRefused)
                // An assertion for one prompt is worth nothing for another, or for the same words again.
                let prompt = SvenClient.AttestedPrompt(transcript: "hello", messageID: "one")
                let assertion = try await Vouching().assertion(for: prompt)
                let replayed = await #expect(throws: VoiceError.self) {
                    try await Self.client(port, http).send(
                        "hello",
                        attestation: assertion,
                        messageID: try RiffIdentifier("two")
                    )
                }
                #expect(replayed?.code == .attestationRefused)
                #expect(record.prompts.isEmpty)
            }
        }

        @Test func `a token that is not known is 401 after the attestation, and told as such`() async throws {
            try await Self.with { (port, http, record) async throws in
                let stranger = Secret("33333333-aaaa-4bbb-8ccc-dddddddddddd")
                let error = await #expect(throws: VoiceError.self) {
                    try await Self.client(port, http, token: stranger).send("hello")
                }
                #expect(error?.code == .unknownDevice)
                #expect(record.prompts.isEmpty)
            }
        }

        @Test func `more prompts than a minute takes are 429, with the time to wait`() async throws {
            var limits = SvenConfiguration()
            limits.promptsPerWindow = 2
            try await Self.with(limits) { (port, http, record) async throws in
                let client = try Self.client(port, http)
                for number in 0..<2 { _ = try await client.send("prompt \(number)") }
                let error = await #expect(throws: VoiceError.self) { try await client.send("one too many") }
                #expect(error?.code == .tooManyPrompts)
                #expect(client.promptDelay > .seconds(30))
                #expect(record.prompts.count == 2)
            }
        }

        @Test func `a verifier that breaks refuses the prompt, and tells the host alone`() async throws {
            let verifier = SvenServerTests.Verifier(fails: true)
            try await Self.with(verifier: verifier) { (port, http, record) async throws in
                let error = await #expect(throws: VoiceError.self) { try await Self.client(port, http).send("hello") }
                #expect(error?.code == .attestationRefused)
                #expect(error?.message.contains("sk-inner-secret") == false)
                #expect(record.errors.map(\.code) == [.attestationFailed])
            }
        }
    }
}
