// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffDeflate
import RiffTransport
import TestSupport
import Testing

struct WebSocketDeflateTests {
    typealias Frame = WebSocketFrameEncoder

    private static func receive(
        _ bytes: [UInt8],
        limits: WebSocketRequest.Limits = WebSocketRequest.Limits(),
        _ change: (inout WebSocketDeflateAgreement) -> Void = { _ in }
    ) throws -> (events: [WebSocketEvent], violation: WebSocketViolation?) {
        var agreement = WebSocketDeflateAgreement()
        change(&agreement)
        var results: [([WebSocketEvent], WebSocketViolation?)] = []
        for parts in Chunking.all(bytes, splits: 200, random: 10) {
            var receiver = try WebSocketReceiver(role: .client, limits: limits, agreement: agreement)
            var events: [WebSocketEvent] = []
            var violation: WebSocketViolation?
            for part in parts where violation == nil {
                do { try part.withUnsafeBytes { try receiver.receive($0, into: &events) } } catch {
                    violation = error as? WebSocketViolation
                }
            }
            results.append((events, violation))
        }
        for result in results { #expect(Self.areSame(result.0, results[0].0) && result.1 == results[0].1) }
        return results[0]
    }

    /// Compares bytes as memory: without optimization `==` took two thirds of the time of these tests.
    private static func areSame(_ events: [WebSocketEvent], _ others: [WebSocketEvent]) -> Bool {
        events.count == others.count
            && zip(events, others).allSatisfy { event, other in
                guard case .message(.binary(let bytes)) = event, case .message(.binary(let more)) = other else {
                    return event == other
                }
                return Data(bytes) == Data(more)
            }
    }

    @Test func `the examples of RFC 7692 section 7_2_3 are read`() throws {
        let hello = WebSocketEvent.message(.text("Hello"))
        let first: [UInt8] = [0xC1, 0x07, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        let fragments: [UInt8] = [0x41, 0x03, 0xF2, 0x48, 0xCD, 0x80, 0x04, 0xC9, 0xC9, 0x07, 0x00]
        let sharing = first + [0xC1, 0x05, 0xF2, 0x00, 0x11, 0x00, 0x00]
        let stored: [UInt8] = [0xC1, 0x0B, 0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00]
        let final: [UInt8] = [0xC1, 0x08, 0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]
        let two: [UInt8] = [0xC1, 0x0D, 0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00]
        for (bytes, count) in [(first, 1), (fragments, 1), (sharing, 2), (stored, 1), (final, 1), (two, 1)] {
            let result = try Self.receive(bytes)
            #expect(result.events == Array(repeating: hello, count: count) && result.violation == nil)
        }
        // A message behind one whose last block was the final one.
        #expect(try Self.receive(final + first).events == [hello, hello])
        // Without a window of before, what looks back there is wrong.
        let forgetful = try Self.receive(sharing) { $0.serverNoContextTakeover = true }
        #expect(forgetful.events == [hello] && forgetful.violation?.code == .invalidPayload)
        // Messages may also go as they are.
        #expect(try Self.receive(first + Frame.frame(.text, Array("Hello".utf8))).events == [hello, hello])
    }

    @Test func `RSV1 on a continuation or a control frame is refused`() throws {
        #expect(try Self.receive([0x41, 0x01, 0xF2, 0xC0, 0x01, 0x48]).violation?.code == .protocolError)
        #expect(try Self.receive([0xC9, 0x00]).violation?.code == .protocolError)
    }

    @Test func `a bomb, what is no deflate, and text that is none, are refused`() throws {
        let zeros = [UInt8](repeating: 65, count: 5_000_000)
        let bomb = Array(try Deflater(.raw).compress(zeros, .sync).dropLast(4))
        #expect(bomb.count < 10_000)
        let limits = WebSocketRequest.Limits(messageBytes: 1 << 20)
        let frame = Frame.frame(.binary, bomb, isCompressed: true)
        #expect(try Self.receive(frame, limits: limits).violation?.code == .messageTooBig)
        let garbage = Frame.frame(.binary, [0xFF, 0xFF, 0xFF], isCompressed: true)
        #expect(try Self.receive(garbage).violation?.code == .invalidPayload)
        let packed = Array(try Deflater(.raw).compress([0xC3, 0x28], .sync).dropLast(4))
        let noText = Frame.frame(.text, packed, isCompressed: true)
        #expect(try Self.receive(noText).violation?.code == .invalidPayload)
        // The limit is for each message, not for all of them.
        let half = [UInt8](repeating: 65, count: 700_000)
        let deflater = try Deflater(.raw)
        var many: [UInt8] = []
        for _ in 0..<4 {
            many += Frame.frame(.binary, Array(try deflater.compress(half, .sync).dropLast(4)), isCompressed: true)
        }
        let result = try Self.receive(many, limits: limits)
        #expect(result.events == Array(repeating: .message(.binary(half)), count: 4) && result.violation == nil)
    }

    static let answers: [([String], WebSocketRequest.Compression?, Bool)] = [
        ([], nil, true),
        ([], WebSocketRequest.Compression(), true),
        (["permessage-deflate"], WebSocketRequest.Compression(), true),
        (
            ["permessage-deflate; server_no_context_takeover; client_max_window_bits=\"12\""],
            WebSocketRequest.Compression(),
            true
        ),
        (["permessage-deflate"], nil, false),
        (["x-webkit-deflate-frame"], WebSocketRequest.Compression(), false),
        (["permessage-deflate, permessage-deflate"], WebSocketRequest.Compression(), false),
        (["permessage-deflate", "permessage-deflate"], WebSocketRequest.Compression(), false),
        (["permessage-deflate; unknown"], WebSocketRequest.Compression(), false),
        (["permessage-deflate; client_max_window_bits=7"], WebSocketRequest.Compression(), false),
        (["permessage-deflate; client_max_window_bits=16"], WebSocketRequest.Compression(), false),
        (["permessage-deflate; client_max_window_bits=012"], WebSocketRequest.Compression(), false),
        (["permessage-deflate; client_max_window_bits"], WebSocketRequest.Compression(), false),
        (
            ["permessage-deflate; client_max_window_bits=13"], WebSocketRequest.Compression(clientMaxWindowBits: 12),
            false
        ),
        (["permessage-deflate; server_no_context_takeover=1"], WebSocketRequest.Compression(), false),
        (
            ["permessage-deflate; server_no_context_takeover; server_no_context_takeover"],
            WebSocketRequest.Compression(),
            false
        ),
        (["permessage-deflate"], WebSocketRequest.Compression(serverNoContextTakeover: true), false),
        (["permessage-deflate"], WebSocketRequest.Compression(serverMaxWindowBits: 10), false),
        (
            ["permessage-deflate; server_max_window_bits=11"], WebSocketRequest.Compression(serverMaxWindowBits: 10),
            false
        ),
        (["permessage-deflate; server_max_window_bits=9"], WebSocketRequest.Compression(serverMaxWindowBits: 10), true),
    ]

    @Test(arguments: answers)
    func `an answer that does not fit the offer is refused`(
        values: [String],
        offer: WebSocketRequest.Compression?,
        isRight: Bool
    ) throws {
        if isRight {
            let agreement = try WebSocketExtensions.agreement(values, offer: offer)
            #expect((agreement == nil) == values.isEmpty)
        } else {
            let error = #expect(throws: WebSocketViolation.self) {
                try WebSocketExtensions.agreement(values, offer: offer)
            }
            #expect(error?.code == .missingExtension)
        }
    }

    @Test func `a server takes the first offer that it can, and both sides then mean the same`() throws {
        let accepting = WebSocketRequest.Compression(clientMaxWindowBits: 12)
        let values = ["permessage-deflate; unknown, permessage-deflate; server_max_window_bits=8, permessage-deflate"]
        #expect(WebSocketExtensions.answer(values, accepting: accepting) == nil)
        for offer in [
            WebSocketRequest.Compression(),
            WebSocketRequest.Compression(clientMaxWindowBits: 10, serverMaxWindowBits: 11),
            WebSocketRequest.Compression(clientNoContextTakeover: true, serverNoContextTakeover: true),
        ] {
            let text = WebSocketExtensions.offer(offer)
            let answer = try #require(WebSocketExtensions.answer([text], accepting: accepting))
            let ours = try WebSocketExtensions.agreement([answer.value], offer: offer)
            #expect(ours == answer.agreement, "\(text) / \(answer.value)")
        }
    }
}
