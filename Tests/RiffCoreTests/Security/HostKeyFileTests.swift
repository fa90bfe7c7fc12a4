// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct HostKeyFileTests {
        private let pin: HostPin
        private let other: HostPin
        private let keys: [SSHPublicKey]

        init() throws {
            pin = HostPin(address: try HostAddress("mac.example", port: 2222))
            other = HostPin(address: try HostAddress("mac.example", port: 2222), via: [try HostAddress("jump.example")])
            keys = try (0..<20).map { _ in try #require(SSHPrivateKey.makeEd25519().publicKey) }
        }

        @Test func `the store in memory keeps the rules`() async throws {
            try await HostKeyStoreConformance { InMemoryHostKeyStore() }.runAll()
        }

        @Test(arguments: [false, true])
        func `the store in a file keeps the rules`(isHashed: Bool) async throws {
            try await KeyTool.withFolder { folder in
                try await HostKeyStoreConformance {
                    HostKeyFile(path: "\(folder)/\(UUID().uuidString)", hashesNames: isHashed)
                }.runAll()
            }
        }

        @Test(.enabled(if: KeyTool.hasKeygen), arguments: [false, true])
        func `the first dial makes a private file that ssh-keygen reads, and a reset touches one pin`(
            isHashed: Bool
        ) async throws {
            try await KeyTool.withFolder { folder in
                let path = "\(folder)/deep/er/hosts"
                let store = HostKeyFile(path: path, hashesNames: isHashed)
                #expect(try await store.check(keys[0], for: pin) == .unknown)
                #expect(!FileManager.default.fileExists(atPath: "\(folder)/deep"))
                #expect(try await store.judge(keys[0], for: pin) == .pinnedNow)
                #expect(try await store.judge(keys[1], for: other) == .pinnedNow)
                #expect(try KeyTool.mode(path) == 0o600)
                #expect(try KeyTool.mode("\(folder)/deep/er") == 0o700)
                #expect(try KeyTool.text(path).contains("mac.example") == !isHashed)
                for (pin, key) in [(pin, keys[0]), (other, keys[1])] {
                    let found = try await KeyTool.run(KeyTool.keygen, ["-F", pin.id, "-l", "-f", path], in: folder)
                    #expect(found.output.contains(key.fingerprint), "\(found)")
                }
                let again = HostKeyFile(path: path)
                #expect(try await again.judge(keys[0], for: pin) == .trusted)
                #expect(try await again.judge(keys[1], for: pin) == .mismatch(expected: [keys[0]]))
                try await again.reset(pin)
                #expect(try await again.pinnedKeys(for: pin).isEmpty)
                #expect(try await again.pinnedKeys(for: other) == [keys[1]])
                #expect(try await again.judge(keys[1], for: pin) == .pinnedNow)
                try await again.trust(keys[2], for: pin)
                try await again.trust(keys[2], for: pin)
                #expect(try await again.pinnedKeys(for: pin) == [keys[1], keys[2]])
            }
        }

        @Test(arguments: [true, false])
        func `of 20 first dials with 20 keys one wins and all agree`(isShared: Bool) async throws {
            try await KeyTool.withFolder { folder in
                // Stores of their own lock as processes of their own do: flock belongs to the open file.
                let shared = HostKeyFile(path: "\(folder)/hosts")
                let stores = keys.map { _ in isShared ? shared : HostKeyFile(path: "\(folder)/hosts") }
                let verdicts = try await withThrowingTaskGroup(of: (Int, HostKeyVerdict).self) { group in
                    for (index, store) in stores.enumerated() {
                        group.addTask { (index, try await store.judge(keys[index], for: pin)) }
                    }
                    return try await group.reduce(into: [Int: HostKeyVerdict]()) { $0[$1.0] = $1.1 }
                }
                let winners = verdicts.filter { $0.value == .pinnedNow }.keys
                #expect(winners.count == 1)
                let winner = keys[try #require(winners.first)]
                #expect(verdicts.values.filter { $0 == .mismatch(expected: [winner]) }.count == 19)
                #expect(try await shared.pinnedKeys(for: pin) == [winner])
                #expect(try KeyTool.text("\(folder)/hosts").split(separator: "\n").count == 1)
            }
        }

        @Test func `20 first dials with one key all pass`() async throws {
            try await KeyTool.withFolder { folder in
                let verdicts = try await withThrowingTaskGroup(of: HostKeyVerdict.self) { group in
                    for _ in 1...20 {
                        group.addTask { try await HostKeyFile(path: "\(folder)/hosts").judge(keys[0], for: pin) }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(verdicts.filter { $0 == .pinnedNow }.count == 1)
                #expect(verdicts.filter { $0 == .trusted }.count == 19)
            }
        }

        @Test func `20 pins at once are all kept`() async throws {
            try await KeyTool.withFolder { folder in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (index, key) in keys.enumerated() {
                        let pin = HostPin(address: try HostAddress("host\(index)"))
                        group.addTask {
                            let verdict = try await HostKeyFile(path: "\(folder)/hosts").judge(key, for: pin)
                            #expect(verdict == .pinnedNow)
                        }
                    }
                    try await group.waitForAll()
                }
                let store = HostKeyFile(path: "\(folder)/hosts")
                for (index, key) in keys.enumerated() {
                    #expect(try await store.pinnedKeys(for: HostPin(address: HostAddress("host\(index)"))) == [key])
                }
            }
        }

        @Test(.enabled(if: KeyTool.path(of: "flock") != nil))
        func `another process that pins first under the lock is waited for and wins`() async throws {
            try await KeyTool.withFolder { folder in
                let path = "\(folder)/hosts"
                // Says that it has the lock, waits for its input to end, and then pins its key as we would.
                let script = "echo locked; read line; printf '%s\\n' \"$1\" > \(path).new; mv \(path).new \(path)"
                let flock = try #require(KeyTool.path(of: "flock"))
                let line = "\(pin.id) \(keys[1].line)"
                let child = try await LocalProcess.start(
                    LocalCommand(flock, ["\(folder)/.hosts.lock", "sh", "-c", script, "sh", line])
                )
                var said = child.output.makeAsyncIterator()
                #expect(try await said.next() == Array("locked\n".utf8))
                async let verdict = HostKeyFile(path: path).judge(keys[0], for: pin)
                try await child.finishWriting()
                #expect(try await verdict == .mismatch(expected: [keys[1]]))
                #expect(try await child.exitStatus() == .exited(0))
                await child.close()
            }
        }

        @Test(arguments: [0o644, 0o600, 0o640])
        func `a file that is there keeps its mode, its comments and its place behind a link`(mode: Int) async throws {
            try await KeyTool.withFolder { folder in
                try FileManager.default.createDirectory(atPath: "\(folder)/dot", withIntermediateDirectories: false)
                try KeyTool.write("# mine\nother.example \(keys[3].line)", to: "\(folder)/dot/known", mode: mode)
                try FileManager.default.createSymbolicLink(atPath: "\(folder)/known", withDestinationPath: "dot/known")
                let store = HostKeyFile(path: "\(folder)/known")
                #expect(try await store.judge(keys[0], for: pin) == .pinnedNow)
                let expected = "# mine\nother.example \(keys[3].line)\n\(pin.id) \(keys[0].line)\n"
                #expect(try KeyTool.text("\(folder)/dot/known") == expected)
                #expect(try KeyTool.mode("\(folder)/dot/known") == mode)
                let link = try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/known")
                #expect(link == "dot/known")
            }
        }

        @Test func `a store that cannot be read fails and pins nothing`() async throws {
            try await KeyTool.withFolder { folder in
                try KeyTool.write("", to: "\(folder)/open", mode: 0o666)
                let open = await #expect(throws: CoreError.self) {
                    try await HostKeyFile(path: "\(folder)/open").judge(keys[0], for: pin)
                }
                #expect(open?.code == .permissionsTooOpen)
                #expect(open?.message.contains("chmod o-w") == true)
                for path in ["\(folder)", "\(folder)/open/hosts"] {
                    let error = await #expect(throws: CoreError.self) {
                        try await HostKeyFile(path: path).judge(keys[0], for: pin)
                    }
                    #expect(error?.code == .storeFailed, "\(path)")
                }
                #expect(try KeyTool.text("\(folder)/open").isEmpty)
            }
        }

        @Test func `a revoked key is never pinned`() async throws {
            try await KeyTool.withFolder { folder in
                try KeyTool.write("@revoked * \(keys[0].line)\n", to: "\(folder)/hosts")
                let store = HostKeyFile(path: "\(folder)/hosts")
                #expect(try await store.judge(keys[0], for: pin) == .revoked)
                let error = await #expect(throws: CoreError.self) { try await store.trust(keys[0], for: pin) }
                #expect(error?.code == .hostKeyRevoked)
                #expect(try await store.judge(keys[1], for: pin) == .pinnedNow)
                try await store.reset(pin)
                #expect(try await store.judge(keys[0], for: pin) == .revoked)
            }
        }
    }
}
