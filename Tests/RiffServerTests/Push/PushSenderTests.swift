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

extension InTurn {
    @Suite(
        .timeLimit(.minutes(10)),
        .enabled(if: PushStandIn.isInstalled, "node or openssl is not installed")
    )
    struct PushSenderTests {
        static func sender(
            _ service: PushStandIn,
            clock: any Clock<Duration> = ContinuousClock(),
            now: @escaping @Sendable () -> Double = { 1_795_000_000 }
        ) throws -> PushSender {
            try PushSender(
                key: try PushKey(pem: service.keyPEM, id: "KEY1234567", team: "TEAM123456"),
                topic: "org.example.riff",
                title: "Agent",
                transport: service.http,
                production: try service.address,
                sandbox: try service.address,
                clock: clock,
                wallClock: now
            )
        }

        static func registry(_ service: PushStandIn, _ tokens: [String: String], time: Double = 1_690_000_000)
            async throws -> ServerRecords
        {
            let records = ServerRecords(folder: "\(service.folder)/records-\(UUID().uuidString)")
            for (name, token) in tokens {
                let device = try DeviceRegistry.Device(
                    id: try RiffIdentifier(name),
                    pushToken: token,
                    environment: "production",
                    time: time
                )
                try await records.devices.register(device)
            }
            return records
        }

        static func turn(_ device: String?, _ text: String = "a question") throws -> ConversationTurn {
            ConversationTurn(
                id: .random(),
                conversation: try RiffIdentifier("kitchen"),
                device: try device.map { try RiffIdentifier($0) },
                text: text,
                prompt: text
            )
        }

        @Test func `an answer reaches the device that asked, over HTTP/2, signed and cut`() async throws {
            try await PushStandIn.with { service in
                let push = try Self.sender(service)
                let records = try await Self.registry(service, ["phone": "aa01", "watch": "aa02"])
                let reply = String(repeating: "👩‍👩‍👧 word ", count: 300)
                let errors = try await push.tell(reply, of: Self.turn("phone"), to: records.devices)
                #expect(errors.isEmpty)
                let counts = try await service.counts()
                #expect(counts["faults"] == [])
                #expect(counts["sent"] == 1)
                #expect(counts["last"]?["title"] == "Agent")
                #expect(counts["last"]?["conversation"] == "kitchen")
                #expect(push.current.sent == 1)
                #expect(push.current.problem == nil)
                // Who asked is not known: all are told, with the same token.
                _ = try await push.tell("hello", of: Self.turn(nil), to: records.devices)
                let later = try await service.counts()
                #expect(later["sent"] == 3)
                #expect(later["tokens"] == 1)
                #expect(later["sessions"] == 1)
            }
        }

        @Test func `a transport without HTTP/2 does not get through, and the failure is told`() async throws {
            try await PushStandIn.with(allowsHTTP2: false) { service in
                let clock = ManualClock()
                let push = try Self.sender(service, clock: clock)
                let records = try await Self.registry(service, ["phone": "aa01"])
                async let told = push.tell("hello", of: Self.turn("phone"), to: records.devices)
                for pause in [1, 4] {
                    await clock.sleepers(1)
                    clock.advance(by: .seconds(pause))
                }
                let errors = try await told
                #expect(errors.map(\.code) == [.pushFailed])
                #expect(push.current.failed == 1)
            }
        }

        @Test func `dead tokens are removed, and one that was registered again since stays`() async throws {
            try await PushStandIn.with { service in
                let push = try Self.sender(service)
                let records = try await Self.registry(service, ["a": "dead01", "b": "bad001", "c": "aa01"])
                // Registered after the time that the service tells (2023-11-14).
                try await records.devices.register(
                    try DeviceRegistry.Device(
                        id: try RiffIdentifier("d"),
                        pushToken: "dead02",
                        environment: "sandbox",
                        time: 1_700_000_001
                    )
                )
                let errors = try await push.tell("hello", of: Self.turn(nil), to: records.devices)
                #expect(errors.count == 3)
                #expect(try await records.devices.devices().map(\.id.text).sorted() == ["c", "d"])
                #expect(push.current.removedDevices == 2)
                #expect(push.current.failed == 1)
                #expect(push.current.sent == 1)
            }
        }

        @Test func `what the service cannot take now is tried three times, and never shows twice`() async throws {
            try await PushStandIn.with { service in
                let clock = ManualClock()
                let push = try Self.sender(service, clock: clock)
                let records = try await Self.registry(service, ["a": "cafe01", "b": "f00d01", "c": "ace001"])
                for (name, pauses) in [("a", [1, 4]), ("b", [1, 4]), ("c", [1])] {
                    async let told = push.tell("hello", of: Self.turn(name), to: records.devices)
                    for pause in pauses {
                        await clock.sleepers(1)
                        clock.advance(by: .seconds(pause))
                    }
                    #expect(try await told.isEmpty == (name != "b"))
                }
                #expect(push.current.sent == 2)
                #expect(push.current.failed == 1)
                #expect(try await service.counts()["faults"] == [])
                #expect(try await records.devices.devices().count == 3)
            }
        }

        @Test func `a token that the service finds too old is made anew once, unless it is young`() async throws {
            try await PushStandIn.with { service in
                // A time of day that the stand-in takes for long ago, until it moves.
                let time = Mutex(1000.0)
                let push = try Self.sender(service, now: { time.withLock(\.self) })
                let records = try await Self.registry(service, ["phone": "aa01"])
                let errors = try await push.tell("one", of: Self.turn("phone"), to: records.devices)
                #expect(errors.first?.message.contains("ExpiredProviderToken") == true)
                #expect(try await service.counts()["requests"] == 1)
                time.withLock { $0 = 1000 + 21 * 60 }
                _ = try await push.tell("two", of: Self.turn("phone"), to: records.devices)
                #expect(try await service.counts()["requests"] == 3)
                time.withLock { $0 = 1_795_000_000 }
                #expect(try await push.tell("three", of: Self.turn("phone"), to: records.devices).isEmpty)
            }
        }

        @Test func `a body that is larger than any window goes over HTTP/2, and its answer comes back`() async throws {
            try await PushStandIn.with { service in
                var request = try service.address.request(.post, "/3/device/aa01")
                request.headerFields[.contentType] = "application/json"
                let (stream, writer) = ByteStream.makeStream()
                let sending = Task {
                    for _ in 0..<64 { try await writer.write([UInt8](repeating: 0x20, count: 64 * 1024)) }
                    writer.finish()
                }
                let body = HTTPBody.stream(stream, length: 64 * 64 * 1024)
                let answer = try await service.http.answer(to: request, body: body, upTo: 1000)
                try await sending.value
                #expect(answer.head.status == .contentTooLarge)
                #expect(try JSONValue(parsing: answer.body)["reason"] == "PayloadTooLarge")
            }
        }

        @Test func `a peer's words never reach an error`() async throws {
            try await PushStandIn.with { service in
                let push = try Self.sender(service)
                let records = try await Self.registry(service, ["phone": "feed01"])
                let errors = try await push.tell("hello", of: Self.turn("phone"), to: records.devices)
                #expect(errors.map(\.message) == ["A device could not be notified (status 400)."])
            }
        }

        @Test func `10,000 notes: each is sent or told, dead tokens are gone, and no text is in any error`()
            async throws
        {
            try await PushStandIn.with { service in
                let push = try Self.sender(service)
                var tokens: [String: String] = [:]
                for number in 0..<500 {
                    let kind = number % 50 == 7 ? "dead" : number % 50 == 9 ? "bad0" : "aa00"
                    tokens["d\(number)"] = kind + String(format: "%04x", number)
                }
                let records = try await Self.registry(service, tokens)
                let errors = UploadLab.Reports()
                let words = "the-secret-words-of-an-answer"
                // Twenty answers to all of five hundred devices.
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<20 {
                        if number >= 8 { try await group.next() }
                        group.addTask {
                            let turn = try Self.turn(nil)
                            let told = try await push.tell("\(words) \(number)", of: turn, to: records.devices)
                            for error in told { errors.add(error) }
                        }
                    }
                    try await group.waitForAll()
                }
                let left = try await records.devices.devices()
                #expect(left.count == 480)
                #expect(left.allSatisfy { $0.pushToken.hasPrefix("aa00") })
                let counts = try await service.counts()
                #expect(counts["faults"] == [])
                #expect(counts["sent"] == .integer(480 * 20))
                #expect(push.current.sent == 9600)
                #expect(push.current.removedDevices == 20)
                let all = errors.all
                #expect(all.count == push.current.failed + push.current.removedDevices)
                let shown =
                    all.map { "\($0) \($0.message) \(String(reflecting: $0))" }.joined()
                    + String(reflecting: push.current)
                #expect(!shown.contains(words))
                #expect(!shown.contains("aa00"))
                #expect(!shown.contains("dead0"))
            }
        }
    }
}
