// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffHTTP
import RiffServer
import RiffShare
import RiffTesting
import RiffTransport
import RiffVoice
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    @Suite(.timeLimit(.minutes(10)))
    struct UploadServerTests {
        static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

        static func file(_ count: Int, _ seed: Int = 0) -> [UInt8] {
            png + (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ seed &* 7 &+ $0 >> 8) }
        }

        @Test func `a file arrives whole, private and under its name, and its path is told`() async throws {
            try await UploadLab.with { lab in
                let bytes = Self.file(300_000)
                let answer = try await lab.send(bytes, name: "1700000000-x.png")
                #expect(answer.status == 200)
                let path = try #require(answer.path)
                #expect(path == "\(lab.folder)/1700000000-x.png")
                #expect(try lab.contents(path) == bytes)
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
                let folderMode = try FileManager.default.attributesOfItem(atPath: lab.folder)[.posixPermissions] as? Int
                #expect(folderMode == 0o700)
            }
        }

        @Test func `the same file again is the same path, and other bytes get a name of their own`() async throws {
            try await UploadLab.with { lab in
                let one = try await lab.send(Self.file(1000)).path
                let again = try await lab.send(Self.file(1000)).path
                let other = try await lab.send(Self.file(1000, 1)).path
                let third = try await lab.send(Self.file(1000, 1)).path
                #expect(one == again)
                #expect(other != one)
                #expect(other == third)
                #expect(lab.names().count == 2)
                #expect(other?.hasSuffix(".png") == true)
            }
        }

        @Test func `many send the same file at the same time, and it is there once`() async throws {
            try await UploadLab.with(concurrentUploads: 16) { lab in
                let bytes = Self.file(100_000)
                let paths = try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<16 {
                        group.addTask { try #require(try await lab.send(bytes).path) }
                    }
                    return try await group.reduce(into: Set<String>()) { $0.insert($1) }
                }
                #expect(paths == ["\(lab.folder)/a.png"])
                #expect(lab.names() == ["a.png"])
            }
        }

        @Test(arguments: ["", ".", "..", ".ssh", "-rf", "a/b", "../a", "a\\b", "a b", "a;b", "ä.png", "a\u{202e}b"])
        func `a name that means anything to anybody is 400, and nothing is kept`(name: String) async throws {
            #expect(UploadName(name) == nil)
            guard name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !name.isEmpty else { return }
            try await UploadLab.with { lab in
                let answer = try await lab.send(Self.png, name: name)
                #expect(answer.status == 400)
                #expect(try await lab.send(Self.png, name: String(repeating: "a", count: 129)).status == 400)
                #expect(try await lab.send(Self.png, name: nil).status == 400)
                #expect(lab.names() == [])
            }
        }

        @Test func `a body that is not the one that was signed is 401, and nothing is kept`() async throws {
            try await UploadLab.with { lab in
                let answer = try await lab.send(Self.file(70_000), signs: Self.file(70_000, 1))
                #expect(answer.status == 401)
                #expect(lab.names() == [])
                // The connection and the server serve on.
                #expect(try await lab.send(Self.file(10)).status == 200)
            }
        }

        @Test func `a signature of version 1, an unsigned request and a replayed one are 401`() async throws {
            try await UploadLab.with { lab in
                var request = try lab.request(Self.png)
                request.headerFields[.riffSignedRequest] = nil
                let unsigned = try await lab.http.answer(to: request, body: .bytes(Self.png), upTo: 1000)
                #expect(unsigned.head.status.code == 401)
                let secret = try RiffFixtures.secret()
                request.headerFields[.riffSignature] = RequestSignature(of: Self.png, with: secret).value
                let first = try await lab.http.answer(to: request, body: .bytes(Self.png), upTo: 1000)
                #expect(first.head.status.code == 401)
                #expect(first.head.headerFields[.wwwAuthenticate]?.hasSuffix("error=version") == true)
                let signed = try lab.request(Self.png)
                let taken = try await lab.http.answer(to: signed, body: .bytes(Self.png), upTo: 1000)
                let replayed = try await lab.http.answer(to: signed, body: .bytes(Self.png), upTo: 1000)
                #expect(taken.head.status.code == 200)
                #expect(replayed.head.status.code == 401)
                #expect(lab.names() == ["a.png"])
            }
        }

        @Test func `another method is 405, and without a folder uploads are 503`() async throws {
            try await UploadLab.with { lab in
                var request = try lab.request([])
                request.method = .get
                let field = SignedRequestField(
                    signing: request,
                    target: "/riff/upload",
                    body: [],
                    with: lab.key,
                    at: WallClock.now()
                )
                request.headerFields[.riffSignedRequest] = field.value
                let answer = try await lab.http.answer(to: request, upTo: 1000)
                #expect(answer.head.status.code == 405)
                #expect(answer.head.headerFields[.allow] == "POST")
                #expect(try await lab.send([]).status == 400)
            }
            try await UploadLab.with(takesUploads: false) { lab in
                let answer = try await lab.send(Self.png)
                #expect(answer.status == 503)
            }
        }

        @Test func `one byte more than the limit is 413 by its length, and by its bytes where none was announced`()
            async throws
        {
            try await UploadLab.with(limitBytes: 1 << 20) { lab in
                let most = [UInt8](repeating: 7, count: 1 << 20)
                #expect(try await lab.send(most).status == 200)
                #expect(try await lab.send(most + [7], name: "b.png").status == 413)
                let (stream, writer) = ByteStream.makeStream()
                async let answered = lab.http.answer(
                    to: try lab.request(most, name: "c.png"),
                    body: .stream(stream, length: nil),
                    upTo: 1000
                )
                // Without an end: the answer comes before it.
                let sending = Task { while true { try await writer.write([UInt8](repeating: 7, count: 65_536)) } }
                #expect(try await answered.head.status.code == 413)
                sending.cancel()
                // It ends by the closed stream or by the cancellation.
                _ = await sending.result
                #expect(lab.names() == ["a.png"])
            }
        }

        @Test func `a folder that is full is 507, and takes files again once some were removed`() async throws {
            try await UploadLab.with(folderLimitBytes: 3000) { lab in
                #expect(try await lab.send(Self.file(2000)).status == 200)
                #expect(try await lab.send(Self.file(2000, 1), name: "b.png").status == 507)
                try FileManager.default.removeItem(atPath: "\(lab.folder)/a.png")
                #expect(try await lab.send(Self.file(2000, 1), name: "b.png").status == 200)
                #expect(lab.names() == ["b.png"])
            }
        }

        @Test func `a folder that others may read is refused, reported and left as it is`() async throws {
            try await UploadLab.with { lab in
                try FileManager.default.createDirectory(atPath: lab.folder, withIntermediateDirectories: true)
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: lab.folder)
                #expect(try await lab.send(Self.png).status == 500)
                #expect(lab.reports.all.map(\.code) == [.storeFailed])
                #expect(lab.names() == [])
            }
        }

        @Test func `as many as there may be are taken, and the next one is told to come again`() async throws {
            try await UploadLab.with(concurrentUploads: 1) { lab in
                let (stream, writer) = ByteStream.makeStream()
                async let first = lab.http.answer(
                    to: try lab.request(Self.png),
                    body: .stream(stream, length: Self.png.count),
                    upTo: 1000
                )
                try await writer.write(Array(Self.png.prefix(4)))
                try await waitUntil { lab.names().count == 1 }
                #expect(lab.names().allSatisfy { $0.hasPrefix(".") })
                let request = try lab.request(Self.png, name: "b.png")
                let busy = try await lab.http.answer(to: request, body: .bytes(Self.png), upTo: 1000)
                #expect(busy.head.status.code == 503)
                #expect(busy.head.headerFields[.retryAfter] == "2")
                try await writer.write(Array(Self.png.dropFirst(4)))
                writer.finish()
                #expect(try await first.head.status.code == 200)
                #expect(lab.names() == ["a.png"])
            }
        }

        @Test func `a client that sends nothing any more loses its place and its draft`() async throws {
            // Real time, since what is waited for is that nothing comes over a socket.
            try await UploadLab.with(concurrentUploads: 1, idleTimeout: .seconds(2)) { lab in
                let (stream, writer) = ByteStream.makeStream()
                async let first = lab.http.answer(
                    to: try lab.request(Self.png),
                    body: .stream(stream, length: Self.png.count),
                    upTo: 1000
                )
                try await writer.write(Array(Self.png.prefix(4)))
                try await waitUntil { lab.names().count == 1 }
                #expect(try await first.head.status.code == 408)
                #expect(lab.names() == [])
                #expect(try await lab.send(Self.png).status == 200)
            }
        }

        @Test func `the carrier of shared files brings them, and tells what the server refused`()
            async throws
        {
            try await UploadLab.with(limitBytes: 1 << 20, folderLimitBytes: 3 << 20) { lab in
                let inbox = SharedMediaInbox(directory: "\(lab.folder)-inbox")
                defer { try? FileManager.default.removeItem(atPath: "\(lab.folder)-inbox") }  // Cleanup.
                let carrier = RiffShareCarrier(
                    server: try HTTPBaseURL("http://127.0.0.1:\(lab.server.port)"),
                    secret: try RiffFixtures.secret(),
                    http: lab.http
                )
                let typing = Typing()
                let drain = ShareDrain(inbox, by: carrier, into: typing)
                for event in [.bootstrapped, .connected] as [ShareDrain.Event] { await drain.handle(event) }
                await drain.finished()
                let item = try await inbox.deposit(Self.file(900_000))
                try await drain.attach(item)
                #expect(typing.texts == ["\(lab.folder)/\(item.name)"])
                #expect(try lab.contents("\(lab.folder)/\(item.name)") == Self.file(900_000))
                let large = try await inbox.deposit(Self.file(1 << 20))
                let tooLarge = await #expect(throws: CoreError.self) { try await drain.attach(large) }
                #expect(tooLarge?.code == .mediaTooLarge)
                #expect(tooLarge?.message.contains("413") == true)
                try await inbox.claim(large.name)?.complete()
                for number in 1...2 { try await drain.attach(try await inbox.deposit(Self.file(1_000_000, number))) }
                let full = await #expect(throws: VoiceError.self) {
                    try await drain.attach(try await inbox.deposit(Self.file(1_000_000, 3)))
                }
                #expect(full?.code == .uploadsUnavailable)
                #expect(typing.texts.count == 3)
            }
        }
    }

    /// Notes what is typed.
    private final class Typing: SharePathTyping {
        private let state = Mutex<[String]>([])
        var texts: [String] { state.withLock(\.self) }
        func typeSharedPath(_ text: String) async throws { state.withLock { $0.append(text) } }
    }
}
