// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTesting
import RiffTransport
import TestSupport
import Testing

struct WebSocketReceiverTests {
    typealias Frame = WebSocketFrameEncoder

    /// What comes of bytes, at each split of them the same.
    private static func receive(
        _ bytes: [UInt8],
        role: WebSocketRole = .client,
        limits: WebSocketRequest.Limits = WebSocketRequest.Limits(),
        agreement: WebSocketDeflateAgreement? = nil,
        splits: Int = 300
    ) throws -> (events: [WebSocketEvent], violation: WebSocketViolation?) {
        var results: [([WebSocketEvent], WebSocketViolation?)] = []
        for parts in Chunking.all(bytes, splits: splits, random: 20) {
            var receiver = try WebSocketReceiver(role: role, limits: limits, agreement: agreement)
            var events: [WebSocketEvent] = []
            var violation: WebSocketViolation?
            var count = 0
            for part in parts where violation == nil {
                do {
                    try part.withUnsafeBytes { try receiver.receive($0, into: &events) }
                    count += part.count
                    // Inside frames as well: a watchdog sees that a large one moves.
                    #expect(receiver.receivedBytes == count)
                } catch {
                    violation = error as? WebSocketViolation
                }
            }
            results.append((events, violation))
        }
        let first = try #require(results.first)
        for (events, violation) in results { #expect(events == first.0 && violation == first.1) }
        return first
    }

    @Test func `the examples of RFC 6455 section 5_7 are read`() throws {
        let unmasked: [([UInt8], [WebSocketEvent])] = [
            ([0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], [.message(.text("Hello"))]),
            ([0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F], [.message(.text("Hello"))]),
            ([0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], [.ping(Array("Hello".utf8))]),
            (
                [0x82, 0x7E, 0x01, 0x00] + [UInt8](repeating: 9, count: 256),
                [.message(.binary([UInt8](repeating: 9, count: 256)))]
            ),
        ]
        for (bytes, events) in unmasked { #expect(try Self.receive(bytes).events == events) }
        let masked: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(try Self.receive(masked, role: .server).events == [.message(.text("Hello"))])
        let pong: [UInt8] = [0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(try Self.receive(pong, role: .server).events == [.pong(Array("Hello".utf8))])
        let large = [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 1, count: 65_536)
        #expect(try Self.receive(large, splits: 20).events == [.message(.binary([UInt8](repeating: 1, count: 65_536)))])
    }

    @Test(arguments: [WebSocketRole.client, .server])
    func `what one end writes the other reads, whatever the lengths`(role: WebSocketRole) throws {
        let mask: UInt32? = role == .server ? 0x1234_ABCD : nil
        for count in [0, 1, 7, 8, 9, 125, 126, 127, 300, 65_535, 65_536, 65_537] {
            let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let bytes = Frame.frame(.binary, payload, mask: mask)
            let result = try Self.receive(bytes, role: role, splits: 15)
            #expect(result.events == [.message(.binary(payload))] && result.violation == nil)
        }
    }

    @Test func `control frames come between the fragments of a message`() throws {
        let bytes =
            Frame.frame(.text, Array("ä".utf8.prefix(1)), isFinal: false) + Frame.frame(.ping, [1])
            + Frame.frame(.continuation, [], isFinal: false) + Frame.frame(.pong, [2])
            + Frame.frame(.continuation, Array("ä".utf8.dropFirst()) + Array("bc".utf8))
            + Frame.frame(.close, [0x03, 0xE8] + Array("bye".utf8)) + Frame.frame(.text, Array("never".utf8))
        let result = try Self.receive(bytes)
        #expect(result.violation == nil)
        #expect(
            result.events == [.ping([1]), .pong([2]), .message(.text("äbc")), .close(.normal, reason: "bye")]
        )
        #expect(try Self.receive(Frame.frame(.close, [])).events == [.close(nil, reason: "")])
    }

    @Test(arguments: MalformedFrames.all)
    func `what breaks a rule is refused with the code of the RFC`(
        name: String,
        bytes: [UInt8],
        code: WebSocketEnding.Code
    ) throws {
        let before = Frame.frame(.text, Array("before".utf8))
        let result = try Self.receive(before + bytes, limits: WebSocketRequest.Limits(frameBytes: 10_000))
        #expect(result.events == [.message(.text("before"))])
        #expect(result.violation?.code == code, "\(name)")
    }

    @Test func `a frame from a client without a mask is refused`() throws {
        #expect(try Self.receive([0x81, 0], role: .server).violation?.code == .protocolError)
    }

    @Test func `wrong text is refused with the byte that shows it, not at the message's end`() throws {
        var receiver = try WebSocketReceiver(role: .client, limits: WebSocketRequest.Limits())
        var events: [WebSocketEvent] = []
        let start = Frame.frame(.text, Array("κόσμε".utf8), isFinal: false)
        try start.withUnsafeBytes { try receiver.receive($0, into: &events) }
        #expect(throws: WebSocketViolation(.invalidPayload, "text that is not UTF-8")) {
            // The first bytes of a frame of a hundred, most of which never come.
            try [UInt8]([0x80, 100, 0xF4, 0x90]).withUnsafeBytes { try receiver.receive($0, into: &events) }
        }
    }

    @Test func `a message above the limit is refused, in one frame or in many`() throws {
        let limits = WebSocketRequest.Limits(messageBytes: 1000)
        let whole = Frame.frame(.binary, [UInt8](repeating: 1, count: 1000))
        #expect(try Self.receive(whole, limits: limits).violation == nil)
        #expect(try Self.receive([0x82, 126, 0x03, 0xE9], limits: limits).violation?.code == .messageTooBig)
        let part = [UInt8](repeating: 1, count: 400)
        let many =
            Frame.frame(.binary, part, isFinal: false) + Frame.frame(.continuation, part, isFinal: false)
            + Frame.frame(.continuation, part)
        #expect(try Self.receive(many, limits: limits).violation?.code == .messageTooBig)
    }

    @Test func `all of UTF-8 is taken, and nothing else`() {
        for scalar in (UInt32(0)...0x10FFFF).lazy.compactMap(Unicode.Scalar.init) where scalar.value % 37 == 0 {
            var validation = UTF8Validation()
            #expect(Array(String(scalar).utf8).allSatisfy { byte in [byte].withUnsafeBytes { validation.accepts($0) } })
            #expect(validation.isWhole)
        }
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                [0x41, 0x80, 0xBF, 0xC2, 0xE0, 0xA0, 0xED, 0x9F, 0xEF, 0xF0, 0x90, 0xF4, 0x8F, 0xFF].randomElement(
                    using: &generator
                ) ?? 0
            }.map { UInt8($0) }
            var validation = UTF8Validation()
            let accepts = bytes.withUnsafeBytes { validation.accepts($0) } && validation.isWhole
            #expect(accepts == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
        }
    }
}
