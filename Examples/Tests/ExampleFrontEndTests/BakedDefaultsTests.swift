// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleFrontEnd
import RiffCore
import Testing

struct BakedDefaultsTests {
    @Test(arguments: [
        ("", false), (" \n", false), (String(repeating: "0", count: 64), false),
        ("1" + String(repeating: "0", count: 63), true),
        (String(repeating: "0", count: 63) + "a", true), ("secret", true),
    ])
    func `a secret is real unless it is empty or zeros`(secret: String, isReal: Bool) {
        let baked = BakedDefaults(secret: Secret(secret))
        #expect(baked.isRealSecret == isReal)
        #expect(baked.publishingProblems.map(\.code) == (isReal ? [.bakedSecret] : []))
    }

    @Test func `a build with a host is not given to others, and no message holds what it must not tell`() {
        let baked = BakedDefaults(host: "box.example", user: "me", secret: Secret("abcdef"))
        #expect(baked.publishingProblems.map(\.code) == [.bakedSecret, .bakedHost])
        #expect(baked.publishingProblems.allSatisfy { !$0.message.contains("box") && !$0.message.contains("abcdef") })
        #expect(BakedDefaults().publishingProblems.isEmpty)
        #expect(BakedDefaults(host: " ").publishingProblems.isEmpty)
        #expect(!"\(baked)".contains("abcdef"))
    }

    #if DEBUG
    @Test func `a developer's build begins with its host, and onboarding is done`() async throws {
        let settings = RiffSettings(InMemoryKeyValueStore())
        let baked = BakedDefaults(host: "box", user: "me", startDirectory: "~/work")
        #expect(try await settings.seed(baked))
        let snapshot = try await settings.snapshot()
        #expect(snapshot[.host] == "box" && snapshot[.user] == "me" && snapshot[.startDirectory].rawValue == "~/work")
        #expect(try await !Onboarding.isNeeded(settings))
        let active = try await HostProfiles(settings: settings, secrets: InMemorySecretStore()).active()
        #expect(active?.address.name == "box" && active?.user == "me")
    }

    @Test(arguments: [
        (BakedDefaults(), "", ""), (BakedDefaults(host: "box"), "", ""), (BakedDefaults(user: "me"), "", ""),
        (BakedDefaults(host: "box", user: "me"), "mine", ""), (BakedDefaults(host: "box", user: "me"), "", "other"),
    ])
    func `nothing is filled in without both, or over a person's own`(
        baked: BakedDefaults,
        host: String,
        user: String
    ) async throws {
        let settings = RiffSettings(InMemoryKeyValueStore())
        try await settings.set(host, for: .host)
        try await settings.set(user, for: .user)
        let before = try await settings.snapshot()
        #expect(try await !settings.seed(baked))
        #expect(try await settings.snapshot() == before)
        #expect(try await Onboarding.isNeeded(settings))
    }
    #endif
}
