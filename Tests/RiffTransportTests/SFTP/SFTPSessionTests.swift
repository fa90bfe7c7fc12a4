// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// What only a server that answers strangely can show.
    @Suite(.timeLimit(.minutes(5)))
    struct SFTPSessionTests {
        private typealias Wire = ScriptedSFTPChannel

        @Test func `a cancelled call leaves the next one its own answer, and its late handle is closed`() async throws {
            let (client, channel, requests) = try await Wire.opened()
            let call = Task { try await client.read("/slow", count: 1) }
            let open = try #require(try await requests.next())
            #expect(open.type == 3)
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
            async let path = client.realPath(".")
            let resolve = try #require(try await requests.next())
            try await channel.answer(102, to: open, Wire.string([0xbe, 0xef]))
            let close = try #require(try await requests.next())
            #expect(close.type == 4)
            #expect(close.body == Wire.string([0xbe, 0xef]))
            try await channel.answerStatus(0, to: close)
            let name = Wire.string(Array("/home".utf8)) + Wire.string([]) + Wire.number(0)
            try await channel.answer(104, to: resolve, Wire.number(1) + name)
            #expect(try await path == "/home")
            #expect(client.session.outstanding == 0)
            await client.close()
        }

        @Test func `short reads are filled up and the order holds`() async throws {
            let (client, channel, requests) = try await Wire.opened()
            let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
            async let whole = client.read("/file", count: .max)
            let open = try #require(try await requests.next())
            try await channel.answer(102, to: open, Wire.string([1]))
            var isClosed = false
            while !isClosed, let request = try await requests.next() {
                guard request.type == 5 else {
                    isClosed = request.type == 4
                    continue
                }
                let offset = request.body.dropFirst(5).prefix(8).reduce(0) { $0 << 8 | Int($1) }
                let count = request.body.suffix(4).reduce(0) { $0 << 8 | Int($1) }
                if offset >= bytes.count {
                    try await channel.answerStatus(1, to: request)
                } else {
                    // Never more than 10,000 at a time.
                    let end = min(bytes.count, offset + min(count, 10_000))
                    try await channel.answer(103, to: request, Wire.string(Array(bytes[offset..<end])))
                }
            }
            #expect(try await whole == bytes)
            await client.close()
        }

        @Test func `more data than was asked for is refused`() async throws {
            let (client, channel, requests) = try await Wire.opened()
            let call = Task { try await client.read("/file", count: 3) }
            let open = try #require(try await requests.next())
            try await channel.answer(102, to: open, Wire.string([1]))
            let read = try #require(try await requests.next())
            try await channel.answer(103, to: read, Wire.string([1, 2, 3, 4]))
            await #expect(throws: TransportError.self) { _ = try await call.value }
            let close = try #require(try await requests.next())
            #expect(close.type == 4)
            await client.close()
        }

        @Test func `a server without posix-rename is told to the caller, with the file left beside the target`()
            async throws
        {
            let (client, channel, requests) = try await Wire.opened()
            let call = Task {
                return try await client.replaceContents(of: "/d/f", with: [1, 2], permissions: nil, suffix: 10)
            }
            let attributes = Wire.number(4) + Wire.number(0o100640)
            var types: [UInt8] = []
            while let request = try await requests.next() {
                types.append(request.type)
                switch request.type {
                case 7, 17: try await channel.answer(105, to: request, attributes)
                case 3: try await channel.answer(102, to: request, Wire.string([1]))
                default: try await channel.answerStatus(0, to: request)
                }
                if request.type == 4 { break }
            }
            #expect(try await call.value == .staged(temporary: "/d/.riff-a.tmp", target: "/d/f"))
            #expect(types == [7, 17, 3, 6, 10, 4])
            await client.close()
        }

        @Test func `a failed replacement removes its temporary file and nothing else`() async throws {
            let (client, channel, requests) = try await Wire.opened(extensions: ["posix-rename@openssh.com", "1"])
            let call = Task {
                return try await client.replaceContents(of: "/d/f", with: [1], permissions: 0o644, suffix: 10)
            }
            var removed: [[UInt8]] = []
            loop: while let request = try await requests.next() {
                switch request.type {
                case 7, 17: try await channel.answerStatus(2, to: request)
                case 3: try await channel.answer(102, to: request, Wire.string([1]))
                case 6: try await channel.answerStatus(4, "No space left on device", to: request)
                case 13:
                    removed.append(request.body)
                    break loop
                default: try await channel.answerStatus(0, to: request)
                }
            }
            let error = await #expect(throws: TransportError.self) { _ = try await call.value }
            #expect(error?.code == .fileFailed)
            #expect(error?.message.contains("No space left on device") == true)
            #expect(error?.message.contains("/d/f") == true)
            #expect(removed == [Wire.string(Array("/d/.riff-a.tmp".utf8))])
            await client.close()
        }

        @Test func `what is not SFTP ends the session with an error that says so`() async throws {
            let channel = ScriptedSFTPChannel()
            try await channel.answers.write(Array("Welcome to this machine\n".utf8))
            let error = await #expect(throws: TransportError.self) { _ = try await SFTPClient.open(over: channel) }
            #expect(error?.code == .sftpMalformed)
            #expect(error?.message.contains("login script") == true)
        }

        @Test func `a host without the subsystem is told`() async throws {
            let channel = ScriptedSFTPChannel()
            channel.answers.finish()
            let error = await #expect(throws: TransportError.self) { _ = try await SFTPClient.open(over: channel) }
            #expect(error?.code == .sftpUnavailable)
        }

        @Test func `an answer to nothing ends the session for everybody`() async throws {
            let (client, channel, requests) = try await Wire.opened()
            let call = Task { try await client.realPath(".") }
            let request = try #require(try await requests.next())
            try await channel.answerStatus(0, to: .init(type: 0, id: request.id &+ 100, body: []))
            let error = await #expect(throws: TransportError.self) { _ = try await call.value }
            #expect(error?.code == .sftpMalformed)
            await client.close()
            await #expect(throws: TransportError.self) { _ = try await client.realPath(".") }
        }
    }
}
