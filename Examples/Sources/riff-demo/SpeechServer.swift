// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHTTP
import RiffTransport
import RiffVoice

/// A Riff server on a loopback port of its own, as a child of this program, and a client that shares its secret.
@MainActor
struct SpeechServer {
    let client: RiffClient
    /// The recognizer behind the server.
    let engine: String

    /// Starts it, with the offline engine unless another server's address is given.
    ///
    /// - Throws: ``NotShown`` where this machine has no offline engine and none was given instead.
    static func start(_ site: Site, speechURL: String?) async throws -> SpeechServer {
        var environment = ProcessInfo.processInfo.environment
        var arguments = ["--port", "0", "--until-input-ends"]
        let engine: String
        if let speechURL {
            arguments += ["--openai-url", speechURL]
            engine = "the server at --stt-url"
        } else {
            environment["RIFF_MOONSHINE"] = try await installed().folder
            arguments.append("--offline")
            engine = "Moonshine, offline"
        }
        let secret = Self.randomSecret()
        environment["RIFF_SHARED_SECRET"] = secret
        let program = try BesideThis.path("riff-server")
        let server = try await LocalProcess.start(LocalCommand(program, arguments, environment: environment))
        site.atEnd { await server.close() }
        let port = try await within(.seconds(60), "the speech server's port") { try await firstLine(of: server) }

        let http = try AsyncHTTPTransport()
        site.atEnd { await http.shutdown() }
        let address = try HTTPBaseURL("http://127.0.0.1:\(port)")
        let client = RiffClient(server: address, secret: try RiffSecret(hex: secret), http: http)
        let health = try await client.health()
        try check(health.status == "ok", "The speech server says \(health.status).")
        return SpeechServer(client: client, engine: engine)
    }

    private static func installed() async throws -> MoonshineInstallation {
        if let found = MoonshineInstallation.find() { return found }
        do {
            return try await MoonshineInstaller().install { step in Console.note(words(for: step)) }
        } catch let error as VoiceError
            where [.speechEngineUnsupported, .speechEngineInstallFailed].contains(error.code)
        {
            throw NotShown(reason: "\(error.message) --stt-url URL takes an OpenAI-style server instead.")
        }
    }

    private nonisolated static func words(for step: MoonshineInstaller.Step) -> String {
        switch step {
        case .downloading(let bytes): "Downloading the offline speech engine, \(bytes / 1_000_000) MB ..."
        case .verifying: "Comparing its checksum ..."
        case .unpacking: "Unpacking it ..."
        case .installed: "The offline speech engine is there."
        }
    }

    private nonisolated static func firstLine(of server: LocalProcess) async throws -> Int {
        var line: [UInt8] = []
        for try await bytes in server.output {
            line += bytes
            guard let end = line.firstIndex(of: 0x0A) else { continue }
            guard let port = Int(String(decoding: line[..<end], as: UTF8.self)) else { break }
            return port
        }
        let words = String(decoding: try await server.diagnostics.collect(upTo: 1 << 16), as: UTF8.self)
        throw Failure("The speech server told no port: \(words)")
    }

    private static func randomSecret() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<64).map { _ in String(Int.random(in: 0..<16, using: &generator), radix: 16) }.joined()
    }
}
