// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTesting
import Foundation
import HTTPTypes
import RiffHTTP
import RiffTransport
import RiffVoice
import Testing

/// The program `riff-server`, on a port of its own.
struct ServerProgram {
    static let secret = String(repeating: "5a", count: 32)

    let address: HTTPBaseURL
    let http: AsyncHTTPTransport
    let process: LocalProcess
    /// What it printed in its first lines: the port, and the code of a pairing where there is one.
    let lines: [String]

    /// Runs the program for the time of `body`.
    ///
    /// - Returns: What it wrote to standard error; the newest 256 KiB.
    @discardableResult
    static func run(
        _ arguments: [String],
        environment variables: [String: String?] = [:],
        lines count: Int = 1,
        _ body: (ServerProgram) async throws -> Void
    ) async throws -> String {
        let program = try BuiltProgram.path("riff-server")
        var environment = ProcessInfo.processInfo.environment
        environment["RIFF_SHARED_SECRET"] = secret
        environment["ELEVENLABS_API_KEY"] = nil
        for (name, value) in variables { environment[name] = value }
        let command = LocalCommand(
            program,
            ["--port", "0", "--until-input-ends"] + arguments,
            environment: environment
        )
        let process = try await LocalProcess.start(command)
        let http = try AsyncHTTPTransport()
        let result: Result<Void, any Error>
        do {
            var text = ""
            for try await bytes in process.output {
                text += String(decoding: bytes, as: UTF8.self)
                if text.count(where: \.isNewline) >= count { break }
            }
            let lines = text.split(separator: "\n").map(String.init)
            let port = try #require(lines.first.flatMap { Int($0) })
            let address = try HTTPBaseURL("http://127.0.0.1:\(port)")
            result = .success(
                try await body(ServerProgram(address: address, http: http, process: process, lines: lines))
            )
        } catch {
            result = .failure(error)
        }
        let log = await Task {
            await http.shutdown()
            await process.close()
            var log: [UInt8] = []
            // It ends with the process; what cut it short is the process's end, too.
            do { for try await bytes in process.diagnostics { log += bytes } } catch {}
            return String(decoding: log, as: UTF8.self)
        }.value
        try result.get()
        return log
    }

    var client: RiffClient {
        get throws { client(try RiffSecret(hex: Self.secret)) }
    }

    /// A client with time to connect: this machine may be busy with all the other tests.
    func client(_ secret: RiffSecret, _ signature: RiffClient.SignatureVersion = .v2) -> RiffClient {
        RiffClient(server: address, secret: secret, http: http, timing: Self.timing, signature: signature)
    }

    static let timing = RiffClient.Timing(connect: .seconds(60))

    /// An answer as it came.
    struct Answer {
        let status: Int
        let fields: HTTPFields
        let body: String
    }

    /// Asks by hand: a target that holds its query, fields beside the signature, a signature over the bytes `signed` or
    /// none, made `age` seconds ago; `change` is done to the signed request before it is sent.
    func ask(
        _ method: HTTPRequest.Method,
        _ target: String,
        _ body: HTTPBody = .none,
        fields: HTTPFields = [:],
        signing signed: [UInt8]? = [],
        age: Double = 0,
        change: (inout HTTPRequest) -> Void = { _ in }
    ) async throws -> Answer {
        var request = address.request(method, target)
        request.headerFields.append(contentsOf: fields)
        if let signed {
            let field = SignedRequestField(
                signing: request,
                target: target,
                body: signed,
                with: RiffSigningKey(try RiffSecret(hex: Self.secret)),
                at: Date().timeIntervalSince1970 - age
            )
            request.headerFields[.riffSignedRequest] = field.value
        }
        change(&request)
        let reply = try await http.send(
            request,
            body: body,
            deadlines: HTTPDeadlines(connect: .seconds(60), total: .seconds(150))
        )
        let bytes = try await reply.body.collect(upTo: 1 << 20)
        return Answer(
            status: reply.head.status.code,
            fields: reply.head.headerFields,
            body: String(decoding: bytes, as: UTF8.self)
        )
    }

    /// Asks with a body of text.
    func post(_ target: String, _ text: String, fields: HTTPFields = [:]) async throws -> Answer {
        try await post(target, Array(text.utf8), fields: fields)
    }

    private func post(_ target: String, _ bytes: [UInt8], fields: HTTPFields) async throws -> Answer {
        try await ask(.post, target, .bytes(bytes), fields: fields, signing: bytes)
    }

    /// Asks with a clip.
    func speak(
        _ target: String,
        _ clip: [UInt8] = ServerProgram.clip,
        format: String = "wav"
    ) async throws -> Answer {
        try await post(target, clip, fields: [.riffAudioFormat: format])
    }

    /// A WAV file of a second of silence, mono, 16 kHz.
    static let clip: [UInt8] = {
        func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> ($0 * 8) & 255) } }
        let samples = [UInt8](repeating: 0, count: 32_000)
        let format = number(1, 2) + number(1, 2) + number(16_000, 4) + number(32_000, 4) + number(2, 2) + number(16, 2)
        return Array("RIFF".utf8) + number(36 + samples.count, 4) + Array("WAVEfmt ".utf8) + number(16, 4) + format
            + Array("data".utf8) + number(samples.count, 4) + samples
    }()
}
