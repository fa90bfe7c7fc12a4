// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

/// A host whose reads of files break, or bring other bytes.
private final class BreakingHost: ForwardingHostSession {
    let base: any HostSession
    private let reads = Mutex(0)
    let change: @Sendable (_ read: Int, _ bytes: [UInt8]) throws -> [UInt8]

    init(_ base: any HostSession, _ change: @escaping @Sendable (Int, [UInt8]) throws -> [UInt8]) {
        self.base = base
        self.change = change
    }

    func read(_ path: String, from offset: UInt64, count: Int) async throws -> [UInt8] {
        let number = reads.withLock {
            $0 += 1
            return $0
        }
        // Small pieces, so that there are several.
        return try change(number, try await base.read(path, from: offset, count: min(count, 4096)))
    }
}

extension HermesInTurn {
    @Suite(.enabled(if: HermesLab.isInstalled, "sqlite3 or python3 is missing"), .timeLimit(.minutes(5)))
    struct HermesSnapshotTests {
        /// What lies on the host of what was made to be pulled.
        private static func left(_ lab: HermesLab) throws -> [String] {
            let folder = "\(lab.folder)/.cache/riff/hermes"
            guard FileManager.default.fileExists(atPath: folder) else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        }

        @Test(arguments: ["printf x > \"$2.gz\"; exit 1", "printf x > \"$2.gz\"; exec sleep 60"])
        func `a copy that does not become whole is taken away`(gzip: String) async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded(wal: true)
                let owner = try await lab.owner(of: path, "UPDATE sessions SET title = id;")
                let host = try await HermesHostTests.bareHost(lab, with: ["sqlite3"])
                try await SystemProgram.writeScript("#!/bin/sh\n\(gzip)\n", to: "\(lab.folder)/bin-1/gzip")
                let code = await dataCode {
                    _ = try await HermesSnapshot.pull(
                        path,
                        on: host,
                        hostName: "bare",
                        to: "\(lab.folder)/copy.db",
                        timeout: .seconds(4)
                    )
                }
                #expect(code == (gzip.contains("sleep") ? "transport.timeout" : "data.snapshotFailed"))
                #expect(try Self.left(lab) == [])
                await owner.close()
            }
        }

        @Test func `a copy that is cancelled is taken away, and one on its way stays`() async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded()
                let base = try await HermesHostTests.bareHost(lab, with: ["sqlite3"])
                let copy = "\(lab.folder)/copy.db"
                let isAtIt = EventualValue<Void>()
                let host = BreakingHost(base) { _, bytes in
                    isAtIt.resolve(())
                    return bytes
                }
                // While it is pulled: the next call goes on.
                let task = Task { try await HermesSnapshot.pull(path, on: host, hostName: "bare", to: copy) }
                try await isAtIt.cancellableValue()
                task.cancel()
                await #expect(throws: CancellationError.self) { _ = try await task.value }
                #expect(try Self.left(lab).count == 1)
                // Its file became shorter: it is of no use any more, and goes.
                let file = try #require(try Self.left(lab).first)
                try Data("x".utf8).write(to: URL(filePath: "\(lab.folder)/.cache/riff/hermes/\(file)"))
                _ = try await HermesSnapshot.pull(path, on: base, hostName: "bare", to: copy)
                #expect(try Self.left(lab) == [])
            }
        }

        @Test func `what is older than a day goes with the next pull`() async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded()
                let folder = "\(lab.folder)/.cache/riff/hermes"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                for (name, hours) in [("old.db.gz", 25.0), ("young.db.gz", 23)] {
                    try Data(name.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
                    try FileManager.default.setAttributes(
                        [.modificationDate: Date(timeIntervalSinceNow: -hours * 3600)],
                        ofItemAtPath: "\(folder)/\(name)"
                    )
                }
                let host = try await HermesHostTests.bareHost(lab, with: ["sqlite3"])
                _ = try await HermesSnapshot.pull(path, on: host, hostName: "bare", to: "\(lab.folder)/copy.db")
                #expect(try Self.left(lab) == ["young.db.gz"])
            }
        }

        @Test func `the log of the last copy does not stay beside the new one`() async throws {
            try await HermesLab.with { lab in
                let copy = try await lab.recorded("copy.db", wal: true)
                let reader = try await lab.owner(of: copy, "UPDATE sessions SET title = id;")
                #expect(FileManager.default.fileExists(atPath: copy + "-wal"))
                let path = try await lab.recorded()
                let host = try await HermesHostTests.bareHost(lab, with: ["sqlite3", "gzip"])
                _ = try await HermesSnapshot.pull(path, on: host, hostName: "bare", to: copy)
                #expect(!FileManager.default.fileExists(atPath: copy + "-wal"))
                #expect(try await Self.dump(copy) == Self.dump(path))
                await reader.close()
            }
        }

        private static func dump(_ path: String) async throws -> String {
            try await HermesLab.output(
                of: "sqlite3",
                ["-readonly", path, "SELECT * FROM sessions; SELECT * FROM messages;"]
            )
        }

        @Test(arguments: [
            ["sqlite3", "gzip", "sha256sum"], ["python3", "gzip", "sha256sum"], ["gzip", "sha256sum"], [],
        ])
        func `a live database is copied whole, with its log, and not touched`(programs: [String]) async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded(wal: true)
                let owner = try await lab.owner(of: path, "UPDATE sessions SET title = 'live ' || id;")
                let before = try lab.bytes(path)
                let host = try await HermesHostTests.bareHost(lab, with: programs)
                let copy = "\(lab.folder)/copy.db"
                let snapshot = try await HermesSnapshot.pull(path, on: host, hostName: "bare", to: copy)
                #expect(try lab.bytes(path) == before)
                #expect(snapshot.transferredBytes > 0)
                let database = try await HermesDatabase.open(copy)
                #expect(try await database.sessions(.everything).elements.allSatisfy { $0.title == "live \($0.id)" })
                #expect(try await database.statistics().messages == 51)
                await database.close()
                // Nothing is left on the host, nor here but the copy.
                let left = try FileManager.default.contentsOfDirectory(atPath: "\(lab.folder)/.cache/riff/hermes")
                #expect(left.isEmpty)
                let names = try FileManager.default.contentsOfDirectory(atPath: lab.folder).filter {
                    $0.hasPrefix("copy")
                }
                #expect(names == ["copy.db"])
                try await owner.finishWriting()
                _ = try await owner.exitStatus()
                await owner.close()
                // The owner was the last one, and has carried its log over.
                let second = try await HermesSnapshot.pull(
                    path,
                    on: host,
                    hostName: "bare",
                    to: copy,
                    replacing: snapshot
                )
                #expect(second.transferredBytes > 0)
                let third = try await HermesSnapshot.pull(path, on: host, hostName: "bare", to: copy, replacing: second)
                #expect(third.transferredBytes == 0)
                #expect(try await Self.dump(copy) == Self.dump(path))
            }
        }

        @Test func `a pull that breaks goes on where it was`() async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded()
                let base = try await HermesHostTests.bareHost(lab, with: ["sqlite3", "gzip", "sha256sum"])
                let copy = "\(lab.folder)/copy.db"
                // Lost connections in between are passed over; this one stays lost.
                let breaking = BreakingHost(base) { number, bytes in
                    if number % 3 == 0 || number > 7 { throw TransportError(.connectionLost, "cut") }
                    return bytes
                }
                let code = await dataCode {
                    _ = try await HermesSnapshot.pull(path, on: breaking, hostName: "bare", to: copy)
                }
                #expect(code == "transport.connectionLost")
                #expect(!FileManager.default.fileExists(atPath: copy))
                let part = try Data(contentsOf: URL(filePath: copy + ".part"))
                #expect(part.count == 5 * 4096)
                let progress = Mutex<[UInt64]>([])
                let snapshot = try await HermesSnapshot.pull(path, on: base, hostName: "bare", to: copy) { done, all in
                    progress.withLock { $0 += [done, all] }
                }
                let all = try #require(progress.withLock { $0.last })
                #expect(snapshot.transferredBytes == all - UInt64(part.count))
                #expect(try await Self.dump(copy) == Self.dump(path))
            }
        }

        @Test(arguments: [["sqlite3", "gzip", "sha256sum"], ["sqlite3", "gzip"]])
        func `bytes that change on their way are noticed, and the last copy stays`(programs: [String]) async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded()
                let copy = "\(lab.folder)/copy.db"
                try Data("the last one".utf8).write(to: URL(filePath: copy))
                let host = BreakingHost(try await HermesHostTests.bareHost(lab, with: programs)) { number, bytes in
                    var bytes = bytes
                    if number == 3 { bytes[100] ^= 0x40 }
                    return bytes
                }
                let code = await dataCode {
                    _ = try await HermesSnapshot.pull(path, on: host, hostName: "bare", to: copy)
                }
                #expect(code == "data.snapshotDamaged")
                #expect(try Data(contentsOf: URL(filePath: copy)) == Data("the last one".utf8))
                let names = try FileManager.default.contentsOfDirectory(atPath: lab.folder).filter {
                    $0.hasPrefix("copy.db.part")
                }
                #expect(names.isEmpty)
                #expect(try Self.left(lab) == [])
            }
        }

        @Test(arguments: [["sqlite3", "gzip", "sha256sum"], ["sqlite3"]])
        func `a copy that is larger than its limit is refused, and nothing of it stays`(programs: [String]) async throws
        {
            try await HermesLab.with { lab in
                let path = try await lab.recorded()
                let size = try #require(
                    try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
                ).uint64Value
                let host = try await HermesHostTests.bareHost(lab, with: programs)
                let copy = "\(lab.folder)/copy.db"
                // On its way it is smaller, where the host compresses it.
                for limit in [1000, size - 1] {
                    let code = await dataCode {
                        _ = try await HermesSnapshot.pull(
                            path,
                            on: host,
                            hostName: "bare",
                            to: copy,
                            limitBytes: limit
                        )
                    }
                    #expect(code == "data.fileTooLarge")
                    let names = try FileManager.default.contentsOfDirectory(atPath: lab.folder)
                    #expect(!names.contains { $0.hasPrefix("copy.db") })
                    #expect(try Self.left(lab) == [])
                }
                _ = try await HermesSnapshot.pull(path, on: host, hostName: "bare", to: copy, limitBytes: size)
            }
        }

        @Test(.enabled(if: ThrowawaySSHServer.isInstalled, "sshd is missing"))
        func `a live database is pulled over SSH, and again when it changed`() async throws {
            try await HermesLab.with { lab in
                let path = try await lab.recorded(wal: true)
                let owner = try await lab.owner(of: path, "UPDATE sessions SET title = 'live ' || id;")
                try await Self.withSSH { host in
                    let copy = "\(lab.folder)/copy.db"
                    let first = try await HermesSnapshot.pull(path, on: host, hostName: "ssh", to: copy)
                    #expect(first.transferredBytes > 0)
                    let database = try await HermesDatabase.open(copy)
                    #expect(
                        try await database.sessions(.everything).elements.allSatisfy { $0.title == "live \($0.id)" }
                    )
                    #expect(try await database.statistics().messages == 51)
                    await database.close()
                    try await owner.finishWriting()
                    _ = try await owner.exitStatus()
                    await owner.close()
                    let second = try await HermesSnapshot.pull(
                        path,
                        on: host,
                        hostName: "ssh",
                        to: copy,
                        replacing: first
                    )
                    let third = try await HermesSnapshot.pull(
                        path,
                        on: host,
                        hostName: "ssh",
                        to: copy,
                        replacing: second
                    )
                    #expect(second.transferredBytes > 0 && third.transferredBytes == 0)
                    #expect(try await Self.dump(copy) == Self.dump(path))
                }
            }
        }

        private static func withSSH(_ body: (any HostSession) async throws -> Void) async throws {
            let server = try await ThrowawaySSHServer.start(ThrowawaySSHServer.Options())
            let key = SSHPrivateKey.makeEd25519(comment: "test")
            let result: Result<Void, any Error>
            do {
                try server.authorize(try #require(key.publicKey).line)
                let address = try HostAddress(server.host, port: server.port)
                let trust = HostTrust.firstUse(InMemoryHostKeyStore())
                let host = SSHHost(
                    SSHHost.Configuration(address: address, user: server.user, credentials: [.key(key)], trust: trust)
                )
                do { result = .success(try await body(host.files)) } catch { result = .failure(error) }
                await Task { await host.shutdown() }.value
            } catch {
                result = .failure(error)
            }
            await Task { await server.stop() }.value
            try result.get()
        }

        @Test func `what cannot be copied has a code`() async throws {
            try await HermesLab.with { lab in
                let host = try await HermesHostTests.bareHost(lab, with: ["sqlite3", "gzip"])
                let copy = "\(lab.folder)/copy.db"
                #expect(
                    await dataCode {
                        _ = try await HermesSnapshot.pull("none.db", on: host, hostName: "bare", to: copy)
                    }
                        == "data.databaseMissing"
                )
                try Data().write(to: URL(filePath: "\(lab.folder)/empty.db"))
                #expect(
                    await dataCode {
                        _ = try await HermesSnapshot.pull("empty.db", on: host, hostName: "bare", to: copy)
                    }
                        == "data.databaseEmpty"
                )
                try Data(repeating: 1, count: 9000).write(to: URL(filePath: "\(lab.folder)/text.db"))
                #expect(
                    await dataCode {
                        _ = try await HermesSnapshot.pull("text.db", on: host, hostName: "bare", to: copy)
                    }
                        == "data.databaseCorrupt"
                )
                #expect(try Self.left(lab) == [])
                let names = try FileManager.default.contentsOfDirectory(atPath: lab.folder)
                #expect(!names.contains { $0.hasPrefix("copy.db") })
            }
        }
    }
}
