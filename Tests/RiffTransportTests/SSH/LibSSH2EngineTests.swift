// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore

#if LibSSH2 && (os(macOS) || os(Linux))
import RiffTesting
import RiffTransport
import Testing

/// The engine and what reads beside it, without a socket, a thread or a clock.
struct LibSSH2EngineTests {
    /// A server's first bytes: a line before its identification, its identification, its offer (RFC 4253 sections 4.2,
    /// 7.1).
    static let preamble: [UInt8] = {
        let lists = [
            "curve25519-sha256,ecdh-sha2-nistp256", "ssh-ed25519", "aes128-ctr", "aes256-ctr", "hmac-sha2-256",
            "hmac-sha2-512", "none", "none", "", "",
        ]
        var payload: [UInt8] = [20] + [UInt8](repeating: 7, count: 16)
        for list in lists { payload += word(list.utf8.count) + Array(list.utf8) }
        payload += [0] + word(0)
        let padding = 16 - (payload.count + 5) % 8
        let packet = word(payload.count + padding + 1) + [UInt8(padding)] + payload
        return Array("hello\r\nSSH-2.0-Test_1\r\n".utf8) + packet + [UInt8](repeating: 0, count: padding)
    }()

    static let identificationCount = "hello\nSSH-2.0-Test_1\n".utf8.count + 2

    private static func word(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value >> 24), UInt8(truncatingIfNeeded: value >> 16)]
            + [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }

    @Test func `an offer is read at every split`() {
        for cut in 0...Self.preamble.count {
            var parser = SSHPreambleParser()
            for part in [Self.preamble[..<cut], Self.preamble[cut...]] { parser.feed(Array(part)) }
            #expect(parser.serverVersion == "SSH-2.0-Test_1", "cut at \(cut)")
            #expect(parser.kexInit?.keyExchange == ["curve25519-sha256", "ecdh-sha2-nistp256"], "cut at \(cut)")
            #expect(
                parser.kexInit?.cipherToClient == ["aes256-ctr"] && parser.kexInit?.macToClient == ["hmac-sha2-512"]
            )
        }
        var bytewise = SSHPreambleParser()
        for byte in Self.preamble { bytewise.feed([byte]) }
        #expect(bytewise.kexInit?.hostKey == ["ssh-ed25519"])
    }

    @Test func `an offer that is cut off or lies about its lengths is none`() {
        for count in 0..<Self.preamble.count {
            var parser = SSHPreambleParser()
            parser.feed(Array(Self.preamble[..<count]))
            #expect(parser.kexInit == nil, "\(count) bytes")
        }
        let start = Array("hello\r\nSSH-2.0-Test_1\r\n".utf8).count
        for index in start..<Self.preamble.count {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var damaged = Self.preamble
                damaged[index] = value
                var parser = SSHPreambleParser()
                parser.feed(damaged)  // Whatever it reads, it does not trap.
            }
        }
    }

    @Test func `a server that turned us away is told from one of another kind`() {
        for (text, isTurnedAway) in [
            ("", true), ("Exceeded MaxStartups\r\n", true), ("Not allowed at this time\r\n", true),
            ("HTTP/1.1 400 Bad Request\r\n", false), ("SSH-2.0-Test\r\n", false),
        ] {
            var parser = SSHPreambleParser()
            parser.feed(Array(text.utf8))
            #expect(parser.hasBeenTurnedAway == isTurnedAway, "\(text)")
        }
    }

    @Test func `a handshake cut after any byte ends with one typed error`() throws {
        for cut in stride(from: 0, through: Self.preamble.count, by: 1) {
            let engine = try LibSSH2Engine(scratch: SSHScratch())
            var outcomes: [TransportError.Code] = []
            engine.handshake(with: "box", preferring: engine.info.algorithms) { result in
                if case .failure(let error) = result { outcomes.append(error.code) } else { outcomes.append(.closed) }
            }
            engine.pump(isWritable: true)
            #expect(String(decoding: engine.takeOutput(), as: UTF8.self).hasPrefix("SSH-2.0-"))
            engine.feed(Array(Self.preamble[..<cut]))
            engine.pump(isWritable: true)
            #expect(outcomes.isEmpty, "after \(cut) bytes the server may still go on")
            engine.receiveEnd()
            engine.pump(isWritable: true)
            engine.pump(isWritable: true)
            let beforeIdentification = cut == 0
            let isOther = (1..<Self.identificationCount).contains(cut)
            let expected: TransportError.Code =
                beforeIdentification ? .droppedBeforeBanner : isOther ? .notSSHServer : .connectionLost
            #expect(outcomes == [expected], "cut after \(cut) bytes")
            #expect(engine.failure?.code == expected)
        }
    }

    @Test func `damaged bytes never trap and never stay unanswered`() throws {
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<300 {
            let engine = try LibSSH2Engine(scratch: SSHScratch())
            var outcomes = 0
            engine.handshake(with: "box", preferring: engine.info.algorithms) { _ in
                outcomes += 1
            }
            var bytes = Self.preamble
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                bytes[Int.random(in: 7..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            while !bytes.isEmpty {
                let count = Int.random(in: 1...bytes.count, using: &generator)
                engine.feed(Array(bytes.prefix(count)))
                bytes.removeFirst(count)
                engine.pump(isWritable: true)
            }
            engine.receiveEnd()
            engine.pump(isWritable: true)
            #expect(outcomes == 1)
        }
    }

    @Test func `everything asked of an engine that is over fails at once, and once`() throws {
        let engine = try LibSSH2Engine(scratch: SSHScratch())
        var codes: [TransportError.Code] = []
        func note<Value>(_ result: Result<Value, TransportError>) {
            if case .failure(let error) = result { codes.append(error.code) }
        }
        engine.authenticationMethods(user: "me") { note($0) }
        engine.probe { note($0) }
        engine.disconnect(TransportError(.closed, "It was enough."))
        engine.pump(isWritable: true)
        engine.authenticationMethods(user: "me") { note($0) }
        engine.probe { note($0) }
        engine.disconnect(TransportError(.timeout, "Again."))
        #expect(codes == [.closed, .closed, .closed, .closed])
        #expect(engine.failure?.code == .closed)
    }
}

extension SSHPreambleParser {
    fileprivate mutating func feed(_ bytes: [UInt8]) { bytes.withUnsafeBytes { receive($0) } }
}

extension LibSSH2Engine {
    fileprivate func feed(_ bytes: [UInt8]) { bytes.withUnsafeBytes { receive($0) } }
}
#endif
