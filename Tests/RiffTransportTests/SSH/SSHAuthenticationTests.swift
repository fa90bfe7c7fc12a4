// Riff
// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

extension RealServers {
    /// Keys, passwords, prompts and signers, against a real sshd.
    @Suite struct SSHAuthenticationTests {
        @Test func `a key that is not authorized comes with the command that authorizes it`() async throws {
            let home = "/tmp/riff-home-\(UInt32.random(in: .min ... .max))"
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: home) }  // Cleanup.
            var options = ThrowawaySSHServer.Options()
            options.extraLines = ["AuthorizedKeysFile \(home)/.ssh/authorized_keys"]
            try await SSHLab.with(options) { lab in
                let host = try lab.host()
                let error = await transportError { try await host.link.connect() }
                #expect(error?.code == .notAuthorized)
                #expect(error?.message.contains(try #require(lab.key.publicKey).fingerprint) == true)
                let recovery = try #require(error?.recovery)
                #expect(recovery.kind == .authorizeKey)
                let arguments = ["HOME=\(home)", "sh", "-c", try #require(recovery.detail)]
                #expect(try await SystemProgram.run("env", arguments).status == 0)
                try await host.link.connect()
                #expect(try await host.text(of: "echo in") == "in\n")
            }
        }

        @Test func `a server that has refused enough says so, and the key is still told as not authorized`()
            async throws
        {
            var options = ThrowawaySSHServer.Options()
            options.maxAuthTries = 1
            try await SSHLab.with(options) { lab in
                let others = (0..<2).map { _ in SSHCredential.key(SSHPrivateKey.makeEd25519()) }
                let one = lab.host(try lab.configuration(credentials: [others[0]]))
                let error = await transportError { try await one.link.connect() }
                #expect(error?.code == .notAuthorized)
                #expect(error?.recovery?.kind == .authorizeKey)
                // With more to offer, the server does not listen any more.
                let two = lab.host(try lab.configuration(credentials: others))
                let left = await transportError { try await two.link.connect() }
                // Its last word and the end of the connection come together or one after the other.
                let says = left?.message.contains("Too many authentication failures") == true
                #expect(left?.code == .connectionLost && says || left?.code == .notAuthorized, "\(left?.message ?? "")")
            }
        }

        @Test(arguments: [["-t", "ecdsa", "-b", "256"], ["-t", "ecdsa", "-b", "384"], ["-t", "ecdsa", "-b", "521"]])
        func `an ECDSA key gets in`(arguments: [String]) async throws {
            let pem = try await Self.makeKey(arguments)
            try await Self.expectAccepted(try SSHPrivateKey(pem: pem))
        }

        @Test func `an encrypted key gets in with its passphrase, and is told unusable with another`() async throws {
            let pem = try await Self.makeKey(["-t", "ed25519"], passphrase: "correct horse")
            try await Self.expectAccepted(try SSHPrivateKey(pem: pem, passphrase: Secret("correct horse")))
            try await SSHLab.with { lab in
                let key = try SSHPrivateKey(pem: pem, passphrase: Secret("wrong"))
                try lab.server.authorize(try #require(key.publicKey).line)
                let host = lab.host(try lab.configuration(credentials: [.key(key)]))
                let error = await transportError { try await host.link.connect() }
                #expect(error?.code == .keyUnusable)
                #expect(error?.recovery == .openSettings(.passphrase))
                #expect((error?.cause as? CoreError)?.code == .passphraseWrong)
                #expect(error?.description.contains("wrong horse") == false)
            }
        }

        @Test(arguments: [
            ["-t", "ed25519", "-Z", "aes256-gcm@openssh.com"], ["-t", "ecdsa", "-b", "256", "-m", "PKCS8"],
            ["-t", "ecdsa", "-b", "384", "-m", "PEM"],
        ])
        func `encrypted keys of other forms get in, too`(form: [String]) async throws {
            let (pem, line) = try await Self.makeKeyPair(form, passphrase: "correct horse")
            let key = try SSHPrivateKey(pem: pem, passphrase: Secret("correct horse"))
            try await SSHLab.with { lab in
                try lab.server.authorize(line)
                let host = lab.host(try lab.configuration(credentials: [.key(key)]))
                // The old encryption of PEM files, with MD5, is libssh2's to open alone.
                let engine = try lab.engine.engine
                guard form.last != "PEM" || engine == .libssh2 else {
                    let error = await transportError { try await host.link.connect() }
                    #expect(error?.code == .keyUnusable)
                    #expect(error?.message.contains("ssh-keygen -p") == true)
                    return
                }
                try await host.link.connect()
            }
        }

        @Test func `an RSA key is refused with the reason before anything is dialed`() async throws {
            let key = try SSHPrivateKey(pem: try await Self.makeKey(["-t", "rsa", "-b", "2048"]))
            try await SSHLab.with { lab in
                try lab.server.authorize(try #require(key.publicKey).line)
                let proxy = try await ChaosProxy.start(target: lab.server.port)
                let alone = lab.host(try lab.configuration(port: proxy.port, credentials: [.key(key)]))
                let error = await transportError { try await alone.link.connect() }
                if try !lab.engine.capabilities.contains(.signsRSAWithSHA2) {
                    #expect(error?.code == .keyUnusable)
                    #expect(error?.message.contains("ed25519") == true)
                    #expect(proxy.counters.connections == 0)
                } else {
                    #expect(error == nil)
                }
                // Beside another credential it is merely passed over.
                let both = lab.host(try lab.configuration(credentials: [.key(key), .key(lab.key)]))
                try await both.link.connect()
                await proxy.stop()
            }
        }

        @Test func `a server that takes other methods only says so`() async throws {
            try await SSHLab.with { lab in
                let host = lab.host(try lab.configuration(credentials: [.password(Secret("x"))]))
                let error = await transportError { try await host.link.connect() }
                #expect(error?.code == .noUsableCredential)
                #expect(error?.message.contains("publickey") == true)
            }
        }

        // MARK: Passwords and prompts

        @Test(.enabled("needs Linux, root and openssl") { await ThrowawaySSHServer.canHavePassword() })
        func `a password gets in, and a wrong one is told`() async throws {
            var options = ThrowawaySSHServer.Options()
            options.password = "open sesame"
            options.allowsPasswords = true
            try await SSHLab.with(options) { lab in
                let wrong = lab.host(try lab.configuration(credentials: [.password(Secret("close sesame"))]))
                let error = await transportError { try await wrong.link.connect() }
                #expect(error?.code == .notAuthorized)
                #expect(error?.description.contains("sesame") == false)
                // After a refused key the same connection goes on with the password.
                let other = SSHPrivateKey.makeEd25519()
                let credentials: [SSHCredential] = [.key(other), .password(Secret("open sesame"))]
                let right = lab.host(try lab.configuration(credentials: credentials))
                #expect(try await right.text(of: "echo in") == "in\n")
            }
        }

        @Test(.enabled("needs Linux, root and openssl") { await ThrowawaySSHServer.canHavePassword() })
        func `prompts are answered by a person who takes a while`() async throws {
            try await SSHLab.with(Self.asking) { lab in
                let prompts = Mutex<[SSHPrompt]>([])
                let credential = SSHCredential.keyboardInteractive { asked in
                    prompts.withLock { $0 += asked }
                    try await ContinuousClock().sleep(for: .milliseconds(50))
                    return asked.map { _ in Secret("open sesame") }
                }
                let host = lab.host(try lab.configuration(credentials: [credential]))
                #expect(try await host.text(of: "echo in") == "in\n")
                #expect(prompts.withLock { $0 }.map(\.text) == ["Password: "])
                #expect(prompts.withLock { $0 }.map(\.echoes) == [false])

                // The loop goes on meanwhile, also for the jump host in front.
                let inner = lab.host(try lab.configuration(credentials: [credential], jump: try lab.host()))
                #expect(try await inner.text(of: "echo behind") == "behind\n")

                let refusing = SSHCredential.keyboardInteractive { _ in throw CancellationError() }
                let refused = lab.host(try lab.configuration(credentials: [refusing]))
                let error = await transportError { try await refused.link.connect() }
                #expect(error?.code == .noUsableCredential)
                #expect(error?.cause is CancellationError)
            }
        }

        @Test(.enabled("needs Linux, root and openssl") { await ThrowawaySSHServer.canHavePassword() })
        func `a server that wants a key and then an answer gets both`() async throws {
            var options = Self.asking
            options.extraLines = ["AuthenticationMethods publickey,keyboard-interactive"]
            try await SSHLab.with(options) { lab in
                let answers = SSHCredential.keyboardInteractive { $0.map { _ in Secret("open sesame") } }
                let key = try lab.configuration().credentials
                let host = lab.host(try lab.configuration(credentials: [answers] + key))
                #expect(try await host.text(of: "echo in") == "in\n")
                let half = lab.host(try lab.configuration(credentials: key))
                #expect(await transportError { try await half.link.connect() } != nil)
            }
        }

        @Test(.enabled("needs Linux, root and openssl") { await ThrowawaySSHServer.canHavePassword() })
        func `nobody waits for a person any more once the dial is given up`() async throws {
            try await SSHLab.with(Self.asking) { lab in
                let asked = EventualValue<Void>()
                let credential = SSHCredential.keyboardInteractive { _ in
                    asked.resolve(())
                    try await ManualClock().sleep(for: .seconds(100))
                    return []
                }
                let host = lab.host(try lab.configuration(credentials: [credential]))
                let dial = Task { try await host.link.connect() }
                await asked.value()
                let start = ContinuousClock.now
                await host.shutdown()
                #expect(await dial.result.failure is TransportError)
                #expect(ContinuousClock.now - start < .seconds(20))
            }
        }

        // MARK: Signers

        @Test func `a signer outside gets in, also when it is slow`() async throws {
            try await SSHLab.with { lab in
                let signer = try TestSigner { try await ContinuousClock().sleep(for: .milliseconds(200)) }
                try lab.server.authorize(signer.publicKey.line)
                let host = lab.host(try lab.configuration(credentials: [.signer(signer)]))
                #expect(try await host.text(of: "echo in") == "in\n")
            }
        }

        @Test func `a signer is told the algorithm, and may give a whole blob, but none with more in it`() async throws
        {
            try await SSHLab.with { lab in
                let whole = try TestSigner(form: .blob) {}
                try lab.server.authorize(whole.publicKey.line)
                let host = lab.host(try lab.configuration(credentials: [.signer(whole)]))
                #expect(try await host.text(of: "echo in") == "in\n")
                // As a security token signs: flags and a counter after the signature.
                let token = try TestSigner(form: .token) {}
                try lab.server.authorize(token.publicKey.line)
                let refused = lab.host(try lab.configuration(credentials: [.signer(token)]))
                let error = await transportError { try await refused.link.connect() }
                #expect(error?.code == .keyUnusable)
                #expect(error?.message.contains("security tokens") == true)
            }
        }

        @Test func `a signer that fails is told, with its reason`() async throws {
            try await SSHLab.with { lab in
                let signer = try TestSigner { throw CoreError(.invalidKey, "The sensor is broken.") }
                try lab.server.authorize(signer.publicKey.line)
                let host = lab.host(try lab.configuration(credentials: [.signer(signer)]))
                let error = await transportError { try await host.link.connect() }
                #expect(error?.code == .keyUnusable)
                #expect(error?.message.contains("The sensor is broken.") == true)
            }
        }

        @Test func `a signer is cancelled with the dial`() async throws {
            try await SSHLab.with { lab in
                let (started, ended) = (EventualValue<Void>(), EventualValue<Bool>())
                let signer = try TestSigner {
                    started.resolve(())
                    do { try await ManualClock().sleep(for: .seconds(100)) } catch { ended.resolve(Task.isCancelled) }
                }
                try lab.server.authorize(signer.publicKey.line)
                let host = lab.host(try lab.configuration(credentials: [.signer(signer)]))
                let dial = Task { try await host.link.connect() }
                await started.value()
                await host.shutdown()
                #expect(await ended.value())
                #expect(await dial.result.failure is TransportError)
            }
        }

        // MARK: Tools

        private static var asking: ThrowawaySSHServer.Options {
            var options = ThrowawaySSHServer.Options()
            options.password = "open sesame"
            options.allowsKeyboardInteractive = true
            return options
        }

        private static func expectAccepted(_ key: SSHPrivateKey) async throws {
            try await SSHLab.with { lab in
                try lab.server.authorize(try #require(key.publicKey).line)
                let host = lab.host(try lab.configuration(credentials: [.key(key)]))
                try await host.link.connect()
            }
        }

        private static func makeKey(_ arguments: [String], passphrase: String = "") async throws -> Secret {
            try await makeKeyPair(arguments, passphrase: passphrase).pem
        }

        private static func makeKeyPair(
            _ arguments: [String],
            passphrase: String
        ) async throws -> (pem: Secret, line: String) {
            let path = "/tmp/riff-key-\(UInt32.random(in: .min ... .max))"
            // Cleanup.
            defer { for file in [path, "\(path).pub"] { try? FileManager.default.removeItem(atPath: file) } }
            let result = try await SystemProgram.run("ssh-keygen", ["-q", "-N", passphrase, "-f", path] + arguments)
            #expect(result.status == 0, "\(result.output)")
            let line = try String(contentsOfFile: "\(path).pub", encoding: .utf8)
            return (Secret(try String(contentsOfFile: path, encoding: .utf8)), line.replacing("\n", with: ""))
        }
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}

/// A key that only signs, as an enclave's.
private struct TestSigner: SSHSigner {
    let publicKey: SSHPublicKey
    private let key = Curve25519.Signing.PrivateKey()
    private let before: @Sendable () async throws -> Void

    enum Form { case bytes, blob, token }

    private let form: Form

    init(form: Form = .bytes, before: @escaping @Sendable () async throws -> Void) throws {
        self.before = before
        self.form = form
        var blob = [UInt8]([0, 0, 0, 11]) + Array("ssh-ed25519".utf8) + [0, 0, 0, 32]
        blob += Array(key.publicKey.rawRepresentation)
        publicKey = try SSHPublicKey(blob: blob)
    }

    func sign(_ data: [UInt8]) async throws -> [UInt8] {
        try await before()
        return Array(try key.signature(for: data))
    }

    func signature(for request: SSHSigningRequest) async throws -> SSHSignatureBytes {
        #expect(request.algorithm == "ssh-ed25519")
        let signature = try await sign(request.data)
        guard form != .bytes else { return .bytes(signature) }
        var writer = SSHWireWriter()
        writer.write(text: request.algorithm)
        writer.write(string: signature)
        return .blob(writer.bytes + (form == .token ? [1, 0, 0, 0, 7] : []))
    }
}
