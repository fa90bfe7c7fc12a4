// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// Onboarding against real servers, as a person would go through it: what a page shows is really done on the host.
    @Suite(.enabled(if: PreflightTests.isPossible, "needs tmux, bash, zsh, fish and csh"))
    struct OnboardingOverSSHTests {
        /// A device: its stores, and a tester.
        struct Device {
            let settings = RiffSettings(InMemoryKeyValueStore())
            let secrets = InMemorySecretStore()
            let pins = InMemoryHostKeyStore()
            let profiles: HostProfiles
            let tester: SSHHostTester

            init(tmux: TmuxServer) async throws {
                profiles = HostProfiles(settings: settings, secrets: secrets)
                tester = SSHHostTester(profiles: profiles, trust: .firstUse(pins), server: tmux)
                try await settings.set(.custom("sh"), for: .harness)
                // The machine that runs the tests may be busy.
                try await settings.set(.seconds(60), for: .managementTimeout)
            }

            func start() async throws -> Onboarding { try await Onboarding.start(with: profiles, tester: tester) }

            /// The active host, dialed as an app would after its next start: from the stores alone.
            func dial(_ lab: SSHLab) async throws -> SSHHost {
                let stored = HostProfiles(settings: RiffSettings(settings.store), secrets: secrets)
                let profile = try #require(try await stored.active())
                return lab.host(try await SSHHost(profile, of: stored, trust: .onlyKnown(pins)).configuration)
            }
        }

        private static func details(_ lab: SSHLab, port: Int? = nil) -> HostDetails {
            HostDetails(host: lab.server.host, port: "\(port ?? lab.server.port)", user: lab.server.user)
        }

        private static func send(_ actions: OnboardingMachine.Action..., to onboarding: Onboarding) async {
            for action in actions { await onboarding.send(action) }
        }

        @Test func `a key that is not authorized, the command of the page run on the host, and in`() async throws {
            try await HostLab.with { lab in
                let device = try await Device(tmux: lab.tmux)
                let onboarding = try await device.start()
                await Self.send(.next, .choose(.generate), .next, .edit(Self.details(lab.lab)), .next, to: onboarding)
                await Self.send(.connect, to: onboarding)
                #expect(onboarding.current.step == .connect)
                let problem = try #require(onboarding.current.problem)
                #expect(problem.stableCode == "transport.notAuthorized")
                #expect(onboarding.current.readiness?[.hostKey]?.isSatisfied == true)
                let command = try #require(problem.recovery?.detail)
                #expect(problem.recovery?.kind == .authorizeKey && command == onboarding.current.authorizeCommand)

                // A file that somebody wrote by hand, without its last newline.
                let other = try #require(SSHPrivateKey.makeEd25519(comment: "laptop").publicKey)
                let file = "\(lab.home)/.ssh/authorized_keys"
                try other.line.write(toFile: file, atomically: true, encoding: .utf8)
                #expect(try await lab.runOnHost(command, shell: "/usr/bin/fish") == 0)
                let lines = try String(contentsOfFile: file, encoding: .utf8)
                #expect(lines == "\(other.line)\n\(try #require(onboarding.current.publicKey).line)\n")
                for (path, mode) in [(file, 0o600), ("\(lab.home)/.ssh", 0o700)] {
                    let attributes = try FileManager.default.attributesOfItem(atPath: path)
                    #expect(attributes[.posixPermissions] as? Int == mode)
                }

                await Self.send(.connect, to: onboarding)
                #expect(onboarding.current.step == .done, "\(String(describing: onboarding.current.problem))")
                #expect(try await !Onboarding.isNeeded(device.settings))
                #expect(try await device.dial(lab.lab).text(of: "echo in") == "in\n")
            }
        }

        @Test func `a wrong port, a changed host key and a missing harness, one after another`() async throws {
            try await HostLab.with { lab in
                let device = try await Device(tmux: lab.tmux)
                try await device.settings.set(.custom("riff-no-such-agent"), for: .harness)
                let pin = try lab.lab.configuration().pin
                let stranger = try #require(SSHPrivateKey.makeEd25519().publicKey)
                try await device.pins.trust(stranger, for: pin)
                let onboarding = try await device.start()
                await Self.send(.quickSetup, to: onboarding)
                #expect(try await lab.runOnHost(try #require(onboarding.current.authorizeCommand)) == 0)

                try await LoopbackPort.withRefusing { port in
                    let wrong = Self.details(lab.lab, port: port)
                    await Self.send(.next, .edit(wrong), .next, .connect, to: onboarding)
                }
                #expect(onboarding.current.problem?.stableCode == "transport.connectionRefused")
                #expect(onboarding.current.problem?.recovery == .openSettings(.port))
                await Self.send(.back, .edit(Self.details(lab.lab)), .next, .connect, to: onboarding)
                #expect(onboarding.current.problem?.stableCode == "core.hostKeyMismatch")
                let detail = try #require(onboarding.current.problem?.recovery?.detail)
                try await device.pins.reset(try HostPin(id: detail))
                await Self.send(.connect, to: onboarding)
                #expect(onboarding.current.problem?.stableCode == "core.harnessMissing")
                #expect(onboarding.current.readiness?[.tmux]?.isSatisfied == true)
                try await device.settings.set(.custom("sh"), for: .harness)
                await Self.send(.connect, to: onboarding)
                #expect(onboarding.current.step == .done, "\(String(describing: onboarding.current.problem))")
                #expect(try await device.dial(lab.lab).text(of: "echo in") == "in\n")
            }
        }

        @Test func `an encrypted key that the person brings`() async throws {
            try await HostLab.with { lab in
                let path = "\(lab.home)/id"
                let line = ["-q", "-t", "ecdsa", "-N", "correct horse", "-C", "mine", "-f", path]
                #expect(try await SystemProgram.run("ssh-keygen", line).status == 0)
                let pem = Secret(try String(contentsOfFile: path, encoding: .utf8))
                let device = try await Device(tmux: lab.tmux)
                let onboarding = try await device.start()
                await Self.send(.next, .choose(.bring), .importKey(pem, passphrase: nil), to: onboarding)
                #expect(onboarding.current.problem?.stableCode == "core.passphraseNeeded")
                await Self.send(.importKey(pem, passphrase: Secret("wrong")), to: onboarding)
                #expect(onboarding.current.problem?.stableCode == "core.passphraseWrong")
                await Self.send(.importKey(pem, passphrase: Secret("correct horse")), .next, to: onboarding)
                #expect(try await lab.runOnHost(try #require(onboarding.current.authorizeCommand)) == 0)
                await Self.send(.edit(Self.details(lab.lab)), .next, .connect, to: onboarding)
                #expect(onboarding.current.step == .done, "\(String(describing: onboarding.current.problem))")
                #expect(try await device.dial(lab.lab).text(of: "echo in") == "in\n")
            }
        }

        @Test func `two hosts are each dialed with their own key, and so is one behind the other`() async throws {
            try await HostLab.with { first in
                try await HostLab.with { second in
                    let device = try await Device(tmux: first.tmux)
                    for lab in [first, second] {
                        let onboarding = try await device.start()
                        await Self.send(.quickSetup, .next, .edit(Self.details(lab.lab)), .next, to: onboarding)
                        #expect(try await lab.runOnHost(try #require(onboarding.current.authorizeCommand)) == 0)
                        await Self.send(.connect, to: onboarding)
                        #expect(onboarding.current.step == .done, "\(String(describing: onboarding.current.problem))")
                    }
                    let hosts = try await device.profiles.list().profiles
                    #expect(hosts.map(\.address.port) == [first.lab.server.port, second.lab.server.port])
                    // Neither server lets the other's key in, so the right one was used.
                    for (profile, lab) in zip(hosts, [first, second]) {
                        try await device.profiles.activate(profile.id)
                        #expect(try await device.dial(lab.lab).text(of: "echo $HOME") == "\(lab.home)\n")
                        let key = try #require(try await device.profiles.key(of: profile).publicKey)
                        #expect(lab.lab.server.log.contains("Accepted publickey"))
                        #expect(lab.lab.server.log.contains(key.fingerprint))
                    }
                    var behind = hosts[1]
                    behind.jump = hosts[0].id
                    try await device.profiles.save(behind)
                    let pins = device.pins
                    let host = try await SSHHost(behind, of: device.profiles, trust: .firstUse(pins))
                    let readiness = try await second.lab.host(host.configuration).preflight(
                        harness: .custom("sh"),
                        server: first.tmux
                    )
                    #expect(readiness.isReady, "\(readiness.failures)")
                    #expect(readiness[.jumpHost]?.isSatisfied == true)
                    #expect(try await pins.pinnedKeys(for: host.configuration.pin).count == 1)
                    #expect(host.configuration.pin.via == [hosts[0].address])
                    await host.configuration.jump?.shutdown()
                }
            }
        }
    }
}

/// Hosts of profiles, without any server.
struct HostOfProfileTests {
    private let profiles = HostProfiles(settings: RiffSettings(InMemoryKeyValueStore()), secrets: InMemorySecretStore())
    private let trust = HostTrust.firstUse(InMemoryHostKeyStore())

    private func makeProfile(_ id: String, jump: String? = nil) async throws -> HostProfile {
        let profile = HostProfile(
            id: try RiffIdentifier(id),
            address: try HostAddress(id),
            user: id,
            keyID: try await profiles.addKey(.makeEd25519(comment: id)),
            jump: try jump.map { try RiffIdentifier($0) }
        )
        try await profiles.save(profile)
        return profile
    }

    @Test func `each hop of the way has its own address, user and key`() async throws {
        _ = try await makeProfile("outer")
        _ = try await makeProfile("middle", jump: "outer")
        let inner = try await makeProfile("inner", jump: "middle")
        let host = try await SSHHost(inner, of: profiles, trust: trust)
        #expect(host.configuration.pin.id == "outer/middle/inner")
        var configurations = [host.configuration]
        while let jump = configurations.last?.jump?.configuration { configurations.append(jump) }
        #expect(configurations.map(\.user) == ["inner", "middle", "outer"])
        let new = try await SSHHost(inner, of: profiles, key: .makeEd25519(), trust: trust)
        #expect(new.configuration.user == "inner")
    }

    @Test func `a way that leads in a circle, or over a host that is gone, is told`() async throws {
        _ = try await makeProfile("a", jump: "b")
        let circle = try await makeProfile("b", jump: "a")
        let error = await #expect(throws: CoreError.self) { try await SSHHost(circle, of: profiles, trust: trust) }
        #expect(error?.code == .jumpLoop)
        let itself = try await makeProfile("c", jump: "c")
        let loop = await #expect(throws: CoreError.self) { try await SSHHost(itself, of: profiles, trust: trust) }
        #expect(loop?.code == .jumpLoop)
        let lost = try await makeProfile("d", jump: "gone")
        let missing = await #expect(throws: CoreError.self) { try await SSHHost(lost, of: profiles, trust: trust) }
        #expect(missing?.code == .hostProfileNotFound)
        #expect(missing?.message.contains("d is reached") == true)
    }

    @Test(arguments: [
        (TransportError(.hostNotFound, ""), HostCheck.Kind.network), (TransportError(.connectionRefused, ""), .network),
        (TransportError(.unreachable, ""), .network), (TransportError(.droppedBeforeBanner, ""), .server),
        (TransportError(.notSSHServer, ""), .server), (TransportError(.sshProtocol, ""), .server),
        (TransportError(.timeout, ""), .server), (TransportError(.connectionLost, ""), .server),
        (TransportError(.noCommonAlgorithm, ""), .server), (TransportError(.weakAlgorithm, ""), .server),
        (TransportError(.sshUnavailable, ""), .server), (TransportError(.notAuthorized, ""), .authorization),
        (TransportError(.noUsableCredential, ""), .authorization), (TransportError(.keyUnusable, ""), .authorization),
    ])
    func `a failed dial is told at the check that it did not pass`(error: TransportError, kind: HostCheck.Kind) {
        #expect(HostCheck.Kind.failedDial(with: error) == kind)
    }

    @Test(arguments: [CoreError.Code.hostKeyMismatch, .hostKeyRevoked, .hostKeyUnknown, .storeFailed])
    func `the host key's verdict is told at its check`(code: CoreError.Code) {
        #expect(HostCheck.Kind.failedDial(with: CoreError(code, "")) == .hostKey)
    }
}
