// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHTTP
import RiffServer
import RiffTesting
import RiffTransport
import RiffVoice
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    /// Notifications as a phone meets them: a voice server on a real socket, which sends to a push service on another.
    @Suite(
        .timeLimit(.minutes(5)),
        .enabled(if: PushStandIn.isInstalled, "node or openssl is not installed")
    )
    struct PushRouteTests {
        private static func with(
            _ responder: any ConversationResponder = ClosureResponder { "You said: \($0.text)" },
            hasPush: Bool = true,
            _ body: @Sendable (RiffClient, PushStandIn, PushSender, UploadLab.Reports) async throws -> Void
        ) async throws {
            try await PushStandIn.with { service in
                let push = try PushSenderTests.sender(service)
                let reports = UploadLab.Reports()
                let records = ServerRecords(folder: "\(service.folder)/records")
                let server = try VoiceServer(
                    ServerConfiguration(secret: try RiffFixtures.secret(), exposure: .network),
                    recognizer: nil,
                    conversations: ConversationService(
                        responder: responder,
                        records: records,
                        push: hasPush ? push : nil
                    )
                ) { reports.add($0) }
                try await SocketServer.withServer({ try await server.respond(to: $0) }) { (socket) async throws in
                    let client = RiffClient(
                        server: try HTTPBaseURL("http://127.0.0.1:\(socket.port)"),
                        secret: try RiffFixtures.secret(),
                        http: service.http,
                        device: try RiffIdentifier("phone")
                    )
                    try await body(client, service, push, reports)
                }
            }
        }

        @Test func `a phone registers, tests its notifications, and is told of an answer`() async throws {
            try await Self.with { (client, service, push, reports) async throws in
                let before = try await client.pushReport()
                #expect(before == RiffClient.PushReport(.unregistered))
                let early = try await client.testPush()
                #expect(early == RiffClient.PushReport(.unregistered))
                try await client.register(pushToken: "aa0102")
                let ready = try await client.pushReport()
                #expect(ready == RiffClient.PushReport(.ready))
                let sent = try await client.testPush()
                #expect(sent == RiffClient.PushReport(.sent))
                let answer = try await client.send("Is the build green?", in: try RiffIdentifier("kitchen"))
                #expect(answer.text == "You said: Is the build green?")
                // The answer comes first, and the notification after it.
                for await state in push.updates() where state.sent == 2 { break }
                let counts = try await service.counts()
                #expect(counts["faults"] == [])
                #expect(counts["last"]?["conversation"] == "kitchen")
                #expect(reports.all.isEmpty)
            }
        }

        @Test func `a phone whose token is dead is told why, and is not registered any more`() async throws {
            try await Self.with { (client, _, _, _) async throws in
                try await client.register(pushToken: "bad0")
                let tested = try await client.testPush()
                #expect(tested == RiffClient.PushReport(.unregistered, reason: "BadDeviceToken"))
                let after = try await client.pushReport()
                #expect(after == RiffClient.PushReport(.unregistered, reason: "BadDeviceToken"))
                try await client.register(pushToken: "aa01")
                let again = try await client.testPush()
                #expect(again == RiffClient.PushReport(.sent))
                let ready = try await client.pushReport()
                #expect(ready == RiffClient.PushReport(.ready))
            }
        }

        @Test func `a server without a sender says so, and a failed notification is reported without its text`()
            async throws
        {
            try await Self.with(hasPush: false) { (client, _, _, _) async throws in
                let report = try await client.pushReport()
                #expect(report == RiffClient.PushReport(.disabled))
            }
            try await Self.with { (client, _, push, reports) async throws in
                try await client.register(pushToken: "feed01")
                _ = try await client.send("the-words-of-a-person", in: try RiffIdentifier("kitchen"))
                for await state in push.updates() where state.failed == 1 { break }
                try await waitUntil { reports.all.count == 1 }
                #expect(reports.all.map(\.code) == [.pushFailed])
                #expect(!String(reflecting: reports.all).contains("the-words-of-a-person"))
                let report = try await client.pushReport()
                #expect(report == RiffClient.PushReport(.ready, reason: "status 400"))
            }
        }
    }
}
