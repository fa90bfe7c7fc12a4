// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
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

/// The secret of a Riff server, given to a device with a one-time code.
@Suite(.timeLimit(.minutes(5))) struct RiffPairingTests {
    private static let address = "http://127.0.0.1:1"

    private struct Lab {
        let clock = ManualClock()
        let window: PairingWindow
        let http: BridgedTransport
        let secret = RiffSecret.random()

        init(_ secret: RiffSecret? = nil) throws {
            window = PairingWindow(clock: clock)
            let configuration = ServerConfiguration(secret: secret ?? self.secret, exposure: .loopback)
            http = BridgedTransport(server: try VoiceServer(configuration, recognizer: nil, pairing: window))
        }

        func pair(_ code: String) async throws -> RiffSecret {
            try await RiffClient.pair(with: code, at: HTTPBaseURL(RiffPairingTests.address), http: http)
        }

        func refusal(_ code: String) async -> VoiceError.Code? {
            await #expect(throws: VoiceError.self) { _ = try await pair(code) }?.code
        }

        func status(_ body: [UInt8]) async throws -> Int {
            let request = try HTTPBaseURL(RiffPairingTests.address).request(.post, RiffContract.pairPath)
            return try await http.send(request, body: .bytes(body), deadlines: HTTPDeadlines()).head.status.code
        }
    }

    @Test func `who knows the code has the secret, once, and signs with it`() async throws {
        let lab = try Lab()
        let code = lab.window.open()
        let secret = try await lab.pair(" \(code.lowercased()) ")
        #expect(secret == lab.secret)
        let client = RiffClient(server: try HTTPBaseURL(Self.address), secret: secret, http: lab.http)
        #expect(try await client.health().status == "ok")
        #expect(await lab.refusal(code) == .wrongPairingCode)
    }

    @Test func `no window, a wrong code and five minutes are refused alike, and wrong codes close it for nobody`()
        async throws
    {
        let lab = try Lab()
        #expect(await lab.refusal("AAAA-AAAA-AAAA") == .wrongPairingCode)
        let code = lab.window.open()
        for _ in 0..<20 { #expect(await lab.refusal("AAAA-AAAA-AAAA") == .wrongPairingCode) }
        #expect(try await lab.pair(code) == lab.secret)
        #expect(await lab.refusal(code) == .wrongPairingCode)
        let second = lab.window.open()
        lab.clock.advance(by: .seconds(300))
        #expect(await lab.refusal(second) == .wrongPairingCode)
        #expect(await lab.refusal("") == .wrongPairingCode)
    }

    @Test func `what is no request of a device uses no try`() async throws {
        let lab = try Lab()
        let code = lab.window.open()
        let whole = PairingAgreement.Device(.random(), code: code).request
        for json: JSONValue in [
            .null, [], ["device_id": "../x", "key": whole.json["key"] ?? .null, "proof": whole.json["proof"] ?? .null],
            ["device_id": "d", "key": "AAAA", "proof": whole.json["proof"] ?? .null],
            ["device_id": "d", "key": whole.json["key"] ?? .null],
        ] {
            #expect(try await lab.status(json.bytes()) == 400)
        }
        #expect(try await lab.status(Array(repeating: 0x20, count: 8 * 1024 + 1)) == 413)
        #expect(try await lab.pair(code) == lab.secret)
    }

    @Test func `a proof counts for one device and one key`() async throws {
        let lab = try Lab()
        let code = lab.window.open()
        let asked = PairingAgreement.Device(try RiffIdentifier("phone"), code: code).request
        for (name, value): (String, JSONValue) in [
            ("device_id", "other"), ("key", .string(Data(repeating: 9, count: 32).base64EncodedString())),
        ] {
            var changed = try #require(asked.json.object)
            changed[name] = value
            #expect(try await lab.status(JSONValue.object(changed).bytes()) == 401)
        }
        #expect(lab.window.isOpen)
    }

    @Test func `a key that gives the same with every other one is refused`() async throws {
        let lab = try Lab()
        let code = lab.window.open()
        let zero = [UInt8](repeating: 0, count: 32)
        let device = try RiffIdentifier("phone")
        let json = PairingAgreement.Request(device, key: zero, code: PairingAgreement.normalized(code)).json
        #expect(try await lab.status(json.bytes()) == 400)
    }

    @Test func `a secret that protects nothing is given to nobody`() async throws {
        let lab = try Lab(try RiffSecret(hex: String(repeating: "0", count: 64)))
        #expect(await lab.refusal(lab.window.open()) == .wrongPairingCode)
    }

    /// Answers in the server's place, without the code.
    private struct Impostor: HTTPTransport {
        let body: @Sendable (PairingAgreement.Request) -> JSONValue

        func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
            guard case .bytes(let bytes) = body,
                let asked = PairingAgreement.Request(json: try JSONValue(parsing: bytes))
            else { throw TransportError(.httpInvalidRequest, "No request of a device.") }
            let stream = ByteStream.makeStream(bufferedBytes: .max)
            try await stream.writer.write(self.body(asked).bytes())
            stream.writer.finish()
            let head = HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"])
            return HTTPReply(head: head, body: stream.stream)
        }
    }

    @Test func `who answers without the code is found out`() async throws {
        let own = RiffSecret.random()
        let guess = PairingAgreement.normalized("AAAA-AAAA-AAAA")
        let impostors: [@Sendable (PairingAgreement.Request) -> JSONValue] = [
            { PairingAgreement.Answer(sealing: own.key, for: $0, code: guess)?.json ?? .null },
            // A real answer of another pairing, byte for byte.
            { _ in
                let other = PairingAgreement.Device(.random(), code: "K7QP-X2MW-RDTA").request
                let code = PairingAgreement.normalized("K7QP-X2MW-RDTA")
                return PairingAgreement.Answer(sealing: own.key, for: other, code: code)?.json ?? .null
            },
        ]
        for impostor in impostors {
            let error = await #expect(throws: VoiceError.self) {
                let server = try HTTPBaseURL(Self.address)
                _ = try await RiffClient.pair(with: "K7QP-X2MW-RDTA", at: server, http: Impostor(body: impostor))
            }
            #expect(error?.code == .pairingFailed)
        }
    }

    @Test func `neither the code nor the secret is in what is sent`() async throws {
        let lab = try Lab()
        let code = lab.window.open()
        let device = PairingAgreement.Device(.random(), code: code)
        let typed = PairingAgreement.normalized(code)
        let answer = try #require(PairingAgreement.Answer(sealing: lab.secret.key, for: device.request, code: typed))
        #expect(device.secret(in: answer) == lab.secret.key)
        for bytes in [device.request.json.bytes(), answer.json.bytes(), answer.sealed] {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains(String(decoding: typed, as: UTF8.self)))
            #expect(!text.contains(String(decoding: lab.secret.text.bytes, as: UTF8.self)))
            #expect(!text.contains(Data(lab.secret.key.bytes).base64EncodedString()))
        }
    }
}
