// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import TestSupport
import Testing

/// The page of onboarding where a person brings a key, with the tester that apps use.
@Suite(.enabled(if: KeyTool.hasKeygen), .timeLimit(.minutes(1)))
struct KeyImportOverSSHTests {
    private static func make(_ arguments: [String]) async throws -> (pem: Secret, published: SSHPublicKey) {
        try await KeyTool.withFolder { folder in
            let made = try await KeyTool.run(
                KeyTool.keygen,
                ["-q", "-N", "geheim", "-C", "me", "-f", "id"] + arguments,
                in: folder
            )
            try #require(made.status == 0, "\(made.errors)")
            let published = try SSHPublicKey(line: KeyTool.text("\(folder)/id.pub"))
            return (Secret(try KeyTool.bytes("\(folder)/id")), published)
        }
    }

    @Test(arguments: [["-t", "ed25519"], ["-t", "ecdsa", "-m", "PKCS8"]])
    func `a wrong passphrase shows at import, and the right one keeps the key`(arguments: [String]) async throws {
        let (pem, published) = try await Self.make(arguments)
        let profiles = HostProfiles(settings: RiffSettings(InMemoryKeyValueStore()), secrets: InMemorySecretStore())
        let tester = SSHHostTester(profiles: profiles, trust: .firstUse(InMemoryHostKeyStore()))
        let onboarding = try await Onboarding.start(with: profiles, tester: tester)
        for action in [OnboardingMachine.Action.next, .choose(.bring), .importKey(pem, passphrase: Secret("falsch"))] {
            await onboarding.send(action)
        }
        #expect(onboarding.current.step == .keyImport)
        #expect(onboarding.current.problem?.stableCode == "core.passphraseWrong")
        #expect(onboarding.current.publicKey == nil)
        await onboarding.send(.importKey(pem, passphrase: Secret("geheim")))
        #expect(onboarding.current.step == .authorize, "\(String(describing: onboarding.current.problem))")
        #expect(onboarding.current.publicKey == published)
    }

    @Test func `RSA that shows only when it is opened is refused as RSA`() async throws {
        let (pem, _) = try await Self.make(["-t", "rsa", "-b", "2048", "-m", "PKCS8"])
        let profiles = HostProfiles(settings: RiffSettings(InMemoryKeyValueStore()), secrets: InMemorySecretStore())
        let tester = SSHHostTester(profiles: profiles, trust: .firstUse(InMemoryHostKeyStore()))
        let onboarding = try await Onboarding.start(with: profiles, tester: tester)
        for action in [OnboardingMachine.Action.next, .choose(.bring), .importKey(pem, passphrase: Secret("geheim"))] {
            await onboarding.send(action)
        }
        #expect(onboarding.current.problem?.stableCode == "core.rsaKeyRefused")
    }
}
