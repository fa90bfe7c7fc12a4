// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore

#if LibSSH2 && (os(macOS) || os(Linux))
import RiffTransport
import Testing

/// What a server can make the engine hold, and how it ends.
@Suite struct LibSSH2EngineLimitsTests {
    /// A packet in clear (RFC 4253 section 6), as it is before the key exchange.
    private func packet(_ type: UInt8, bytes: Int) -> [UInt8] {
        let padding = 16 - (bytes + 6) % 8
        let length = bytes + 2 + padding
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + [UInt8(padding), type]
            + [UInt8](repeating: 7, count: bytes + padding)
    }

    private func begun(_ note: @escaping (TransportError.Code) -> Void) throws -> LibSSH2Engine {
        let engine = try LibSSH2Engine(scratch: SSHScratch())
        engine.handshake(with: "box", preferring: engine.info.algorithms) { result in
            if case .failure(let error) = result { note(error.code) }
        }
        engine.pump(isWritable: true)
        return engine
    }

    private func feed(_ bytes: [UInt8], to engine: LibSSH2Engine) {
        bytes.withUnsafeBytes { engine.receive($0) }
        engine.pump(isWritable: true)
    }

    @Test(arguments: [(192, 32_000), (192, 40), (50, 1_000), (94, 32_000), (99, 8)] as [(UInt8, Int)])
    func `packets that nobody asked for do not fill the memory`(type: UInt8, bytes: Int) throws {
        var codes: [TransportError.Code] = []
        let engine = try begun { codes.append($0) }
        #expect(engine.heldBytes > 0 && engine.heldBytes < 1024 * 1024)
        feed(Array("SSH-2.0-Test\r\n".utf8), to: engine)
        let batch = (0..<max(1, 64 * 1024 / (bytes + 16))).flatMap { _ in packet(type, bytes: bytes) }
        var most = 0
        var sent = 0
        while engine.failure == nil, sent < 24 * 1024 * 1024 {
            feed(batch, to: engine)
            most = max(most, engine.heldBytes)
            sent += batch.count
        }
        // Data of a channel that is not there is dropped at once, and is no flood.
        #expect(engine.failure?.code == (type == 94 ? nil : .sshProtocol))
        #expect(most < engine.allowedBytes + 1024 * 1024, "\(most) bytes were held of \(sent)")
        if engine.failure != nil { #expect(codes == [.sshProtocol]) }
        engine.disconnect(TransportError(.closed, "It was enough."))
    }

    @Test(arguments: ["\n", "\r\n", "hello\r\n", "x"])
    func `lines before the identification come to an end`(line: String) throws {
        var codes: [TransportError.Code] = []
        let engine = try begun { codes.append($0) }
        let batch = Array(String(repeating: line, count: 512 / line.utf8.count).utf8)
        var sent = 0
        while engine.failure == nil, sent < 1024 * 1024 {
            feed(batch, to: engine)
            sent += batch.count
        }
        #expect(codes == [.notSSHServer])
        #expect(sent <= 64 * 1024 + batch.count, "\(sent) bytes were read")
    }

    /// An empty one was taken for the end of the connection.
    @Test(arguments: ["", "\r\n", "\n\n", "Welcome.\n\nPlease behave.\r\n", "SS\nSSH\n"])
    func `whatever stands before the identification, the key exchange begins`(lines: String) throws {
        for chunk in [1, 5, 1_000] {
            var codes: [TransportError.Code] = []
            let engine = try begun { codes.append($0) }
            _ = engine.takeOutput()
            var rest = Array("\(lines)SSH-2.0-Test\r\n".utf8)[...]
            while !rest.isEmpty {
                feed(Array(rest.prefix(chunk)), to: engine)
                rest = rest.dropFirst(chunk)
            }
            #expect(codes.isEmpty && engine.failure == nil)
            // Our offer follows as soon as the server has said what it is.
            #expect(engine.takeOutput().count > 300)
        }
    }

    @Test func `an identification that is too long is named`() throws {
        var message = ""
        let engine = try LibSSH2Engine(scratch: SSHScratch())
        engine.handshake(with: "box", preferring: engine.info.algorithms) { result in
            if case .failure(let error) = result { message = error.message }
        }
        engine.pump(isWritable: true)
        let version = "SSH-2.0-OpenSSH_9.2 " + String(repeating: "Lorem ipsum ", count: 40)
        feed(Array("\(version)\r\n".utf8) + LibSSH2EngineTests.preamble.suffix(200), to: engine)
        #expect(engine.failure == nil || message.contains("VersionAddendum"), "\(message)")
    }

    /// Each line once moved all that came after it, and a line without an end was searched again for each byte.
    @Test func `sixty-four thousand lines are read in one go, and one by one`() {
        for chunk in [1, 7, 64 * 1024] {
            var parser = SSHPreambleParser()
            var bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: 60_000)[...]
            bytes += Array("SSH-2.0-Late\r\n".utf8)
            while !bytes.isEmpty {
                Array(bytes.prefix(chunk)).withUnsafeBytes { parser.receive($0) }
                bytes = bytes.dropFirst(chunk)
            }
            #expect(parser.serverVersion == "SSH-2.0-Late" && !parser.hasGivenUp)
        }
    }
}
#endif
