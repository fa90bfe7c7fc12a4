// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// Hosts as a person's files name them, against real servers.
    @Suite(.enabled(if: ThrowawaySSHServer.isInstalled), .timeLimit(.minutes(2)))
    struct SSHHostAliasTests {
        @Test func `an alias leads to the host, with the person's key and known_hosts`() async throws {
            try await Self.withServers(1) { place, servers in
                try place.write("known_hosts", "[127.0.0.1]:\(servers[0].port) \(try servers[0].hostPublicKeyLine)\n")
                let host = try await place.host(
                    """
                    Host mac
                      HostName 127.0.0.1
                      Port \(servers[0].port)
                      User \(servers[0].user)
                      IdentityFile \(place.folder)/absent
                      IdentityFile \(place.folder)/key
                    Host *
                      IdentityAgent none
                      UserKnownHostsFile \(place.folder)/known_hosts
                    """
                )
                #expect(try await host.run("echo there").text == "there\n")
                await host.shutdown()
            }
        }

        @Test func `a key that nobody knows is not trusted, and offered to a person`() async throws {
            try await Self.withServers(1) { place, servers in
                let host = try await place.host(Self.section("mac", servers[0], place))
                let error = await #expect(throws: CoreError.self) { try await host.connect() }
                #expect(error?.code == .hostKeyUnknown)
                #expect(try HostKeyOffer(error?.recovery)?.pin.address.port == servers[0].port)
            }
        }

        @Test func `hops are looked up themselves, and known as OpenSSH knows them`() async throws {
            try await Self.withServers(3) { place, servers in
                let known = try servers.map { "[127.0.0.1]:\($0.port) \(try $0.hostPublicKeyLine)\n" }
                try place.write("known_hosts", known[0] + known[1] + "the-mac \(try servers[2].hostPublicKeyLine)\n")
                let host = try await place.host(
                    Self.section("mac", servers[2], place)
                        + "  ProxyJump first,\(servers[1].user)@second\n  HostKeyAlias the-mac\n"
                        + Self.section("first", servers[0], place) + Self.section("second", servers[1], place)
                )
                #expect(try await host.run("echo there").text == "there\n")
                #expect(servers[0].log.contains("Accepted publickey"))
                #expect(servers[1].log.contains("Accepted publickey"))
                await host.shutdown()
            }
        }

        @Test func `an encrypted key is opened with the person's word, and left out without it`() async throws {
            try await Self.withServers(1) { place, servers in
                let file = "\(place.folder)/locked"
                let made = try await SystemProgram.run(
                    "ssh-keygen",
                    ["-q", "-t", "ed25519", "-N", "open sesame", "-f", file]
                )
                try #require(made.status == 0)
                try servers[0].authorize(try String(contentsOfFile: "\(file).pub", encoding: .utf8))
                try place.write("known_hosts", "[127.0.0.1]:\(servers[0].port) \(try servers[0].hostPublicKeyLine)\n")
                let text = Self.section("mac", servers[0], place).replacing("\(place.folder)/key", with: file)
                let host = try await place.host(text) { $0 == file ? Secret("open sesame") : nil }
                #expect(try await host.run("echo there").text == "there\n")
                await host.shutdown()
                let error = await #expect(throws: TransportError.self) { try await place.host(text) }
                #expect(error?.code == .noUsableCredential)
                #expect(error?.message.contains(file) == true)
            }
        }

        @Test func `a way that Riff cannot go is refused before anything is dialed`() async throws {
            try await Self.withServers(0) { place, _ in
                for (text, words) in [
                    ("Host mac\n  ProxyCommand nc %h %C\n", "`ProxyCommand` of mac"),
                    ("Host mac\n  ProxyJump mac\n", "mac -> mac"),
                    ("Host mac\n  IdentityFile ~/.ssh/%C\n", "`IdentityFile ~/.ssh/%C` of mac"),
                    ("Host mac\n  Ciphers aes128-ctr\n", "config, line 2: `Ciphers`"),
                ] {
                    let error = await #expect(throws: (any Error).self, "\(text)") { try await place.host(text) }
                    let message = (error as? any RiffError)?.message ?? ""
                    #expect(message.contains(words), "\(message)")
                }
            }
        }

        @Test(.enabled(if: SystemProgram.path("nc") != nil, "needs nc"))
        func `a ProxyCommand is run, with its tokens, and for the first hop as well`() async throws {
            try await Self.withServers(2) { place, servers in
                let known = try servers.map { "[127.0.0.1]:\($0.port) \(try $0.hostPublicKeyLine)\n" }
                try place.write("known_hosts", known.joined())
                let command = "  ProxyCommand sh -c 'echo %n %h %p %r %% >>\(place.folder)/said; exec nc %h %p'\n"
                let direct = try await place.host(Self.section("mac", servers[0], place) + command)
                #expect(try await direct.run("echo there").text == "there\n")
                await direct.shutdown()
                let behind = try await place.host(
                    Self.section("mac", servers[1], place) + "  ProxyJump first\n"
                        + Self.section("first", servers[0], place) + command
                )
                #expect(try await behind.run("echo there").text == "there\n")
                await behind.shutdown()
                let said = try String(contentsOfFile: "\(place.folder)/said", encoding: .utf8)
                let rest = "127.0.0.1 \(servers[0].port) \(servers[0].user) %\n"
                #expect(said == "mac \(rest)first \(rest)")
            }
        }

        @Test func `a ProxyCommand that fails is quoted, and a name that is no word is not given to a shell`()
            async throws
        {
            try await Self.withServers(1) { place, servers in
                let section = Self.section("mac", servers[0], place)
                let fails = try await place.host(section + "  ProxyCommand sh -c 'echo no way >&2; exit 9'\n")
                let error = await transportError { try await fails.connect() }
                #expect(error?.message.contains("ended with status 9: no way") == true, "\(String(describing: error))")
                await fails.shutdown()
                let file = "\(place.folder)/pwned"
                let evil = section.replacing("User \(servers[0].user)", with: "User $(touch${IFS}\(file))")
                let host = try await place.host(evil + "  ProxyCommand nc %h %p -x %r\n")
                let refused = await transportError { try await host.connect() }
                #expect(refused?.code == .dialerUnusable)
                #expect(!FileManager.default.fileExists(atPath: file))
                await host.shutdown()
            }
        }

        // MARK: Help

        /// A folder with a person's files.
        private struct Place {
            let folder: String

            func write(_ name: String, _ text: String) throws {
                let path = "\(folder)/\(name)"
                try Data(text.utf8).write(to: URL(filePath: path))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            }

            func host(
                _ configuration: String,
                passphrase: @escaping @Sendable (String) async -> Secret? = { _ in nil }
            ) async throws -> SSHHost {
                try write("config", configuration)
                return try await SSHHost(alias: "mac", files: ["\(folder)/config"], passphrase: passphrase)
            }
        }

        private static func section(_ name: String, _ server: ThrowawaySSHServer, _ place: Place) -> String {
            """
            Host \(name)
              HostName 127.0.0.1
              Port \(server.port)
              User \(server.user)
              IdentityFile \(place.folder)/key
              UserKnownHostsFile \(place.folder)/known_hosts
              IdentityAgent none

            """
        }

        private static func withServers(
            _ count: Int,
            _ body: (Place, [ThrowawaySSHServer]) async throws -> Void
        ) async throws {
            let folder = FileManager.default.temporaryDirectory.appending(
                path: "riff-alias-\(UInt32.random(in: .min ... .max))"
            )
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // Cleanup.
            defer { try? FileManager.default.removeItem(at: folder) }
            let place = Place(folder: folder.path(percentEncoded: false))
            let key = SSHPrivateKey.makeEd25519(comment: "test")
            try place.write("key", String(decoding: key.pem.bytes, as: UTF8.self))
            var servers: [ThrowawaySSHServer] = []
            for _ in 0..<count { servers.append(try await ThrowawaySSHServer.start()) }
            do {
                for server in servers { try server.authorize(try #require(key.publicKey).line) }
                try await body(place, servers)
            } catch {
                for server in servers { await server.stop() }
                throw error
            }
            for server in servers { await server.stop() }
        }
    }
}
