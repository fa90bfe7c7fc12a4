// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffServer
import RiffTesting
import TestSupport
import Testing
import VoiceTestSupport

/// H18: an agent that is asked by files.
@Suite(.timeLimit(.minutes(5))) struct PollBridgeTests {
    private static func with(_ body: (String, PollBridge, ManualClock) async throws -> Void) async throws {
        let folder = "\(NSTemporaryDirectory())/riff-bridge-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: folder) }  // Nothing else to clean up with.
        let clock = ManualClock()
        try await body(folder, PollBridge(path: folder, clock: clock), clock)
    }

    private static func turn(_ id: String) throws -> ConversationTurn {
        ConversationTurn(
            id: try RiffIdentifier(id),
            conversation: .default,
            device: nil,
            text: "hello",
            prompt: "User:\n> hello"
        )
    }

    @Test func `a turn is a file, its answer is another, and neither stays`() async throws {
        try await Self.with { folder, bridge, clock in
            async let reply = bridge.reply(to: Self.turn("t1"))
            await clock.sleepers(1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["t1.event.json"])
            let event = try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: "\(folder)/t1.event.json"))))
            #expect(event["text"] == "hello" && event["conversation_id"] == "default")
            #expect(event["prompt"] == "User:\n> hello" && event["device_id"] == .null)
            // Not whole yet, then another turn's, then its own.
            try Data(#"{"reply": "do"#.utf8).write(to: URL(filePath: "\(folder)/t1.reply.json"))
            try Data(#"{"reply": "other"}"#.utf8).write(to: URL(filePath: "\(folder)/t2.reply.json"))
            clock.advance(by: .milliseconds(200))
            await clock.sleepers(1)
            try Data(#"{"reply": "done"}"#.utf8).write(to: URL(filePath: "\(folder)/t1.reply.json"))
            clock.advance(by: .milliseconds(200))
            #expect(try await reply == "done")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["t2.reply.json"])
        }
    }

    @Test func `a turn that is given up leaves no file`() async throws {
        try await Self.with { folder, bridge, clock in
            let task = Task { try await bridge.reply(to: Self.turn("t1")) }
            await clock.sleepers(1)
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(left.isEmpty)
        }
    }

    @Test func `a folder that others can look into is refused`() async throws {
        try await Self.with { folder, bridge, _ in
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o755]
            )
            let error = await #expect(throws: CoreError.self) { _ = try await bridge.reply(to: Self.turn("t1")) }
            #expect(error?.code == .permissionsTooOpen)
        }
    }
}
