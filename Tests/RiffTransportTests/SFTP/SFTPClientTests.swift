// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// Against OpenSSH's own file server.
    @Suite(.timeLimit(.minutes(5)), .enabled(if: ServerProcessChannel.isInstalled))
    struct SFTPClientTests {
        private func withClient(
            _ arguments: [String] = [],
            _ body: (SFTPClient, String, ServerProcessChannel) async throws -> Void
        ) async throws {
            let channel = try ServerProcessChannel(ServerProcessChannel.server, arguments)
            let client = try await SFTPClient.open(over: channel)
            let folder = FileManager.default.temporaryDirectory.appending(path: "riff-sftp-\(channel.processID)").path()
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            do {
                try await body(client, folder, channel)
            } catch {
                await client.close()
                try FileManager.default.removeItem(atPath: folder)
                throw error
            }
            await client.close()
            try FileManager.default.removeItem(atPath: folder)
        }

        private func replace(_ client: SFTPClient, _ path: String, _ bytes: [UInt8], _ mode: UInt16? = nil) async throws
        {
            let outcome = try await client.replaceContents(of: path, with: bytes, permissions: mode)
            #expect(outcome == .done)
        }

        private func bytes(_ count: Int) -> [UInt8] {
            var generator = SeededGenerator(seed: UInt64(count))
            return (0..<(count + 7) / 8).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }.dropLast(
                (8 - count % 8) % 8
            )
        }

        @Test(arguments: [0, 1, 32768, 32769, 20_000_000])
        func `a file is written, read and streamed back the same`(count: Int) async throws {
            try await withClient { client, folder, _ in
                let contents = bytes(count)
                try await replace(client, "\(folder)/file", contents)
                let onDisk = [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/file")))
                #expect(onDisk == contents)
                #expect(try await client.read("\(folder)/file", count: .max) == contents)
                #expect(try await client.status(of: "\(folder)/file")?.sizeBytes == UInt64(count))
                let (stream, writer) = ByteStream.makeStream()
                async let copied: Void = client.copy("\(folder)/file", to: writer)
                #expect(try await stream.collect(upTo: count + 1) == contents)
                try await copied
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
            }
        }

        @Test func `a part of a file is read`() async throws {
            try await withClient { client, folder, _ in
                let contents = bytes(100_000)
                try await replace(client, "\(folder)/file", contents)
                let part = try await client.read("\(folder)/file", from: 40_000, count: 50_000)
                #expect(part == Array(contents[40_000..<90_000]))
                #expect(try await client.read("\(folder)/file", from: 99_999, count: 10) == [contents[99_999]])
                #expect(try await client.read("\(folder)/file", from: 200_000, count: 10) == [])
            }
        }

        @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
        func `a file without a size is read to its end`() async throws {
            try await withClient { client, _, channel in
                let text = String(decoding: try await client.read("/proc/self/status", count: .max), as: UTF8.self)
                #expect(text.contains("Pid:\t\(channel.processID)\n"))
            }
        }

        @Test func `a stream that is not read holds the server back`() async throws {
            try await withClient { client, folder, _ in
                try await replace(client, "\(folder)/file", bytes(20_000_000))
                let (stream, writer) = ByteStream.makeStream(bufferedBytes: 100_000)
                let copying = Task { try await client.copy("\(folder)/file", to: writer) }
                var iterator = stream.makeAsyncIterator()
                let first = try #require(try await iterator.next())
                // Other calls go on meanwhile, and no more than the window is under way.
                #expect(try await client.status(of: folder)?.kind == .directory)
                #expect(client.session.outstanding <= 64)
                copying.cancel()
                await #expect(throws: CancellationError.self) { try await copying.value }
                #expect(first.count > 0)
                #expect(try await client.read("\(folder)/file", count: 5).count == 5)
            }
        }

        @Test func `a directory of 5,000 names is listed whole`() async throws {
            try await withClient { client, folder, _ in
                let names = (0..<5000).map { "entry-\($0)" }
                for name in names { try Data().write(to: URL(filePath: "\(folder)/\(name)")) }
                let entries = try await client.list(folder)
                #expect(Set(entries.map(\.name)) == Set(names))
                #expect(entries.count == names.count)
                #expect(entries.allSatisfy { $0.status.kind == .file })
            }
        }

        @Test(arguments: ["with space", "new\nline", "quo'te\"s", "grüße-日本", "-dash", "$(no)", "back\\slash"])
        func `any name is a name`(name: String) async throws {
            try await withClient { client, folder, _ in
                let path = "\(folder)/\(name)"
                try await replace(client, path, [1, 2, 3])
                #expect(try await client.list(folder).map(\.name) == [name])
                #expect(try await client.read(path, count: 9) == [1, 2, 3])
                try await client.rename(path, to: path + "2")
                try await client.remove(path + "2")
                #expect(try await client.list(folder) == [])
            }
        }

        @Test func `modes are set on new files, kept on old ones, and links are written through`() async throws {
            try await withClient { client, folder, _ in
                let (file, link) = ("\(folder)/file", "\(folder)/link")
                try await replace(client, file, [1])
                #expect(try await client.status(of: file)?.permissions == 0o600)
                try await client.setPermissions(0o640, of: file)
                try await replace(client, file, [2])
                #expect(try await client.status(of: file)?.permissions == 0o640)
                try await replace(client, file, [3], 0o755)
                #expect(try await client.status(of: file)?.permissions == 0o755)
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "file")
                try await replace(client, link, [4])
                #expect(try await client.linkStatus(of: link)?.kind == .symbolicLink)
                #expect(try await client.read(file, count: 9) == [4])
                #expect(try await client.realPath("\(folder)/./link").hasSuffix("/file"))
            }
        }

        @Test func `refusals have their code and name the path`() async throws {
            try await withClient { client, folder, _ in
                try await replace(client, "\(folder)/file", [1])
                try await client.makeDirectory("\(folder)/dir", permissions: 0o700)
                try await replace(client, "\(folder)/dir/inner", [1])
                func expect(
                    _ code: TransportError.Code,
                    _ path: String,
                    sourceLocation: SourceLocation = #_sourceLocation,
                    _ body: () async throws -> Void
                ) async {
                    let error = await #expect(throws: TransportError.self, sourceLocation: sourceLocation) {
                        try await body()
                    }
                    #expect(error?.code == code, sourceLocation: sourceLocation)
                    #expect(error?.message.contains(path) == true, sourceLocation: sourceLocation)
                }
                let none = "\(folder)/none"
                #expect(try await client.status(of: none) == nil)
                await expect(.fileNotFound, none) { _ = try await client.read(none, count: 1) }
                await expect(.fileNotFound, none) { _ = try await client.list(none) }
                await expect(.fileNotFound, none) { try await client.remove(none) }
                await expect(.fileNotFound, none) { try await client.rename(none, to: "\(folder)/x") }
                await expect(.fileExists, "\(folder)/dir") {
                    try await client.makeDirectory("\(folder)/dir", permissions: 0o700)
                }
                await expect(.fileExists, "\(folder)/dir") {
                    try await client.rename("\(folder)/file", to: "\(folder)/dir")
                }
                await expect(.fileFailed, "\(folder)/dir") { try await client.removeDirectory("\(folder)/dir") }
                await expect(.fileFailed, "\(folder)/dir") { _ = try await client.read("\(folder)/dir", count: 1) }
                await expect(.fileFailed, "\(folder)/dir") { try await replace(client, "\(folder)/dir", [1]) }
                #expect(try await client.list("\(folder)/dir").map(\.name) == ["inner"])
                #expect(client.session.features.canReplace && client.session.features.canSynchronize)
                #expect((client.limits?.readBytes ?? 0) >= 32_768)
            }
        }

        @Test func `a server that may not write says permission denied`() async throws {
            try await withClient(["-R"]) { client, folder, _ in
                let error = await #expect(throws: TransportError.self) {
                    try await client.makeDirectory("\(folder)/dir", permissions: 0o700)
                }
                #expect(error?.code == .permissionDenied)
            }
        }

        @Test func `a replaced file is never seen in part`() async throws {
            try await withClient { client, folder, _ in
                let path = "\(folder)/file"
                let (old, new) = ([UInt8](repeating: 1, count: 300_000), [UInt8](repeating: 2, count: 400_000))
                try await replace(client, path, old)
                async let writing: Void = replace(client, path, new)
                for _ in 0..<20 {
                    let seen = [UInt8](try Data(contentsOf: URL(filePath: path)))
                    #expect(seen == old || seen == new)
                }
                try await writing
                #expect([UInt8](try Data(contentsOf: URL(filePath: path))) == new)
            }
        }

        @Test func `all calls under way end with connectionLost when the server is killed`() async throws {
            try await withClient { client, folder, channel in
                // Stopped first, so that all calls are under way.
                kill(channel.processID, SIGSTOP)
                let ids = try (0..<50).map { try client.session.submit(.status(path: "\(folder)/\($0)")) }
                await withTaskGroup { group in
                    for id in ids {
                        group.addTask { () -> TransportError.Code? in
                            do {
                                _ = try await client.session.response(to: id)
                                return nil
                            } catch {
                                return (error as? TransportError)?.code
                            }
                        }
                    }
                    #expect(client.session.outstanding == 50)
                    kill(channel.processID, SIGKILL)
                    for await code in group { #expect(code == .connectionLost) }
                }
                await #expect(throws: TransportError.self) { _ = try await client.list(folder) }
            }
        }

        @Test func `no handle is left open, whatever happened`() async throws {
            try await withClient { client, folder, channel in
                try await replace(client, "\(folder)/file", bytes(3_000_000))
                let before = try openFiles(channel.processID)
                _ = try await client.read("\(folder)/file", count: 10)
                _ = try await client.list(folder)
                await #expect(throws: Stop.self) {
                    try await client.read("\(folder)/file", from: 0, count: .max) { _ in throw Stop() }
                }
                let reading = Task { try await client.read("\(folder)/file", count: .max) }
                reading.cancel()
                _ = try? await reading.value
                // The server works in order. With the first answer that of an opening that was given up is here as
                // well, and its closing under way; after the second the server has closed what was to be closed.
                for _ in 0..<2 { _ = try await client.status(of: folder) }
                #expect(try openFiles(channel.processID) == before)
            }
        }

        private struct Stop: Error {}

        private func openFiles(_ process: pid_t) throws -> Int {
            #if os(Linux)
            return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
            #else
            return 0
            #endif
        }
    }
}
