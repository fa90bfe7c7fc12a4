// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// Host keys and algorithms, against a real sshd.
    @Suite struct SSHTrustTests {
        @Test func `the pinned key's fingerprint is the one ssh-keygen shows`() async throws {
            try await SSHLab.with { lab in
                let host = try lab.host()
                try await host.link.connect()
                let pinned = try await lab.pins.pinnedKeys(for: host.configuration.pin)
                let folder = try #require(lab.server as? ThrowawaySSHServer).folder
                let shown = try await SystemProgram.run("ssh-keygen", ["-lf", "\(folder)/host_ed25519.pub"])
                #expect(shown.output.split(separator: " ").dropFirst().first.map(String.init) == pinned[0].fingerprint)
                #expect(pinned.count == 1)
            }
        }

        @Test func `a changed host key ends the dial before anything of the user is sent, until it is reset`()
            async throws
        {
            var options = ThrowawaySSHServer.Options()
            options.logLevel = "DEBUG1"
            try await SSHLab.with(options) { lab in
                let first = try lab.host()
                try await first.link.connect()
                let old = try await lab.pins.pinnedKeys(for: first.configuration.pin)
                await first.shutdown()
                try await lab.server.restart(replacingHostKeys: true)
                let mark = lab.server.logLineCount
                let second = try lab.host()
                let error = await #expect(throws: CoreError.self) { try await second.link.connect() }
                #expect(error?.code == .hostKeyMismatch)
                #expect(error?.message.contains(old[0].fingerprint) == true)
                #expect(error?.recovery?.kind == .resetHostKey)
                #expect(second.link.current.connection == .disconnected(.failed))
                _ = try await lab.server.waitForLog(containing: "Received disconnect", after: mark)
                let log = lab.server.log.split(separator: "\n").dropFirst(mark).joined(separator: "\n")
                #expect(log.contains("kex:"))
                #expect(!log.contains("userauth-request"))
                #expect(!log.contains("Accepted"))

                try await lab.pins.reset(HostPin(id: try #require(error?.recovery?.detail)))
                try await second.link.connect()
                let new = try await lab.pins.pinnedKeys(for: second.configuration.pin)
                #expect(new.map(\.line) == [try lab.server.hostPublicKeyLine])
                #expect(new != old)
            }
        }

        @Test func `twenty first dials at once pin one key and all connect`() async throws {
            var options = ThrowawaySSHServer.Options()
            options.maxStartups = "100"
            try await SSHLab.with(options) { lab in
                try await withThrowingTaskGroup { group in
                    for _ in 0..<20 {
                        // Twenty key exchanges at once take their time.
                        var configuration = try lab.configuration()
                        configuration.connectTimeout = .seconds(60)
                        configuration.operationTimeout = .seconds(60)
                        let host = lab.host(configuration)
                        group.addTask { try await host.link.connect() }
                    }
                    try await group.waitForAll()
                }
                #expect(try await lab.pins.pinnedKeys(for: try lab.configuration().pin).count == 1)
            }
        }

        @Test func `a server with several host keys shows the one that is pinned`() async throws {
            var options = ThrowawaySSHServer.Options()
            options.hostKeyTypes = ["ed25519", "ecdsa"]
            try await SSHLab.with(options) { lab in
                let lines = try #require(lab.server as? ThrowawaySSHServer).hostPublicKeyLines()
                let pin = try lab.configuration().pin
                try await lab.pins.trust(try SSHPublicKey(line: lines[1]), for: pin)
                try await lab.host().link.connect()
                #expect(try await lab.pins.pinnedKeys(for: pin).map(\.algorithm) == [.ecdsaP256])
            }
        }

        @Test func `a host known by a key of another type asks with both facts, and sends nothing of the user before`()
            async throws
        {
            var options = ThrowawaySSHServer.Options()
            options.hostKeyTypes = ["ecdsa"]
            options.logLevel = "DEBUG1"
            try await SSHLab.with(options) { lab in
                let host = try lab.host()
                let (pin, known) = (host.configuration.pin, try #require(SSHPrivateKey.makeEd25519().publicKey))
                try await lab.pins.trust(known, for: pin)
                let mark = lab.server.logLineCount
                // The lab's policy pins a first key without asking: this is no first one.
                let error = await #expect(throws: CoreError.self) { try await host.link.connect() }
                #expect(error?.code == .hostKeyOfOtherType)
                #expect(error?.message.contains("asked for a key of a known type first, and showed none") == true)
                #expect(host.link.current.connection == .disconnected(.failed))
                _ = try await lab.server.waitForLog(containing: "Received disconnect", after: mark)
                let log = lab.server.log.split(separator: "\n").dropFirst(mark).joined(separator: "\n")
                #expect(log.contains("kex:"))
                #expect(!log.contains("userauth-request"))
                #expect(try await lab.pins.pinnedKeys(for: pin) == [known])

                let offer = try #require(try FurtherHostKeyOffer(error?.recovery))
                #expect(offer.key.line == (try lab.server.hostPublicKeyLine))
                #expect(offer.question.contains(known.fingerprint))
                #expect(offer.question.contains(offer.key.fingerprint))
                try await lab.pins.trust(offer.key, for: offer.pin)
                try await host.link.connect()
            }
        }

        @Test func `a host known by RSA only, with RSA and Ed25519, is asked for RSA first`() async throws {
            var options = ThrowawaySSHServer.Options()
            options.hostKeyTypes = ["ed25519", "rsa"]
            try await SSHLab.with(options) { lab in
                let lines = try #require(lab.server as? ThrowawaySSHServer).hostPublicKeyLines()
                let host = try lab.host()
                try await lab.pins.trust(try SSHPublicKey(line: lines[1]), for: host.configuration.pin)
                let error: CoreError?
                do {
                    try await host.link.connect()
                    error = nil
                } catch let refusal as CoreError {
                    error = refusal
                }
                // libssh2 1.10 knows no RSA host keys with SHA-2: it cannot ask, and says so.
                guard try !lab.engine.capabilities.contains(.signsRSAWithSHA2) else {
                    #expect(error == nil)
                    return
                }
                #expect(error?.code == .hostKeyOfOtherType)
                #expect(error?.message.contains("cannot check keys of the known types") == true)
                try await lab.pins.trust(try SSHPublicKey(line: lines[0]), for: host.configuration.pin)
                try await host.link.connect()
            }
        }

        @Test func `a server with other ciphers only is refused with both lists`() async throws {
            var options = ThrowawaySSHServer.Options()
            options.ciphers = "aes256-gcm@openssh.com,chacha20-poly1305@openssh.com"
            try await SSHLab.with(options) { lab in
                let error = await transportError { try await lab.host().link.connect() }
                // A libssh2 with sound AEAD ciphers simply connects.
                guard try !lab.engine.capabilities.contains(.aead) else {
                    #expect(error == nil)
                    return
                }
                #expect(error?.code == .noCommonAlgorithm)
                #expect(error?.message.contains("aes128-ctr, aes256-ctr") == true)
                #expect(error?.message.contains("aes256-gcm@openssh.com, chacha20-poly1305@openssh.com") == true)
                let name = "\(try lab.configuration().pin)"
                #expect(error?.message.contains(name) == true)
            }
        }

        @Test func `a server with an RSA host key only is refused with both lists`() async throws {
            var options = ThrowawaySSHServer.Options()
            options.hostKeyTypes = ["rsa"]
            try await SSHLab.with(options) { lab in
                let error = await transportError { try await lab.host().link.connect() }
                guard try !lab.engine.capabilities.contains(.signsRSAWithSHA2) else {
                    #expect(error == nil)
                    return
                }
                #expect(error?.code == .noCommonAlgorithm)
                #expect(error?.message.contains("host key") == true)
                #expect(error?.message.contains("ssh-ed25519") == true)
                #expect(error?.message.contains("rsa-sha2-512") == true)
            }
        }

        @Test func `a server that has too many new connections is told apart`() async throws {
            var options = ThrowawaySSHServer.Options()
            options.maxStartups = "1:100:1"
            try await SSHLab.with(options) { lab in
                let idle = try LoopbackClient(port: lab.server.port)
                _ = try await idle.read(8)
                let error = await transportError { try await lab.host().link.connect() }
                #expect(error?.code == .droppedBeforeBanner)
                #expect(error?.recovery == .retry)
            }
        }
    }
}
