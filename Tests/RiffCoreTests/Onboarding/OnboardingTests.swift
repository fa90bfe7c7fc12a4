// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import TestSupport
import Testing

/// Ways through onboarding, from the first page to the stores, with a tester that answers as it is told.
@Suite(.timeLimit(.minutes(5)))
struct OnboardingTests {
    private let store = InMemoryKeyValueStore()
    private let secrets = InMemorySecretStore()
    private let tester = ScriptedHostTester()
    private let profiles: HostProfiles
    private let details = HostDetails(host: "box", port: "2222", user: "me")

    init() { profiles = HostProfiles(settings: RiffSettings(store), secrets: secrets) }

    private func start(again profile: HostProfile? = nil) async throws -> Onboarding {
        try await Onboarding.start(with: profiles, tester: tester, again: profile)
    }

    private func send(_ actions: OnboardingMachine.Action..., to onboarding: Onboarding) async {
        for action in actions { await onboarding.send(action) }
    }

    /// What must hold after every way that came to its end.
    private func expectStored(_ onboarding: Onboarding, host: String = "box", keys: Int = 1) async throws -> HostProfile
    {
        #expect(onboarding.current.step == .done && !onboarding.current.isBusy && onboarding.current.problem == nil)
        let profile = try #require(try await profiles.active())
        #expect(profile.address.name == host && profile.user == "me")
        #expect(try await profiles.settings.value(of: .host) == host)
        #expect(try await !Onboarding.isNeeded(profiles.settings))
        let key = try await profiles.key(of: profile)
        #expect(key.publicKey == onboarding.current.publicKey)
        // The key that was tested last is the one that stays.
        #expect(tester.tests.last?.key == key)
        #expect(tester.tests.last?.profile.id == profile.id)
        #expect(try await keyCount() == keys)
        return profile
    }

    private func keyCount() async throws -> Int {
        // Keys are counted by asking for every id that was ever made.
        var count = 0
        for id in Set(tester.tests.map(\.profile.keyID)) where try await secrets.secret(for: "riff.key.\(id)") != nil {
            count += 1
        }
        return count
    }

    @Test func `1: a new key, authorized, to the end`() async throws {
        let onboarding = try await start()
        #expect(try await Onboarding.isNeeded(profiles.settings))
        await send(.next, .choose(.generate), to: onboarding)
        #expect(onboarding.current.step == .authorize)
        #expect(onboarding.current.authorizeCommand?.hasPrefix("sh -c ") == true)
        #expect(onboarding.current.publicKey?.algorithm == .ed25519)
        await send(.next, .edit(details), .next, .connect, to: onboarding)
        let profile = try await expectStored(onboarding)
        #expect(profile.address.port == 2222)
        #expect(try await profiles.settings.value(of: .port) == 2222)
        #expect(onboarding.current.readiness?.isReady == true)
    }

    @Test func `2: a text that is no key, then one that is`() async throws {
        let onboarding = try await start()
        await send(.next, .choose(.bring), .importKey(Secret("hello"), passphrase: nil), to: onboarding)
        #expect(onboarding.current.step == .keyImport)
        #expect(onboarding.current.problem?.stableCode == "core.invalidKey")
        let own = SSHPrivateKey.makeEd25519(comment: "mine")
        await send(.importKey(own.pem, passphrase: nil), to: onboarding)
        #expect(onboarding.current.publicKey == own.publicKey)
        await send(.next, .edit(details), .next, .connect, to: onboarding)
        let profile = try await expectStored(onboarding)
        #expect(try await profiles.key(of: profile) == own)
    }

    @Test func `3: mistakes in the form, mended one by one`() async throws {
        let onboarding = try await start()
        await send(.quickSetup, .next, .next, to: onboarding)
        #expect(onboarding.current.step == .details)
        #expect(onboarding.current.invalidFields[.host]?.code == .invalidHost)
        await send(.edit(HostDetails(host: "box", port: "ssh", user: " me ")), .next, to: onboarding)
        #expect(onboarding.current.invalidFields.keys.map(\.self) == [.port])
        await send(.edit(HostDetails(host: " Box ", user: " me ")), .next, .connect, to: onboarding)
        _ = try await expectStored(onboarding)
    }

    @Test func `4: a test that fails, and passes when it is made again`() async throws {
        let onboarding = try await start()
        tester.answer(.failed(.server, CoreError(.invalidKey, "not authorized")), .ready)
        await send(.quickSetup, .next, .edit(details), .next, .connect, to: onboarding)
        #expect(onboarding.current.step == .connect)
        #expect(onboarding.current.problem?.message == "not authorized")
        #expect(try await profiles.list().profiles.isEmpty)
        #expect(try await Onboarding.isNeeded(profiles.settings))
        await send(.connect, to: onboarding)
        _ = try await expectStored(onboarding)
    }

    @Test func `5: a test that fails for a wrong name, which is corrected`() async throws {
        let onboarding = try await start()
        tester.answer(.failed(.server, CoreError(.invalidHost, "no such name")), .ready)
        await send(.quickSetup, .next, .edit(HostDetails(host: "bax", user: "me")), .next, .connect, to: onboarding)
        await send(.back, .edit(details), .next, .connect, to: onboarding)
        _ = try await expectStored(onboarding)
        #expect(tester.tests.map(\.profile.address.name) == ["bax", "box"])
    }

    @Test func `6: from the beginning, with another key; the first one is forgotten`() async throws {
        let onboarding = try await start()
        tester.answer(.failed(.server, CoreError(.invalidKey, "no")), .ready)
        await send(.quickSetup, .next, .edit(details), .next, .connect, to: onboarding)
        let first = onboarding.current.publicKey
        await send(.reset, to: onboarding)
        #expect(onboarding.current.step == .requirements && onboarding.current.publicKey == nil)
        #expect(try await keyCount() == 0)
        await send(.next, .choose(.generate), .next, .edit(details), .next, .connect, to: onboarding)
        _ = try await expectStored(onboarding)
        #expect(onboarding.current.publicKey != first)
    }

    @Test func `7: another key in place of the first, before the test`() async throws {
        let onboarding = try await start()
        await send(.next, .choose(.generate), .back, .choose(.generate), .next, .edit(details), .next, to: onboarding)
        await send(.connect, to: onboarding)
        _ = try await expectStored(onboarding)
    }

    @Test func `8: once more, with the key there is and another name`() async throws {
        let first = try await start()
        await send(.quickSetup, .next, .edit(details), .next, .connect, to: first)
        let before = try await expectStored(first)
        let again = try await Onboarding.again(with: profiles, tester: tester)
        #expect(try await Onboarding.isNeeded(profiles.settings))
        #expect(again.current.details == details && again.current.canKeepKey)
        await send(.next, .choose(.keep), .next, .edit(HostDetails(host: "new", user: "me")), .next, to: again)
        await send(.connect, to: again)
        let after = try await expectStored(again, host: "new")
        #expect(after.id == before.id && after.keyID == before.keyID && after.label == "new")
        #expect(try await profiles.list().profiles.count == 1)
    }

    @Test func `9: once more, with a new key; the old one is forgotten in the end, not before`() async throws {
        let first = try await start()
        await send(.quickSetup, .next, .edit(details), .next, .connect, to: first)
        let before = try await expectStored(first)
        let oldKey = try await profiles.key(of: before)
        let again = try await Onboarding.again(with: profiles, tester: tester)
        tester.answer(.failed(.server, CoreError(.invalidKey, "no")), .ready)
        await send(.next, .choose(.generate), .next, .next, .connect, to: again)
        #expect(again.current.problem != nil)
        // Until the new one works, the host keeps the old one.
        #expect(try await profiles.key(of: try #require(try await profiles.active())) == oldKey)
        await send(.connect, to: again)
        let after = try await expectStored(again)
        #expect(after.keyID != before.keyID)
    }

    @Test func `10: a second host, with a key of its own`() async throws {
        for host in ["one", "two"] {
            let onboarding = try await start()
            await send(.quickSetup, .next, .edit(HostDetails(host: host, user: "me")), .next, .connect, to: onboarding)
            #expect(onboarding.current.step == .done)
        }
        let hosts = try await profiles.list().profiles
        #expect(hosts.map(\.address.name) == ["one", "two"])
        for (host, tested) in zip(hosts, tester.tests) {
            #expect(tested.profile.id == host.id)
            #expect(try await profiles.key(of: host) == tested.key)
        }
        #expect(tester.tests[0].key != tester.tests[1].key)
        #expect(try await profiles.active()?.address.name == "two")
    }

    // MARK: What goes wrong

    @Test func `a test that is left is given up, and its answer counts for nothing`() async throws {
        let onboarding = try await start()
        tester.answer(.waits)
        await send(.quickSetup, .next, .edit(details), .next, to: onboarding)
        let test = Task { await onboarding.send(.connect) }
        for await state in onboarding.updates() where state.readiness?[.network]?.isSatisfied == true { break }
        await send(.back, to: onboarding)
        await test.value
        #expect(onboarding.current.step == .details && !onboarding.current.isBusy && onboarding.current.problem == nil)
        await send(.next, .connect, to: onboarding)
        _ = try await expectStored(onboarding)
    }

    @Test func `a cancelled caller gives the test up, and it can be made again`() async throws {
        let onboarding = try await start()
        tester.answer(.waits)
        await send(.quickSetup, .next, .edit(details), .next, to: onboarding)
        let test = Task { await onboarding.send(.connect) }
        for await state in onboarding.updates() where state.readiness?[.network]?.isSatisfied == true { break }
        test.cancel()
        await test.value
        #expect(onboarding.current.step == .connect && !onboarding.current.isBusy)
        await send(.connect, to: onboarding)
        _ = try await expectStored(onboarding)
    }

    @Test func `a generator, a tester and a store that fail are told, and lose nothing`() async throws {
        struct Strange: Error {}
        let broken = try await Onboarding.start(with: profiles, tester: tester) { throw Strange() }
        await send(.quickSetup, to: broken)
        #expect(broken.current.problem?.stableCode == "core.onboardingFailed")
        #expect(broken.current.problem?.recovery == .retry && broken.current.step == .requirements)

        let onboarding = try await start()
        tester.answer(.throwing(Strange()), .throwing(CoreError(.keyNotFound, "gone")))
        await send(.quickSetup, .next, .edit(details), .next, .connect, to: onboarding)
        #expect(onboarding.current.problem?.stableCode == "core.onboardingFailed")
        await send(.connect, to: onboarding)
        #expect(onboarding.current.problem?.stableCode == "core.keyNotFound")

        let failing = HostProfiles(settings: RiffSettings(BrokenSettings()), secrets: secrets)
        let unlucky = try await Onboarding.start(with: failing, tester: tester)
        await send(.quickSetup, .next, .edit(details), .next, .connect, to: unlucky)
        #expect(unlucky.current.step == .connect && !unlucky.current.isBusy)
        #expect(unlucky.current.problem?.stableCode == "core.storeFailed")
    }

    @Test func `a host whose key is gone can be set up again with a new one`() async throws {
        let first = try await start()
        await send(.quickSetup, .next, .edit(details), .next, .connect, to: first)
        let profile = try await expectStored(first)
        try await secrets.remove("riff.key.\(profile.keyID)")
        let again = try await Onboarding.again(with: profiles, tester: tester)
        #expect(!again.current.canKeepKey && again.current.publicKey == nil)
        await send(.quickSetup, .next, .next, .connect, to: again)
        _ = try await expectStored(again)
    }

    @Test func `the way is the same for who follows the states`() async throws {
        let onboarding = try await start()
        var states = onboarding.updates().makeAsyncIterator()
        var steps = [try #require(await states.next()).step]
        await send(.quickSetup, .next, .edit(details), .next, .connect, to: onboarding)
        while let state = await states.next() {
            if steps.last != state.step { steps.append(state.step) }
            if state.step == .done { break }
        }
        #expect(steps == [.requirements, .authorize, .details, .connect, .done])
    }
}
