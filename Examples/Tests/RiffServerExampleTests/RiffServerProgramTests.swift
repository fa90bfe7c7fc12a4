// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffHTTP
import RiffTesting
import RiffTransport
import RiffVoice
import Testing

/// The program itself, over HTTP on loopback, with a voice.
@Suite(.enabled(if: SystemProgram.path("espeak-ng") != nil, "needs espeak-ng"), .timeLimit(.minutes(5)))
struct RiffServerProgramTests {
    /// N5.
    @Test func `nothing new is 204 after 25 seconds, and what the agent says then is spoken to who asks again`()
        async throws
    {
        let folder = "/tmp/rs-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: "\(folder)/-work", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // Cleanup.
        try await ServerProgram.run(["--speak", "--transcripts", folder]) { server in
            let (address, http) = (server.address, server.http)
            let secret = try RiffSecret(hex: ServerProgram.secret)
            let feed = RiffAnswerFeed(server.client(secret))
            let begin = try await feed.beginning()
            let answer = Task { try await feed.next(after: begin) }
            // The same request by hand, beside it: to see the 204 that the feed keeps to itself.
            var request = address.request(.get, "\(RiffContract.narratePath)?after=\(begin)")
            let field = SignedRequestField(
                signing: request,
                target: request.path ?? "/",
                body: [],
                with: RiffSigningKey(secret),
                at: begin
            )
            request.headerFields[.riffSignedRequest] = field.value
            let start = ContinuousClock.now
            let empty = try await http.send(
                request,
                body: .none,
                deadlines: HTTPDeadlines(connect: .seconds(60), total: .seconds(120))
            )
            #expect(empty.head.status == .noContent)
            #expect(try await empty.body.collect(upTo: 10).isEmpty)
            #expect(ContinuousClock.now - start > .seconds(24))
            // Newer than what was asked for, whatever the wait took.
            let stamp = Date(timeIntervalSince1970: begin + 30).formatted(.iso8601)
            let content = #"[{"type":"text","text":"The build is green."}]"#
            let message = #"{"stop_reason":"end_turn","content":\#(content)}"#
            let line = #"{"type":"assistant","timestamp":"\#(stamp)","message":\#(message)}"# + "\n"
            try Data(line.utf8).write(to: URL(filePath: "\(folder)/-work/session.jsonl"))
            let spoken = try await answer.value
            #expect(abs(spoken.time - begin - 30) < 1)
            guard case .speech(let clip) = spoken.content else {
                Issue.record("\(spoken.content)")
                return
            }
            #expect(try #require(try clip.duration()) > .milliseconds(800))
        }
    }

    @Test func `who has another secret is refused, and without a voice there is none`() async throws {
        try await ServerProgram.run([]) { server in
            let right = try server.client
            let health = try await right.health()
            #expect(health.status == "ok")
            let wrong = server.client(try RiffSecret(hex: ServerProgram.secret.replacing("5", with: "6")))
            let refused = await #expect(throws: VoiceError.self) { try await wrong.health() }
            #expect(refused?.code == .wrongSecret)
            let mute = await #expect(throws: VoiceError.self) { try await RiffAnswerFeed(right).next(after: 1) }
            #expect(mute?.code == .narrationUnavailable)
        }
    }
}
