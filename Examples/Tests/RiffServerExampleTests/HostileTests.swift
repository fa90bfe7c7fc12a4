// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffTesting
import RiffTransport
import RiffVoice
import Testing

/// Who means harm to the program itself, over HTTP on loopback.
@Suite(.timeLimit(.minutes(5))) struct HostileTests {
    @Test func `no request is let in whose signature is wrong, stale, repeated, cut or of another request`()
        async throws
    {
        try await ServerProgram.run([]) { server in
            let health = "/riff/health"
            #expect(try await server.ask(.get, health).status == 200)
            #expect(try await server.ask(.get, health, signing: nil).status == 401)
            // The time is told in whole seconds, and some of one passes until it is looked at.
            for age in [301.0, 86_400, -330] {
                let stale = try await server.ask(.get, health, age: age)
                #expect(stale.status == 401 && stale.fields[.wwwAuthenticate] == "Riff version=2, error=stale")
            }
            var kept: String?
            _ = try await server.ask(.get, health) { kept = $0.headerFields[.riffSignedRequest] }
            let value = try #require(kept)
            let again = try await server.ask(.get, health) { $0.headerFields[.riffSignedRequest] = value }
            #expect(again.status == 401 && again.fields[.wwwAuthenticate] == "Riff version=2, error=replayed")
            // Cut at every byte, and each of its digits changed.
            for length in 0..<value.utf8.count {
                let cut = try await server.ask(.get, health) {
                    $0.headerFields[.riffSignedRequest] = String(value.prefix(length))
                }
                #expect(cut.status == 401, "cut to \(length)")
            }
            for index in value.indices where value[index].isHexDigit {
                let digit: Character = value[index] == "0" ? "1" : "0"
                let changed = value.replacingCharacters(in: index...index, with: String(digit))
                let answer = try await server.ask(.get, health) { $0.headerFields[.riffSignedRequest] = changed }
                #expect(answer.status == 401, "\(changed)")
            }
            let text = Array(#"{"text":"hello"}"#.utf8)
            #expect(try await server.ask(.post, "/riff/message", .bytes(text), signing: []).status == 401)
            #expect(try await server.ask(.post, "/riff/message", .bytes(text + [0x20]), signing: text).status == 401)
            let elsewhere = try await server.ask(.get, health) { $0.path = "/riff/sessions" }
            #expect(elsewhere.status == 401)
            let query = try await server.ask(.get, "/riff/conversation?limit=1") {
                $0.path = "/riff/conversation?limit=2"
            }
            #expect(query.status == 401)
            let clip = try await server.ask(.post, "/riff/audio", fields: [.riffAudioFormat: "wav"]) {
                $0.headerFields[.riffAudioFormat] = "m4a"
            }
            #expect(clip.status == 401)
        }
    }

    /// Pieces of a body, each when it is asked for, and then nothing more for a long time.
    private static func body(of count: Int, thenSilent: Bool = false) -> HTTPBody {
        let piece = [UInt8](repeating: 0x20, count: 64 * 1024)
        let left = Counter(count)
        let pieces = AsyncThrowingStream<[UInt8], any Error> {
            let now = left.take(piece.count)
            if now == 0, thenSilent { try await ContinuousClock().sleep(for: .seconds(3600)) }
            return now == 0 ? nil : Array(piece.prefix(now))
        }
        return .stream(pieces, length: nil)
    }

    @Test func `a body that comes too slowly or is too large is given up`() async throws {
        try await AnsweringAgent.with { _, arguments in
            try await ServerProgram.run(arguments + ["--body-timeout", "1"]) { server in
                for target in ["/riff/message", "/riff/audio", "/riff/transcript", "/riff/register-device"] {
                    let slow = try await server.ask(.post, target, Self.body(of: 1000, thenSilent: true))
                    #expect(slow.status == 408)
                }
            }
            try await ServerProgram.run(arguments) { server in
                // Told before it is sent, and found out while it is.
                for count in [8 * 1024 + 1, 1 << 20] {
                    let bytes = [UInt8](repeating: 0x20, count: count)
                    #expect(try await server.ask(.post, "/riff/message", .bytes(bytes), signing: bytes).status == 413)
                    #expect(try await server.ask(.post, "/riff/message", Self.body(of: count)).status == 413)
                }
                let audio = RiffContract.audioLimitBytes + 1
                #expect(try await server.ask(.post, "/riff/audio", Self.body(of: audio)).status == 413)
                let reply = try await server.client.send("still there")
                #expect(reply.text == "still there")
            }
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status"), "needs Linux's /proc"))
    func `fifty clients with too much to say fill no memory`() async throws {
        try await AnsweringAgent.with { _, arguments in
            try await ServerProgram.run(arguments) { server in
                let statuses = await withTaskGroup(of: Int.self) { group in
                    for number in 0..<50 {
                        group.addTask {
                            let isSigned = number % 5 != 0
                            let body = Self.body(of: RiffContract.audioLimitBytes + 1)
                            do {
                                return try await server.ask(
                                    .post,
                                    "/riff/audio",
                                    body,
                                    signing: isSigned ? [] : nil
                                ).status
                            } catch {
                                // The server closes while the body is still being sent.
                                return 0
                            }
                        }
                    }
                    return await group.reduce(into: [Int]()) { $0.append($1) }
                }
                #expect(Set(statuses).isSubset(of: [0, 401, 413, 503]))
                #expect(statuses.contains(413))
                let status = try String(contentsOfFile: "/proc/\(server.process.processID)/status", encoding: .utf8)
                let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
                let kilobytes = try #require(
                    line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
                )
                // Eight clips of 25 MB at a time, each in an array that may grow to twice of it while it is copied.
                #expect(kilobytes < 8 * 3 * 25 * 1024 + 100 * 1024, "\(kilobytes) KB")
                let health = try await server.client.health()
                #expect(health.status == "ok")
            }
        }
    }
}
