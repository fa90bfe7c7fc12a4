// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffTransport
import Testing

/// The program `riff-server`, on a port of its own.
enum ServerProgram {
    static let secret = String(repeating: "5a", count: 32)

    static func with(
        _ arguments: [String],
        _ body: (HTTPBaseURL, AsyncHTTPTransport) async throws -> Void
    ) async throws {
        try await withProcess(arguments) { address, http, _ in try await body(address, http) }
    }

    /// As ``with(_:_:)``, with the process, to end it in the middle.
    static func withProcess(
        _ arguments: [String],
        _ body: (HTTPBaseURL, AsyncHTTPTransport, LocalProcess) async throws -> Void
    ) async throws {
        let program = try #require(Bundle.main.executableURL).deletingLastPathComponent().appending(path: "riff-server")
        var environment = ProcessInfo.processInfo.environment
        environment["RIFF_SHARED_SECRET"] = secret
        environment["ELEVENLABS_API_KEY"] = nil
        let command = LocalCommand(
            program.path(percentEncoded: false),
            ["--port", "0", "--until-input-ends"] + arguments,
            environment: environment
        )
        let server = try await LocalProcess.start(command)
        let http = try AsyncHTTPTransport()
        let result: Result<Void, any Error>
        do {
            var line = ""
            for try await bytes in server.output {
                line += String(decoding: bytes, as: UTF8.self)
                if line.contains("\n") { break }
            }
            let port = try #require(Int(line.prefix { $0 != "\n" }))
            result = .success(try await body(try HTTPBaseURL("http://127.0.0.1:\(port)"), http, server))
        } catch {
            result = .failure(error)
        }
        await Task {
            await http.shutdown()
            await server.close()
        }.value
        try result.get()
    }
}
