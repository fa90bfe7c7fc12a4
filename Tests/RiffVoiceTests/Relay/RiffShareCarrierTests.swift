// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffHTTP
import RiffShare
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct RiffShareCarrierTests {
        static let png: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 3, count: 300_000)
        static let secret = String(repeating: "5a", count: 32)

        private static func withFolder(_ body: (SharedMediaInbox, String) async throws -> Void) async throws {
            let folder = "\(NSTemporaryDirectory())/riff-upload-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(atPath: "\(folder)/host", withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }  // Nothing else to clean up with.
            try await body(SharedMediaInbox(directory: "\(folder)/inbox"), "\(folder)/host")
        }

        private static func carrier(_ http: any HTTPTransport, port: Int, secret: String = secret) throws
            -> RiffShareCarrier
        {
            let server = try HTTPBaseURL("http://127.0.0.1:\(port)")
            return RiffShareCarrier(server: server, secret: try RiffSecret(hex: secret), http: http, signature: .v1)
        }

        private static func carry(_ inbox: SharedMediaInbox, by carrier: RiffShareCarrier) async throws -> String {
            let item = try #require(try await inbox.items().first)
            return try await carrier.carry(try #require(try await inbox.claim(item.name)))
        }

        /// Puts a film without bytes into the inbox, and returns its path.
        private static func film(_ sizeBytes: Int, in inbox: SharedMediaInbox) throws -> String {
            let name = "\(Int(Date().timeIntervalSince1970))-5F3A2B1C-0000-4000-8000-0123456789AB.mov"
            try FileManager.default.createDirectory(
                atPath: inbox.directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            let path = "\(inbox.directory)/\(name)"
            try Data().write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            #expect(truncate(path, off_t(sizeBytes)) == 0)
            return path
        }

        @Test(.enabled(if: UploadPeer.python != nil, "python3 is not installed"))
        func `a file is uploaded, signed, under its name and type, and the server's path comes back`() async throws {
            try await Self.withFolder { inbox, host in
                try await UploadPeer.with(folder: host, secret: Self.secret) { peer in
                    try await AsyncHTTPTransport.withTransport { http in
                        let item = try await inbox.deposit(Self.png)
                        let path = try await Self.carry(inbox, by: try Self.carrier(http, port: peer.port))
                        #expect(path == "\(host)/\(item.name)")
                        #expect([UInt8](try Data(contentsOf: URL(filePath: path))) == Self.png)
                        #expect(try String(contentsOfFile: "\(path).type", encoding: .utf8) == "image/png")
                        let wrong = try Self.carrier(http, port: peer.port, secret: String(repeating: "5b", count: 32))
                        let error = await #expect(throws: VoiceError.self) { try await Self.carry(inbox, by: wrong) }
                        #expect(error?.code == .wrongSecret)
                    }
                }
            }
        }

        @Test(.enabled(if: UploadPeer.python != nil && ResidentMemory.isKnown, "python3 and Linux's /proc are needed"))
        func `150 MB pass through a few`() async {
            // In a process of its own: what the tests beside this one hold would count.
            await #expect(processExitsWith: .success) {
                typealias Suite = InTurn.RiffShareCarrierTests
                try await Suite.withFolder { inbox, host in
                    try await UploadPeer.with(folder: host, secret: Suite.secret) { peer in
                        try await AsyncHTTPTransport.withTransport { http in
                            let film = try Suite.film(150 * 1_048_576, in: inbox)
                            let carrier = try Suite.carrier(http, port: peer.port)
                            var path = ""
                            // The address sanitizer keeps up to 256 MB of freed blocks; then only the file counts.
                            let limit = Patience.factor > 1 ? Int.max : 32 * 1_048_576
                            let growth = try await ResidentMemory.peakGrowth {
                                path = try await Suite.carry(inbox, by: carrier)
                            }
                            #expect(growth < limit, "\(growth / 1_048_576) MB more at the peak")
                            #expect(FileManager.default.contentsEqual(atPath: film, andPath: path))
                            #expect(try String(contentsOfFile: "\(path).type", encoding: .utf8) == "video/quicktime")
                        }
                    }
                }
            }
        }

        @Test func `a film of one byte too many is refused before a byte is sent`() async throws {
            try await Self.withFolder { inbox, _ in
                _ = try Self.film(200 * 1_048_576 + 1, in: inbox)
                let http = ScriptedHTTPTransport([.json(#"{"path":"/x"}"#)])
                let error = await #expect(throws: CoreError.self) {
                    try await Self.carry(inbox, by: try Self.carrier(http, port: 1))
                }
                #expect(error?.code == .mediaTooLarge)
                #expect(error?.message == "Video too large (201 MB > 200 MB)")
                #expect(http.requests.isEmpty)
            }
        }

        @Test(.enabled(if: UploadPeer.python != nil, "python3 is not installed"))
        func `a server that takes less says 413 while it is sent to, and that is understood`() async throws {
            try await Self.withFolder { inbox, host in
                try await UploadPeer.with(folder: host, secret: Self.secret, limit: 1_048_576) { peer in
                    try await AsyncHTTPTransport.withTransport { http in
                        _ = try Self.film(50 * 1_048_576, in: inbox)
                        let error = await #expect(throws: (any Error).self) {
                            try await Self.carry(inbox, by: try Self.carrier(http, port: peer.port))
                        }
                        #expect((error as? CoreError)?.code == .mediaTooLarge, "\(String(describing: error))")
                        #expect(try await inbox.items().count == 1)
                    }
                }
            }
        }

        @Test(arguments: [
            ("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n", "wrongSecret"),
            ("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", "notRiffServer"),
            ("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", "serverFailed"),
            ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi", "notRiffServer"),
            ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}", "notRiffServer"),
            ("", "serverConnectionLost"),
        ])
        func `an answer that is no path is an error, nothing is sent twice, and the file waits`(
            answer: String,
            code: String
        ) async throws {
            try await Self.withFolder { inbox, _ in
                let item = try await inbox.deposit(Self.png)
                let script: [RawHTTPServer.Step] = [.readHead, .readBody(Self.png.count), .send(answer), .close]
                try await RawHTTPServer.withServer(script) { server in
                    try await AsyncHTTPTransport.withTransport { http in
                        let error = await #expect(throws: VoiceError.self) {
                            try await Self.carry(inbox, by: try Self.carrier(http, port: server.port))
                        }
                        #expect(error?.code.rawValue == code)
                        #expect(error?.message.contains("recording") == false)
                        #expect(server.connectionCount == 1)
                        let waiting = try await inbox.items()
                        #expect(waiting == [item])
                    }
                }
            }
        }

        @Test func `a connection lost half-way is not taken up again by itself`() async throws {
            try await Self.withFolder { inbox, _ in
                try await inbox.deposit(Self.png)
                try await RawHTTPServer.withServer([.readHead, .readBody(100_000), .reset]) { server in
                    try await AsyncHTTPTransport.withTransport { http in
                        let error = await #expect(throws: VoiceError.self) {
                            try await Self.carry(inbox, by: try Self.carrier(http, port: server.port))
                        }
                        #expect(error?.code == .serverConnectionLost)
                        #expect(server.connectionCount == 1)
                    }
                }
            }
        }

        @Test func `with the server down the file waits, and comes over once it is up`() async throws {
            try await Self.withFolder { inbox, _ in
                try await inbox.deposit(Self.png)
                let typed = Typed()
                try await AsyncHTTPTransport.withTransport { http in
                    let answer = Array(#"{"path":"/home/me/x.png"}"#.utf8)
                    let head =
                        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(answer.count)\r\n\r\n"
                    let script: [RawHTTPServer.Step] = [
                        .readHead, .readBody(Self.png.count), .send(Array(head.utf8) + answer),
                    ]
                    try await LoopbackPort.withRefusing { port in
                        let drain = ShareDrain(inbox, by: try Self.carrier(http, port: port), into: typed)
                        await drain.handle(.bootstrapped)
                        await drain.handle(.connected)
                        await drain.finished()
                        #expect((drain.current.problems.first?.error as? VoiceError)?.code == .serverUnreachable)
                        #expect(try await inbox.items().count == 1)
                    }
                    try await RawHTTPServer.withServer(script) { server in
                        let drain = ShareDrain(inbox, by: try Self.carrier(http, port: server.port), into: typed)
                        await drain.handle(.bootstrapped)
                        await drain.handle(.connected)
                        await drain.finished()
                        #expect(drain.current.problems.isEmpty)
                    }
                }
                #expect(await typed.texts == ["/home/me/x.png"])
                #expect(try await inbox.items() == [])
            }
        }

        /// Notes what is typed.
        private actor Typed: SharePathTyping {
            private(set) var texts: [String] = []
            func typeSharedPath(_ text: String) { texts.append(text) }
        }
    }
}
