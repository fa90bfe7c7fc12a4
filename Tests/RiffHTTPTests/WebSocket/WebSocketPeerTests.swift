// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffHTTP
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    @Suite(
        .enabled(if: WebSocketPeer.isThere, "scripts/fetch-websocket-peer was not run"),
        .timeLimit(.minutes(5))
    )
    struct WebSocketPeerTests {
        private static func connect(
            _ peer: WebSocketPeer,
            _ path: String,
            _ change: (inout WebSocketRequest) -> Void = { _ in }
        ) async throws -> any WebSocketConnection {
            var request = WebSocketRequest(try peer.url(path))
            change(&request)
            return try await NIOWebSocketTransport().connect(request)
        }

        /// Messages of 64 B to 16 MB, text and bytes in turn; the same each time.
        static func mixed(_ total: Int) -> [WebSocketMessage] {
            let sizes = [64, 1024, 100, 65_536, 200, 1 << 20, 125, 126, 4096, 16_000_000, 300, 65_535, 250_000]
            var (messages, sum, number) = ([WebSocketMessage](), 0, 0)
            while sum < total {
                let size = sizes[number % sizes.count]
                let salt = number
                if number % 2 == 0 {
                    messages.append(
                        .text(String(repeating: Character(Unicode.Scalar(UInt8(97 + salt % 26))), count: size))
                    )
                } else {
                    messages.append(.binary((0..<size).map { UInt8(truncatingIfNeeded: ($0 &* 167) >> 3 &+ salt) }))
                }
                sum += size
                number += 1
            }
            return messages
        }

        @Test(arguments: [false, true], [nil, 10_000])
        func `it echoes messages of all sizes`(deflates: Bool, fragmentBytes: Int?) async throws {
            try await WebSocketPeer.with(deflates ? ["--deflate"] : []) { peer in
                let socket = try await Self.connect(peer, "/echo") {
                    $0.compression = deflates ? WebSocketRequest.Compression() : nil
                    $0.limits.fragmentBytes = fragmentBytes
                    $0.limits.messageBytes = 20 << 20
                }
                for size in [0, 1, 125, 126, 127, 65_535, 65_536, 65_537, 3_000_000] {
                    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 2) }
                    for message in [WebSocketMessage.binary(bytes), .text(String(repeating: "aä€😀", count: size / 10))]
                    {
                        try await socket.send(message)
                        #expect(try await socket.receive() == message, "\(size)")
                    }
                }
                await socket.close(.goingAway, reason: "done")
                #expect(try await peer.ended() == #"["/echo", 1001, "done"]"#)
            }
        }

        @Test(arguments: [false, true])
        func `its fragments are joined`(deflates: Bool) async throws {
            try await WebSocketPeer.with(deflates ? ["--deflate"] : []) { peer in
                let socket = try await Self.connect(peer, "/fragments") {
                    $0.compression = deflates ? WebSocketRequest.Compression(serverNoContextTakeover: true) : nil
                }
                for message in [
                    WebSocketMessage.text(String(repeating: "ein langer Text mit ä ", count: 5000)),
                    .binary([UInt8](repeating: 3, count: 100_003)), .text("äöü€"),
                ] {
                    try await socket.send(message)
                    #expect(try await socket.receive() == message)
                }
                await socket.close()
            }
        }

        @Test func `extensions, subprotocol and fields are agreed on`() async throws {
            try await WebSocketPeer.with(["--deflate"]) { peer in
                let plain = try await Self.connect(peer, "/extensions")
                #expect(try await plain.receive() == .text("none"))
                #expect(plain.subprotocol == nil)
                let packed = try await Self.connect(peer, "/extensions") {
                    $0.compression = WebSocketRequest.Compression(clientMaxWindowBits: 10, serverMaxWindowBits: 11)
                    $0.subprotocols = ["other", "hub"]
                }
                #expect(packed.subprotocol == "hub")
                let answer = try #require(try await packed.receive())
                guard case .text(let text) = answer else {
                    Issue.record("no text")
                    return
                }
                #expect(text.contains("permessage-deflate") && text.contains("server_max_window_bits=11"))
                let fields = try await Self.connect(peer, "/headers") { $0.headers[.authorization] = "Bearer t0ken" }
                guard case .text(let all) = try await fields.receive() else {
                    Issue.record("no text")
                    return
                }
                #expect(all.contains(#""Authorization": "Bearer t0ken""#))
            }
        }

        @Test func `pings of both are answered`() async throws {
            try await WebSocketPeer.with { peer in
                let socket = try await Self.connect(peer, "/ping")
                #expect(try await socket.receive() == .text("answered"))
                for _ in 0..<3 { try await socket.ping() }
                // A text of 8 bytes, three pings of 4 and three pongs of 8, each behind a header of 2.
                #expect(socket.receivedBytes == 10 + 3 * 6 + 3 * 10)
                await socket.close()
            }
        }

        @Test func `closes of both, and a lost connection, are told`() async throws {
            try await WebSocketPeer.with { peer in
                let told = try await Self.connect(peer, "/close")
                #expect(try await told.receive() == nil)
                let code = WebSocketEnding.Code(rawValue: 4321)
                #expect(try await told.ending() == WebSocketEnding(code, reason: "enough ä", side: .peer))
                // The code is given back, without the words.
                #expect(try await peer.ended() == #"["/close", 4321, ""]"#)
                let ours = try await Self.connect(peer, "/wait")
                await ours.close(WebSocketEnding.Code(rawValue: 3999), reason: "über")
                #expect(try await ours.ending() == WebSocketEnding(.init(rawValue: 3999), reason: "über", side: .local))
                #expect(try await peer.ended() == #"["/wait", 3999, "\u00fcber"]"#)
                let lost = try await Self.connect(peer, "/abort")
                #expect(try await lost.receive() == nil)
                let ending = try await lost.ending()
                #expect(ending.isLost && ending.side == .nobody)
                let error = await #expect(throws: TransportError.self) { try await lost.send(.text("x")) }
                #expect(error?.code == .connectionLost)
            }
        }

        @Test func `a message above our limit is refused with 1009`() async throws {
            try await WebSocketPeer.with { peer in
                let socket = try await Self.connect(peer, "/large") {
                    $0.limits = WebSocketRequest.Limits(messageBytes: 1 << 20)
                }
                #expect(try await socket.receive() == nil)
                let ending = try await socket.ending()
                #expect(ending.code == .messageTooBig && ending.side == .local)
                #expect(try await peer.ended().hasPrefix(#"["/large", 1009, "#))
            }
        }

        #if HTTPClient
        @Test(.enabled(if: SystemProgram.path("openssl") != nil, "needs openssl"))
        func `TLS with a private authority is opened where it is trusted`() async throws {
            try await PrivateAuthority.with { authority in
                try await WebSocketPeer.with(["--certificate", authority.certificate, "--key", authority.key]) { peer in
                    let trusting = try NIOWebSocketTransport(.init(additionalTrustRoots: [authority.root]))
                    for host in ["127.0.0.1", "localhost"] {
                        let url = try WebSocketURL("wss://\(host):\(peer.port)/echo")
                        let socket = try await trusting.connect(WebSocketRequest(url))
                        let message = WebSocketMessage.binary([UInt8](repeating: 5, count: 1_000_000))
                        try await socket.send(message)
                        #expect(try await socket.receive() == message)
                        await socket.close()
                    }
                    let request = WebSocketRequest(try peer.url("/echo"))
                    let error = await #expect(throws: TransportError.self) {
                        _ = try await NIOWebSocketTransport().connect(request)
                    }
                    #expect(error?.code == .tlsFailed)
                }
            }
        }
        #endif

        /// Issue 10, must show 4.
        @Test(.enabled(if: ResidentMemory.isKnown, "the kernel tells no peak"))
        func `200 MB of mixed frames come back byte for byte in bounded memory`() async throws {
            await #expect(processExitsWith: .success) {
                try await WebSocketPeer.with { peer in
                    let socket = try await WebSocketPeerTests.connect(peer, "/echo") {
                        $0.limits = WebSocketRequest.Limits(messageBytes: 16 << 20)
                    }
                    // One round of all sizes, which is what has to be in memory to compare with.
                    let round = WebSocketPeerTests.mixed(17_000_000)
                    let size = round.reduce(0) { $0 + $1.byteCount }
                    let rounds = (200_000_000 + size - 1) / size
                    let growth = try await ResidentMemory.peakGrowth {
                        try await withThrowingTaskGroup(of: Void.self) { group in
                            group.addTask {
                                for _ in 0..<rounds { for message in round { try await socket.send(message) } }
                            }
                            for _ in 0..<rounds {
                                for message in round {
                                    let echo = try await socket.receive()
                                    try #require(echo == message)
                                }
                            }
                            try await group.waitForAll()
                        }
                    }
                    await socket.close()
                    print("\(rounds * size) bytes each way, peak growth \(growth) bytes")
                    // Three of the largest message: one on its way out, one that is assembled, one that is compared.
                    #expect(growth < 80_000_000 * Patience.factor)
                }
            }
        }
    }
}
