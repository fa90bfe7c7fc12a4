// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct SecretStoreTests {
        @Test func `the store in memory keeps the rules`() async throws {
            try await SecretStoreConformance { InMemorySecretStore() }.runAll()
        }

        @Test func `the store in files keeps the rules`() async throws {
            try await KeyTool.withFolder { folder in
                try await SecretStoreConformance { SecretFileStore(directory: "\(folder)/new/\(UUID().uuidString)") }
                    .runAll()
            }
        }

        @Test func `of 20 first runs all get the same key`() async throws {
            try await KeyTool.withFolder { folder in
                let keys = try await withThrowingTaskGroup(of: SSHPrivateKey.self) { group in
                    for _ in 1...20 {
                        group.addTask { try await SecretFileStore(directory: "\(folder)/s").privateKey(named: "id") }
                    }
                    return try await group.reduce(into: Set()) { $0.insert($1) }
                }
                #expect(keys.count == 1)
                #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/s") == ["id"])
            }
        }

        @Test(.enabled(if: KeyTool.hasKeygen))
        func `a kept key is a private file that ssh-keygen takes`() async throws {
            try await KeyTool.withFolder { folder in
                let store = SecretFileStore(directory: "\(folder)/s")
                let key = try await store.privateKey(named: "id_ed25519", comment: "phone")
                #expect(try await store.privateKey(named: "id_ed25519") == key)
                #expect(try KeyTool.mode("\(folder)/s") == 0o700)
                #expect(try KeyTool.mode("\(folder)/s/id_ed25519") == 0o600)
                let shown = try await KeyTool.run(KeyTool.keygen, ["-y", "-f", "\(folder)/s/id_ed25519"], in: folder)
                #expect(shown.output == (try #require(key.publicKey)).line + "\n", "\(shown.errors)")
            }
        }

        @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o610, 0o601])
        func `a file that others may use is refused`(mode: Int) async throws {
            try await KeyTool.withFolder { folder in
                try KeyTool.write("x", to: "\(folder)/key", mode: mode)
                let store = SecretFileStore(directory: folder)
                let error = await #expect(throws: CoreError.self) { try await store.secret(for: "key") }
                #expect(error?.code == .permissionsTooOpen)
                #expect(error?.message.hasSuffix("chmod 600 \(folder)/key") == true, "\(error?.message ?? "")")
                try await store.set(Secret("y"), for: "key")
                #expect(try await store.secret(for: "key") == Secret("y"))
                #expect(try KeyTool.mode("\(folder)/key") == 0o600)
            }
        }

        @Test(arguments: [0o755, 0o770, 0o701])
        func `a folder that others may use is refused`(mode: Int) async throws {
            try await KeyTool.withFolder { folder in
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
                let error = await #expect(throws: CoreError.self) {
                    try await SecretFileStore(directory: folder).set(Secret("x"), for: "key")
                }
                #expect(error?.code == .permissionsTooOpen)
                #expect(error?.message.contains("chmod 700") == true)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            }
        }

        @Test func `a link is neither read nor written through`() async throws {
            try await KeyTool.withFolder { folder in
                try KeyTool.write("outside", to: "\(folder)/outside")
                let store = SecretFileStore(directory: "\(folder)/s")
                try await store.set(Secret("x"), for: "first")
                try FileManager.default.createSymbolicLink(atPath: "\(folder)/s/key", withDestinationPath: "../outside")
                let error = await #expect(throws: CoreError.self) { try await store.secret(for: "key") }
                #expect(error?.code == .storeFailed)
                #expect(error?.message.contains("symbolic link") == true)
                await #expect(throws: CoreError.self) { try await store.insert(Secret("y"), for: "key") }
                try await store.set(Secret("y"), for: "key")
                #expect(try KeyTool.text("\(folder)/outside") == "outside")
                #expect(try await store.secret(for: "key") == Secret("y"))
            }
        }

        @Test(arguments: ["fifo", "folder"])
        func `what is no file is refused and does not hang`(kind: String) async throws {
            try await KeyTool.withFolder { folder in
                if kind == "fifo" {
                    #expect(
                        try await KeyTool.run(KeyTool.path(of: "mkfifo"), ["-m", "600", "key"], in: folder).status == 0
                    )
                } else {
                    try FileManager.default.createDirectory(atPath: "\(folder)/key", withIntermediateDirectories: false)
                }
                let error = await #expect(throws: CoreError.self) {
                    try await SecretFileStore(directory: folder).secret(for: "key")
                }
                #expect(error?.code == .storeFailed)
                #expect(error?.message.contains("not an ordinary file") == true)
            }
        }

        @Test func `a damaged kept key is an error and is not replaced`() async throws {
            let store = InMemorySecretStore(["id": Secret("rubbish")])
            let error = await #expect(throws: CoreError.self) { try await store.privateKey(named: "id") }
            #expect(error?.code == .invalidKey)
            #expect(try await store.secret(for: "id") == Secret("rubbish"))
        }

        @Test func `secrets and private keys cannot be encoded`() {
            #expect(!((Secret("x") as Any) is any Encodable))
            #expect(!((SSHPrivateKey.makeEd25519() as Any) is any Encodable))
            #expect((SSHPrivateKey.makeEd25519().publicKey as Any) is any Encodable)
        }
    }
}
