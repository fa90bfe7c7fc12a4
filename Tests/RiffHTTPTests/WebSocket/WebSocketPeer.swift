// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffTesting
import RiffTransport
import Testing

/// The Python library websockets as a server, which scripts/fetch-websocket-peer puts into the cache folder.
struct WebSocketPeer {
    static let folder: URL = {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"] ?? "/"
        #if canImport(Darwin)
        let standard = "\(home)/Library/Caches"
        #else
        let standard = "\(home)/.cache"
        #endif
        let cache = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? standard
        return URL(filePath: cache).appending(path: "riff/websocket-peer-17.4")
    }()

    static var isThere: Bool { FileManager.default.fileExists(atPath: folder.appending(path: "complete").path) }

    let port: Int
    let isSecure: Bool
    fileprivate var lines: PeerLines

    func url(_ path: String) throws -> WebSocketURL {
        try WebSocketURL("\(isSecure ? "wss" : "ws")://127.0.0.1:\(port)\(path)")
    }

    /// The next connection that ended, as the server saw it.
    mutating func ended() async throws -> String { try await lines.next() }

    static func with(
        _ arguments: [String] = [],
        _ body: (inout WebSocketPeer) async throws -> Void
    ) async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/websocket/peer.py").path
        let program = try await LocalProcess.start(
            LocalCommand(folder.appending(path: "bin/python").path, [script] + arguments)
        )
        let result: Result<Void, any Error>
        do {
            var lines = PeerLines(program.output)
            let port = try #require(Int(try await lines.next()))
            var peer = WebSocketPeer(port: port, isSecure: arguments.contains("--certificate"), lines: lines)
            result = .success(try await body(&peer))
        } catch {
            result = .failure(error)
        }
        await program.close()
        try result.get()
    }
}

/// Lines of a program's output.
private struct PeerLines {
    private var chunks: ByteStream.Iterator
    private var unread: [UInt8] = []

    init(_ output: ByteStream) { chunks = output.makeAsyncIterator() }

    mutating func next() async throws -> String {
        while true {
            if let end = unread.firstIndex(of: 10) {
                defer { unread.removeSubrange(...end) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            unread += try #require(try await chunks.next(), "the server ended")
        }
    }
}

/// A certificate authority of a test's own, and a server's certificate for 127.0.0.1 and localhost by it.
struct PrivateAuthority {
    let folder: URL
    var root: String { folder.appending(path: "ca.pem").path }
    var certificate: String { folder.appending(path: "server.pem").path }
    var key: String { folder.appending(path: "server.key").path }

    static func with(_ body: (PrivateAuthority) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "riff-ca-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }  // Cleanup.
        let path = folder.path
        try "subjectAltName=IP:127.0.0.1,DNS:localhost".write(
            toFile: "\(path)/names",
            atomically: true,
            encoding: .utf8
        )
        for arguments in [
            "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=riff-test-ca -keyout \(path)/ca.key -out \(path)/ca.pem",
            "req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout \(path)/server.key -out \(path)/server.csr",
            "x509 -req -days 2 -in \(path)/server.csr -CA \(path)/ca.pem -CAkey \(path)/ca.key -CAcreateserial "
                + "-extfile \(path)/names -out \(path)/server.pem",
        ] {
            let (status, output) = try await SystemProgram.run(
                "openssl",
                arguments.split(separator: " ").map(String.init)
            )
            try #require(status == 0, "\(output)")
        }
        try await body(PrivateAuthority(folder: folder))
    }
}
