// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct HostTesterTests {
        private let profiles = HostProfiles(
            settings: RiffSettings(InMemoryKeyValueStore()),
            secrets: InMemorySecretStore()
        )

        private func profile(port: Int) throws -> HostProfile {
            HostProfile(
                address: try HostAddress("127.0.0.1", port: port),
                user: "me",
                keyID: try RiffIdentifier("key")
            )
        }

        @Test func `the tester over SSH keeps the rules`() async throws {
            try await LoopbackPort.withRefusing { port in
                let tester = SSHHostTester(profiles: profiles, trust: .firstUse(InMemoryHostKeyStore()))
                try await HostTesterConformance(of: try profile(port: port)) { tester }.runAll()
            }
        }

        @Test func `a cancelled test of a host that says nothing ends at once`() async throws {
            try await GreetingServer.with([], closes: false) { port in
                let tester = SSHHostTester(profiles: profiles, trust: .firstUse(InMemoryHostKeyStore()))
                let profile = try profile(port: port)
                let progress = StateSource(HostReadiness())
                let test = Task { try await tester.test(profile, key: .makeEd25519(), progress: progress) }
                for await step in progress.updates() where step[.key]?.isSatisfied == true { break }
                test.cancel()
                await #expect(throws: CancellationError.self) { try await test.value }
            }
        }

        @Test func `the scripted tester keeps the rules, and answers in order`() async throws {
            let problem = CoreError(.invalidHost, "no")
            let profile = try profile(port: 22)
            try await HostTesterConformance(of: profile) { ScriptedHostTester([.failed(.network, problem)]) }.runAll()
            let tester = ScriptedHostTester([.throwing(problem)])
            tester.answer(.failed(.tmux, problem), .ready)
            let progress = StateSource(HostReadiness())
            let key = SSHPrivateKey.makeEd25519()
            await #expect(throws: CoreError.self) { try await tester.test(profile, key: key, progress: progress) }
            let failed = try await tester.test(profile, key: key, progress: progress)
            #expect(failed[.tmux]?.problem != nil && failed[.loginShell]?.isSatisfied == true)
            for _ in 1...2 { #expect(try await tester.test(profile, key: key, progress: progress).isReady) }
            #expect(tester.tests.map(\.key) == [key, key, key, key])
        }
    }
}
