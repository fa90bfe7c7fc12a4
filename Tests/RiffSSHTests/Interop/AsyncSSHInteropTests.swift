// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSSH
import RiffTesting
import TestSupport
import Testing

/// The Python library asyncssh, which scripts/fetch-ssh-peer puts into the cache folder: the one server here with
/// post-quantum key exchange.
@Suite(.enabled(if: AsyncSSHPeer.isThere, "scripts/fetch-ssh-peer was not run"), .timeLimit(.minutes(2)))
struct AsyncSSHInteropTests {
    /// One start of the program for each kind: it takes longer than all of its connections.
    static let kinds: [(String, [InteropCell])] = [
        ("key exchange", InteropCell.keyExchanges), ("cipher", InteropCell.ciphers), ("MAC", InteropCell.macs),
        ("host key", InteropCell.hostKeys), ("compression", [InteropCell.compression]),
    ]

    @Test(arguments: kinds.indices)
    func `connections with one algorithm alone`(index: Int) async throws {
        let (kind, cells) = Self.kinds[index]
        try #require(!cells.isEmpty, "\(kind)")
        try await AsyncSSHPeer.with { port in
            for cell in cells {
                try await BlockingSSHClient.with(port: port, cell.configuration) { client in
                    try client.logIn("ada", with: .key(interopKey.get().signingKey))
                    try cell.check(&client)
                }
            }
        }
    }

    @Test(arguments: [InteropCell.compression, InteropCell("none") { _ in }])
    func `new keys again and again`(cell: InteropCell) async throws {
        try await AsyncSSHPeer.with(rekeyBytes: 50_000) { port in
            try await BlockingSSHClient.with(port: port, cell.configuration) { client in
                try client.logIn("ada", with: .key(interopKey.get().signingKey))
                var random = SystemRandomNumberGenerator()
                let input = (0..<(1 << 16)).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
                let outcome = try client.run("echo", input: input, window: 1 << 17)
                #expect(outcome.output == input)
                #expect(client.rekeys >= 4, "\(client.rekeys)")
            }
        }
    }
}

enum AsyncSSHPeer {
    static let folder: String = {
        let environment = ProcessInfo.processInfo.environment
        #if canImport(Darwin)
        let standard = "\(environment["HOME"] ?? "")/Library/Caches"
        #else
        let standard = "\(environment["HOME"] ?? "")/.cache"
        #endif
        let cache = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? standard
        return "\(cache)/riff/ssh-peer-2.24.1"
    }()

    static var isThere: Bool { FileManager.default.fileExists(atPath: "\(folder)/complete") }

    static func with(rekeyBytes: Int = 1 << 30, _ body: (_ port: Int) async throws -> Void) async throws {
        try await KeyTool.withFolder { keys in
            try KeyTool.write(PrivateKeyFixtures.aes256CBC.publicLine + "\n", to: "\(keys)/authorized")
            let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Fixtures/asyncssh_peer.py").path
            let input = Pipe()
            let output = Pipe()
            // Killed with the end of its input; its exit is not waited for by anybody.
            _ = try SpawnedProgram(
                "\(folder)/bin/python",
                [script, "\(keys)/authorized", "\(rekeyBytes)"],
                input: input.fileHandleForReading,
                output: output.fileHandleForWriting
            ) { _ in }
            defer { try? input.fileHandleForWriting.close() }
            try output.fileHandleForWriting.close()
            let reader = output.fileHandleForReading
            let line = try await onBlockingThread {
                var bytes: [UInt8] = []
                while let byte = try reader.read(upToCount: 1)?.first, byte != 10 { bytes.append(byte) }
                return String(decoding: bytes, as: UTF8.self)
            }
            try await body(try #require(Int(line), "\(line)"))
        }
    }
}
