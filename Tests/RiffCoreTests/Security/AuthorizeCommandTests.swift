// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct AuthorizeCommandTests {
        static let shells = ["sh", "dash", "bash", "zsh", "fish", "csh", "tcsh", "ksh"].filter {
            KeyTool.path(of: $0) != nil
        }
        static let hostile = "o'brien $(touch pwned) `touch pwned` \\ ! !! \"x\" ; & | > pwned * ~ # {a,b} zażółć"

        private static func run(_ shell: String, _ line: String, home: String) async throws -> KeyTool.Outcome {
            let environment = ["HOME": home, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
            return try await KeyTool.run(KeyTool.path(of: shell), ["-c", line], in: home, environment: environment)
        }

        @Test(arguments: shells)
        func `a fresh account gets the folder, the file and the key once`(shell: String) async throws {
            let key = try #require(SSHPrivateKey.makeEd25519(comment: Self.hostile).publicKey)
            try await KeyTool.withFolder { home in
                for _ in 1...3 {
                    let outcome = try await Self.run(shell, key.authorizeCommand, home: home)
                    #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
                }
                #expect(try KeyTool.mode("\(home)/.ssh") == 0o700)
                #expect(try KeyTool.mode("\(home)/.ssh/authorized_keys") == 0o600)
                let lines = try KeyTool.text("\(home)/.ssh/authorized_keys").split(
                    separator: "\n",
                    omittingEmptySubsequences: false
                )
                #expect(lines.count == 2 && lines[1].isEmpty)
                #expect(try SSHPublicKey(line: String(lines[0])) == key)
                #expect(!FileManager.default.fileExists(atPath: "\(home)/pwned"))
            }
        }

        @Test(arguments: shells)
        func `modes are set right and a last line without newline is not glued to`(shell: String) async throws {
            let key = try #require(SSHPrivateKey.makeEd25519(comment: "phone").publicKey)
            let other = try #require(SSHPrivateKey.makeEd25519(comment: "laptop").publicKey)
            try await KeyTool.withFolder { home in
                try FileManager.default.createDirectory(
                    atPath: "\(home)/.ssh",
                    withIntermediateDirectories: false,
                    attributes: [.posixPermissions: 0o777]
                )
                let file = "\(home)/.ssh/authorized_keys"
                try KeyTool.write("# \(key.line)\n\(other.line)", to: file, mode: 0o666)
                let outcome = try await Self.run(shell, key.authorizeCommand, home: home)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(try KeyTool.text(file) == "# \(key.line)\n\(other.line)\n\(key.line)\n")
                #expect(try KeyTool.mode("\(home)/.ssh") == 0o700)
                #expect(try KeyTool.mode(file) == 0o600)
            }
        }

        @Test func `a key that is there with restrictions is left as it is`() async throws {
            let key = try #require(SSHPrivateKey.makeEd25519(comment: "phone").publicKey)
            try await KeyTool.withFolder { home in
                _ = try await Self.run("sh", key.authorizeCommand, home: home)
                let file = "\(home)/.ssh/authorized_keys"
                try KeyTool.write("restrict,pty \(key.line)\n", to: file)
                #expect(try await Self.run("sh", key.authorizeCommand, home: home).status == 0)
                #expect(try KeyTool.text(file) == "restrict,pty \(key.line)\n")
            }
        }

        @Test func `a home that cannot be written fails with the shell's own message`() async throws {
            let key = try #require(SSHPrivateKey.makeEd25519().publicKey)
            try await KeyTool.withFolder { home in
                try KeyTool.write("a file", to: "\(home)/.ssh")
                let outcome = try await Self.run("sh", key.authorizeCommand, home: home)
                #expect(outcome.status != 0)
                #expect(!outcome.errors.isEmpty)
                #expect(try KeyTool.text("\(home)/.ssh") == "a file")
            }
        }

        @Test func `the command is one line without anything that a shell interprets in quotes`() throws {
            let command = try #require(SSHPrivateKey.makeEd25519(comment: Self.hostile).publicKey).authorizeCommand
            #expect(!command.contains { $0.isNewline || "\\!".contains($0) })
            #expect(command.filter { $0 == "'" }.count == 8)
            #expect(command.allSatisfy { $0.isASCII })
        }
    }
}
