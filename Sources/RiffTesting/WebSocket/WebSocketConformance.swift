// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport

// sample:
/// The rules of `WebSocketConnection`, as checks that any implementation can run on both ends of a connection.
///
/// ```swift
/// for check in WebSocketConformance.checks {  // or as the arguments of a test
///     try await check.run(WebSocketConformance { body in
///         let (near, far) = InMemoryWebSocket.makePair()
///         try await body(near, far)
///     })
/// }
/// ```
public struct WebSocketConformance: Sendable {
    /// The work of a check on the two ends; the first one is the client's.
    public typealias Body = @Sendable (any WebSocketConnection, any WebSocketConnection) async throws -> Void
    /// Opens a connection for the time of a body.
    public typealias Factory = @Sendable (@escaping Body) async throws -> Void

    private let open: Factory
    private let deadline: Duration

    /// Creates a suite.
    ///
    /// - Parameters:
    ///   - deadline: What one check may take; a longer one is a failure.
    ///   - open: Opens a connection for the time of a body, and closes it.
    public init(deadline: Duration = .seconds(30), open: @escaping Factory) {
        self.open = open
        self.deadline = deadline
    }

    /// Every check, by name.
    public static let checks: [ConformanceCheck<WebSocketConformance>] = [
        .init("passesEveryMessage") { try await $0.passesEveryMessage() },
        .init("keepsTheOrder") { try await $0.keepsTheOrder() },
        .init("tellsTheCloseToBoth") { try await $0.tellsTheCloseToBoth() },
        .init("deliversWhatCameBeforeAClose") { try await $0.deliversWhatCameBeforeAClose() },
        .init("letsGoOfAReceiveWithItsOwnClose") { try await $0.letsGoOfAReceiveWithItsOwnClose() },
        .init("letsGoOfAReceiveWithThePeersClose") { try await $0.letsGoOfAReceiveWithThePeersClose() },
        .init("holdsASenderBack") { try await $0.holdsASenderBack() },
        .init("letsGoOfASendWithTheEnd") { try await $0.letsGoOfASendWithTheEnd() },
        .init("cancelsAReceiveWithoutLoss") { try await $0.cancelsAReceiveWithoutLoss() },
        .init("answersPings") { try await $0.answersPings() },
        .init("closesOnce") { try await $0.closesOnce() },
        .init("refusesToSendAReservedCode") { try await $0.refusesToSendAReservedCode() },
        .init("closesWhenNobodyHoldsIt") { try await $0.closesWhenNobodyHoldsIt() },
    ]

    /// 1 MiB that no compression makes smaller, so that it fills what lies between the ends.
    private static let noise: [UInt8] = {
        var generator = SeededGenerator(seed: 7)
        return (0..<(1 << 17)).flatMap { _ in
            withUnsafeBytes(of: generator.next() as UInt64) { Array($0) }
        }
    }()

    private func check(_ name: String = #function, _ body: @escaping Body) async throws {
        try await bounded(name, by: deadline) { try await open(body) }
    }

    /// Messages of both kinds and of sizes around the limits of the frames' lengths pass both ways.
    public func passesEveryMessage() async throws {
        try await check { near, far in
            for size in [0, 1, 125, 126, 127, 65_535, 65_536, 300_000] {
                let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
                for message in [
                    WebSocketMessage.binary(bytes), .text(String(repeating: "ä€😀x", count: size / 10)),
                ] {
                    for (sender, receiver) in [(near, far), (far, near)] {
                        async let sent: Void = sender.send(message)
                        let received = try await receiver.receive()
                        try await sent
                        try expect(received == message, "a message of \(message.byteCount) bytes was changed")
                    }
                }
            }
        }
    }

    /// A thousand messages come in their order.
    public func keepsTheOrder() async throws {
        try await check { near, far in
            async let sent: Void = {
                for number in 0..<1000 { try await near.send(.text("\(number)")) }
            }()
            for number in 0..<1000 {
                let message = try await far.receive()
                try expect(message == .text("\(number)"), "instead of \(number) came \(String(describing: message))")
            }
            try await sent
            let bytes = (0..<1000).reduce(0) { $0 + "\($1)".utf8.count }
            try expect(far.receivedBytes >= bytes, "only \(far.receivedBytes) bytes are counted")
        }
    }

    /// Both ends learn the code and the reason, and from then on nothing goes.
    public func tellsTheCloseToBoth() async throws {
        try await check { near, far in
            async let other = far.receive()
            await near.close(WebSocketEnding.Code(rawValue: 4321), reason: "enough ä")
            try expect(try await other == nil, "a message came instead of the end")
            let (ours, theirs) = (try await near.ending(), try await far.ending())
            let code = WebSocketEnding.Code(rawValue: 4321)
            try expect(ours == WebSocketEnding(code, reason: "enough ä", side: .local), "our end: \(ours)")
            try expect(theirs == WebSocketEnding(code, reason: "enough ä", side: .peer), "the peer's end: \(theirs)")
            try expect(near.ended == ours && far.ended == theirs, "the end is not there at once")
            for end in [near, far] {
                try await expect(.closed, "a send after the end") { try await end.send(.text("late")) }
                try await expect(.closed, "a ping after the end") { try await end.ping() }
                try expect(try await end.receive() == nil, "a message came after the end")
            }
        }
    }

    /// Messages that were sent before a close are received; then comes the end, as often as it is asked for.
    public func deliversWhatCameBeforeAClose() async throws {
        try await check { near, far in
            for number in 0..<50 { try await near.send(.text("\(number)")) }
            async let closed: Void = near.close(.goingAway, reason: "")
            for number in 0..<50 {
                let message = try await far.receive()
                try expect(message == .text("\(number)"), "message \(number) was lost with the close")
            }
            for _ in 0..<2 { try expect(try await far.receive() == nil, "a message came after the end") }
            await closed
            try expect(try await far.ending().code == .goingAway, "the code was lost")
        }
    }

    /// A task that waits in `receive` is let go by `close` at its own end.
    public func letsGoOfAReceiveWithItsOwnClose() async throws {
        for _ in 0..<20 {
            try await check { near, far in
                let waiting = Task { try await near.receive() }
                let other = Task { try await far.receive() }
                await near.close()
                try expect(try await waiting.value == nil, "a message came instead of the end")
                try expect(try await other.value == nil, "a message came instead of the end")
            }
        }
    }

    /// And by the peer's.
    public func letsGoOfAReceiveWithThePeersClose() async throws {
        try await check { near, far in
            let waiting = Task { try await near.receive() }
            try await settle()
            await far.close(.serviceRestart, reason: "back soon")
            try expect(try await waiting.value == nil, "a message came instead of the end")
            let ending = try await near.ending()
            try expect(ending == WebSocketEnding(.serviceRestart, reason: "back soon", side: .peer), "it is \(ending)")
        }
    }

    /// A sender whose peer does not read is held back; a send that is cancelled there sent nothing; all others come.
    public func holdsASenderBack() async throws {
        try await check { near, far in
            let block = Self.noise
            let sending = Task { () -> Int in
                for count in 0..<256 {
                    do { try await near.send(.binary(block)) } catch is CancellationError { return count }
                }
                return 256
            }
            try await settle()
            try await settle()
            sending.cancel()
            let sent = try await sending.value
            try expect(sent < 256, "256 MiB were taken although nobody reads")
            for _ in 0..<sent {
                try expect(try await far.receive() == .binary(block), "a message that was taken did not come")
            }
            async let last: Void = near.send(.text("after"))
            try expect(try await far.receive() == .text("after"), "a cancelled send was sent")
            try await last
        }
    }

    /// A send that waits for a peer which then closes throws.
    public func letsGoOfASendWithTheEnd() async throws {
        try await check { near, far in
            let sending = Task {
                let block = Self.noise
                for _ in 0..<256 { try await near.send(.binary(block)) }
            }
            try await settle()
            await near.close()
            try await expect(.closed, "a send that waits when its end is closed") { try await sending.value }
            // Who reads nothing learns of nothing: the end is behind what was sent.
            while try await far.receive() != nil {}
        }
    }

    /// Cancelling a task that waits in `receive` throws `CancellationError`; the next one gets what comes then.
    public func cancelsAReceiveWithoutLoss() async throws {
        try await check { near, far in
            for number in 0..<20 {
                let reading = Task { try await far.receive() }
                if number % 2 == 0 { try await settle() }
                reading.cancel()
                let result = await reading.result
                try expect(
                    result.isCancellation,
                    "a cancelled receive must throw CancellationError, and gave \(result)"
                )
            }
            try await near.send(.text("after"))
            try expect(try await far.receive() == .text("after"), "what came after a cancelled receive was lost")
        }
    }

    /// Pings are answered while no messages are read.
    public func answersPings() async throws {
        try await check { near, far in
            for _ in 0..<3 { try await near.ping() }
            try await far.ping()
            async let first: Void = near.ping()
            async let second: Void = near.ping()
            _ = try await (first, second)
            try expect(far.receivedBytes >= 10, "the pings are not counted")
        }
    }

    /// Many closes at once: the first one's code counts, and all return.
    public func closesOnce() async throws {
        try await check { near, far in
            await near.close(WebSocketEnding.Code(rawValue: 4001), reason: "")
            async let second: Void = near.close(WebSocketEnding.Code(rawValue: 4002), reason: "")
            async let third: Void = far.close(WebSocketEnding.Code(rawValue: 4003), reason: "")
            _ = await (second, third)
            let codes = (try await near.ending().code, try await far.ending().code)
            try expect(codes == (.init(rawValue: 4001), .init(rawValue: 4001)), "the codes are \(codes)")
        }
    }

    /// A code that may not be on the wire becomes 1000, and a reason is cut to what fits.
    public func refusesToSendAReservedCode() async throws {
        try await check { near, far in
            await near.close(.abnormal, reason: String(repeating: "ä", count: 100))
            let ending = try await far.ending()
            try expect(ending.code == .normal, "the code is \(ending.code)")
            try expect(
                ending.reason == String(repeating: "ä", count: 61),
                "the reason has \(ending.reason.utf8.count) bytes"
            )
        }
    }

    /// The peer of a connection that is not held any more sees an end.
    public func closesWhenNobodyHoldsIt() async throws {
        let far = EventualValue<any WebSocketConnection>()
        try await bounded("closesWhenNobodyHoldsIt", by: deadline) {
            try await open { _, other in far.resolve(other) }
            let ending = try await far.value().ending()
            try expect(!ending.isLost, "a connection that was let go is lost instead of closed")
        }
    }
}
