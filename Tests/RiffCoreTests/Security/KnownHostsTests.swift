// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct KnownHostsTests {
        private let keys: [SSHPublicKey]

        init() throws { keys = try (0..<4).map { _ in try #require(SSHPrivateKey.makeEd25519().publicKey) } }

        private static func pin(_ id: String) throws -> HostPin { try HostPin(id: id) }

        /// Each line is asked about a host, of OpenSSH and of us.
        @Test(
            .enabled(if: KeyTool.hasKeygen),
            arguments: [
                ("a.example KEY", "a.example", true),
                ("a.example KEY", "A.Example", true),
                ("A.EXAMPLE KEY", "a.example", true),
                ("a.example KEY", "b.example", false),
                ("a.example KEY", "[a.example]:2222", false),
                ("[a.example]:2222 KEY", "[a.example]:2222", true),
                ("[a.example]:2222 KEY", "a.example", false),
                ("x,a.example,10.0.0.1 KEY comment here", "a.example", true),
                ("*.example KEY", "a.example", true),
                ("*.example KEY", "example", false),
                ("a?.example KEY", "ab.example", true),
                ("a?.example KEY", "a.example", false),
                ("* KEY", "anything", true),
                ("*a*b*c KEY", "xxaxxbxxc", true),
                ("*a*b*c KEY", "xxaxxbxxcx", false),
                ("*.example,!a.example KEY", "a.example", false),
                ("*.example,!a.example KEY", "b.example", true),
                ("!a.example KEY", "b.example", false),
                ("!a.example,*.example KEY", "a.example", false),
                ("  \ta.example\t KEY", "a.example", true),
                ("# a.example KEY", "a.example", false),
                ("#a.example KEY", "a.example", false),
                ("a.example ssh-ed25519 AAAA", "a.example", false),
                ("a.example", "a.example", false),
                ("a.example KEY\r", "a.example", true),
                ("jump.example/[a.example]:2222 KEY", "jump.example/[a.example]:2222", true),
                ("jump.example/a.example KEY", "a.example", false),
                ("::1 KEY", "::1", true),
                ("[::1]:2222 KEY", "[::1]:2222", true),
            ]
        )
        func `hosts are found exactly where ssh-keygen finds them`(line: String, host: String, isFound: Bool)
            async throws
        {
            let text = line.replacingOccurrences(of: "KEY", with: keys[0].line) + "\n"
            #expect(try KnownHosts(text.utf8).keys(for: Self.pin(host)) == (isFound ? [keys[0]] : []))
            try await KeyTool.withFolder { folder in
                try KeyTool.write(text, to: "\(folder)/k")
                let found = try await KeyTool.run(KeyTool.keygen, ["-lF", host, "-f", "\(folder)/k"], in: folder)
                #expect((found.status == 0) == isFound, "\(found)")
            }
        }

        @Test(.enabled(if: KeyTool.hasKeygen))
        func `a file hashed by ssh-keygen is read, and ssh-keygen reads our hashes`() async throws {
            try await KeyTool.withFolder { folder in
                let path = "\(folder)/k"
                let pins = try ["a.example", "[b.example]:2222", "jump.example/c.example"].map(Self.pin)
                var plain = KnownHosts()
                for (pin, key) in zip(pins, keys) { plain.add(key, for: pin) }
                try KeyTool.write(String(decoding: plain.bytes, as: UTF8.self), to: path)
                #expect(try await KeyTool.run(KeyTool.keygen, ["-H", "-f", path], in: folder).status == 0)
                let hashed = KnownHosts(try KeyTool.bytes(path))
                #expect(!String(decoding: hashed.bytes, as: UTF8.self).contains("example"))
                for (pin, key) in zip(pins, keys) { #expect(hashed.keys(for: pin) == [key]) }

                var ours = KnownHosts()
                for (pin, key) in zip(pins, keys) { ours.add(key, for: pin, isHashed: true) }
                #expect(!String(decoding: ours.bytes, as: UTF8.self).contains("example"))
                try KeyTool.write(String(decoding: ours.bytes, as: UTF8.self), to: path)
                for (pin, key) in zip(pins, keys) {
                    let found = try await KeyTool.run(KeyTool.keygen, ["-F", pin.id, "-l", "-f", path], in: folder)
                    #expect(found.status == 0 && found.output.contains(key.fingerprint), "\(found)")
                }
                let removed = try await KeyTool.run(KeyTool.keygen, ["-R", pins[1].id, "-f", path], in: folder)
                #expect(removed.status == 0, "\(removed.errors)")
                let rest = KnownHosts(try KeyTool.bytes(path))
                #expect(pins.map { rest.keys(for: $0).count } == [1, 0, 1])
            }
        }

        @Test func `a pinned host is judged by all its lines`() throws {
            let text = """
                a.example \(keys[0].line)
                *.example \(keys[1].line)
                @revoked a.example \(keys[2].line)
                @cert-authority *.example \(keys[3].line)
                """
            let hosts = KnownHosts(text.utf8)
            let a = try Self.pin("a.example")
            #expect(hosts.verdict(on: keys[0], for: a) == .trusted)
            #expect(hosts.verdict(on: keys[1], for: a) == .trusted)
            #expect(hosts.verdict(on: keys[2], for: a) == .revoked)
            #expect(hosts.verdict(on: keys[3], for: a) == .mismatch(expected: [keys[0], keys[1]]))
            #expect(hosts.verdict(on: keys[3], for: try Self.pin("other")) == .unknown)
            #expect(hosts.verdict(on: keys[2], for: try Self.pin("b.example")) == .mismatch(expected: [keys[1]]))
        }

        @Test func `a revoked key stays revoked where the same line trusts it`() throws {
            let hosts = KnownHosts("a \(keys[0].line)\n@revoked * \(keys[0].line)\n".utf8)
            #expect(hosts.verdict(on: keys[0], for: try Self.pin("a")) == .revoked)
        }

        @Test func `a change keeps every other byte`() throws {
            let strange: [UInt8] =
                Array("# note\r\n\r\n\nbroken line\nhost 1024 35 1234567\n@other x \(keys[0].line)\n".utf8)
                + [0xFF, 0xFE, 0x20, 0x00, 0x0A]
                + Array("x,a.example,y \(keys[0].line) note\r\n  b \(keys[1].line)".utf8)
            var hosts = KnownHosts(strange)
            #expect(hosts.bytes == strange)
            #expect(!hosts.remove(try Self.pin("nobody")))
            #expect(hosts.bytes == strange)
            hosts.add(keys[2], for: try Self.pin("new"))
            #expect(hosts.bytes == strange + Array("\nnew \(keys[2].line)\n".utf8))
            #expect(hosts.remove(try Self.pin("a.example")))
            #expect(hosts.remove(try Self.pin("new")))
            let expected = String(decoding: strange, as: UTF8.self).replacingOccurrences(
                of: "x,a.example,y",
                with: "x,y"
            )
            #expect(String(decoding: hosts.bytes, as: UTF8.self) == expected + "\n")
        }

        @Test(.enabled(if: KeyTool.hasKeygen))
        func `removing one host leaves the others of its line and its pattern, as OpenSSH reads them`() async throws {
            let text = """
                a.example,b.example \(keys[0].line)
                *.example \(keys[1].line)
                !c.example \(keys[2].line)
                @revoked a.example \(keys[3].line)

                """
            var hosts = KnownHosts(text.utf8)
            let a = try Self.pin("a.example")
            hosts.remove(a)
            #expect(hosts.verdict(on: keys[0], for: a) == .unknown)
            #expect(hosts.verdict(on: keys[3], for: a) == .revoked)
            #expect(hosts.keys(for: try Self.pin("b.example")) == [keys[0], keys[1]])
            #expect(hosts.keys(for: try Self.pin("d.example")) == [keys[1]])
            try await KeyTool.withFolder { folder in
                try KeyTool.write(String(decoding: hosts.bytes, as: UTF8.self), to: "\(folder)/k")
                for (host, count) in [("a.example", 1), ("b.example", 2), ("d.example", 1)] {
                    let found = try await KeyTool.run(
                        KeyTool.keygen,
                        ["-F", host, "-l", "-f", "\(folder)/k"],
                        in: folder
                    )
                    #expect(
                        found.output.split(separator: "\n").filter { !$0.hasPrefix("#") }.count == count,
                        "\(found)"
                    )
                }
            }
        }

        @Test func `a hostile pattern does not hang`() throws {
            let pattern = String(repeating: "*a", count: 200) + "b"
            let host = String(repeating: "a", count: 250)
            #expect(KnownHosts("\(pattern) \(keys[0].line)\n".utf8).keys(for: try Self.pin(host)).isEmpty)
        }

        @Test func `a file cut off anywhere is read, and a key is never taken for another`() throws {
            let text = Array("a \(keys[0].line)\n@revoked b \(keys[1].line)\n".utf8)
            let a = try Self.pin("a")
            for length in text.indices {
                let found = KnownHosts(text[..<length]).keys(for: a)
                #expect(found == [keys[0]] || found.isEmpty)
            }
        }
    }
}
