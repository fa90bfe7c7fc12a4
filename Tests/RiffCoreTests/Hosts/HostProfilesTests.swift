// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

struct HostProfilesTests {
    private let store = InMemoryKeyValueStore()
    private let secrets = InMemorySecretStore()
    private var settings: RiffSettings { RiffSettings(store) }
    private var profiles: HostProfiles { HostProfiles(settings: settings, secrets: secrets) }

    private func makeProfile(
        _ name: String = "box",
        user: String = "me",
        of profiles: HostProfiles
    ) async throws -> (HostProfile, SSHPrivateKey) {
        let key = SSHPrivateKey.makeEd25519(comment: name)
        let keyID = try await profiles.addKey(key)
        let profile = HostProfile(address: try HostAddress(name), user: user, keyID: keyID)
        try await profiles.save(profile)
        return (profile, key)
    }

    // MARK: Many hosts

    @Test func `each of many hosts has its own key, in whatever order they came and are asked for`() async throws {
        var made: [(HostProfile, SSHPrivateKey)] = []
        for number in 1...20 { made.append(try await makeProfile("box\(number)", of: profiles)) }
        for (profile, key) in made.shuffled() {
            // As another process would: from the stores alone.
            let again = try #require(try await profiles.profile(profile.id))
            #expect(again == profile)
            #expect(try await profiles.key(of: again) == key)
        }
        #expect(try await profiles.list().profiles == made.map(\.0))
        #expect(Set(made.map(\.0.keyID)).count == 20)
    }

    @Test func `a key left behind by an earlier installation stands in nobody's way`() async throws {
        // The first of the store by any order.
        try await secrets.set(SSHPrivateKey.makeEd25519().pem, for: "riff.key.0000")
        try await secrets.set(SSHPrivateKey.makeEd25519().pem, for: "riff.key.first")
        let (profile, key) = try await makeProfile(of: profiles)
        #expect(try await profiles.key(of: profile) == key)
    }

    @Test func `a host without its key says so, and does not take another's`() async throws {
        let (profile, _) = try await makeProfile(of: profiles)
        _ = try await makeProfile("other", of: profiles)
        try await secrets.remove("riff.key.\(profile.keyID)")
        let error = await #expect(throws: CoreError.self) { try await profiles.key(of: profile) }
        #expect(error?.code == .keyNotFound)
        #expect(error?.recovery == .openSettings(.key))
    }

    @Test func `a removed host takes its key along, unless another uses it`() async throws {
        let (first, _) = try await makeProfile(of: profiles)
        let (second, key) = try await makeProfile("other", of: profiles)
        let twin = HostProfile(address: try HostAddress("twin"), user: "me", keyID: second.keyID)
        try await profiles.save(twin)
        try await profiles.remove(first.id)
        try await profiles.remove(second.id)
        #expect(try await profiles.list().profiles == [twin])
        #expect(try await secrets.secret(for: "riff.key.\(first.keyID)") == nil)
        #expect(try await profiles.key(of: twin) == key)
        try await profiles.remove(twin.id)
        #expect(try await secrets.secret(for: "riff.key.\(twin.keyID)") == nil)
        #expect(try await store.names().filter { $0.hasPrefix("riff.host.") }.isEmpty)
    }

    @Test func `no secret reaches the settings`() async throws {
        let (profile, key) = try await makeProfile(of: profiles)
        try await profiles.activate(profile.id)
        let base64 = String(decoding: key.pem.bytes, as: UTF8.self).split(separator: "\n")[2]
        for name in try await store.names() {
            let text = try await store.value(for: name) ?? ""
            #expect(!text.contains("PRIVATE KEY") && !text.contains(base64))
        }
    }

    // MARK: Reading what others wrote

    @Test func `members of a newer version survive a change by this one`() async throws {
        let text = """
            {"colour":{"dark":[1,2.5,null,true]},"host":"box","key":"k1","label":"Box","port":2222,"user":"me","version":7}
            """
        try await store.set(text, for: "riff.host.a1")
        var profile = try #require(try await profiles.profile(try RiffIdentifier("a1")))
        #expect(profile.address.port == 2222 && profile.label == "Box" && profile.keyID.text == "k1")
        try await profiles.save(profile)
        #expect(try await store.value(for: "riff.host.a1") == text)
        profile.label = "Other"
        try await profiles.save(profile)
        #expect(try await store.value(for: "riff.host.a1") == text.replacing("\"Box\"", with: "\"Other\""))
    }

    @Test func `what an older version did not write has a default`() async throws {
        try await store.set(#"{"host":"Box","user":"me"}"#, for: "riff.host.a1")
        let profile = try #require(try await profiles.profile(try RiffIdentifier("a1")))
        #expect(profile.address.port == 22 && profile.label == "Box" && profile.address.name == "box")
        #expect(profile.keyID.text == "a1" && profile.jump == nil)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"host":"box"}"#, #"{"host":"a b","user":"me"}"#, #"{"host":"box","user":"me","port":0}"#,
        #"{"host":"box","user":"me","port":99999999999}"#, #"{"host":"box","user":"me","key":"../x"}"#,
    ])
    func `a damaged host is told and hides no other`(text: String) async throws {
        let (good, _) = try await makeProfile(of: profiles)
        try await store.set(text, for: "riff.host.bad")
        let listing = try await profiles.list()
        #expect(listing.profiles == [good])
        #expect(listing.problems.map(\.code) == [.invalidHostProfile])
        // It may use any key: none is thrown away.
        try await profiles.discardKey(try RiffIdentifier("other"))
        #expect(try await store.value(for: "riff.host.bad") == text)
        try await profiles.remove(try RiffIdentifier("bad"))
        #expect(try await profiles.list().problems.isEmpty)
    }

    @Test func `a host that the order does not know is shown all the same`() async throws {
        let (first, _) = try await makeProfile("one", of: profiles)
        let (second, _) = try await makeProfile("two", of: profiles)
        try await store.set("\(second.id) gone \(first.id) ../", for: "riff.hosts")
        #expect(try await profiles.list().profiles == [second, first])
        try await store.set(nil, for: "riff.hosts")
        #expect(Set(try await profiles.list().profiles) == [first, second])
    }

    // MARK: The active host

    @Test func `the connection settings are the active host's`() async throws {
        let (first, _) = try await makeProfile("one", of: profiles)
        let (second, _) = try await makeProfile("two", user: "you", of: profiles)
        #expect(try await profiles.active() == nil)
        try await profiles.activate(first.id)
        #expect(try await settings.value(of: .host) == "one")
        // The settings page edits it, and another host is chosen then.
        try await settings.set("eins", for: .host)
        try await settings.set(2222, for: .port)
        #expect(try await profiles.active()?.address == HostAddress("eins", port: 2222))
        try await profiles.activate(second.id)
        #expect(try await settings.value(of: .host) == "two")
        #expect(try await settings.value(of: .port) == 22)
        #expect(try await settings.value(of: .user) == "you")
        #expect(try await profiles.active() == second)
        let edited = try #require(try await profiles.profile(first.id))
        #expect(edited.address == (try HostAddress("eins", port: 2222)))
        #expect(edited.keyID == first.keyID && edited.label == "eins")
        // A change of the active profile shows in the settings.
        var changed = second
        changed.user = "they"
        try await profiles.save(changed)
        #expect(try await settings.value(of: .user) == "they")
        try await profiles.remove(second.id)
        #expect(try await profiles.active() == nil)
        #expect(try await settings.value(of: .host).isEmpty)
    }

    @Test func `settings of a version that knew one host become a profile once`() async throws {
        let store = InMemoryKeyValueStore(["riff.ssh.host": "Box", "riff.ssh.user": " me "])
        let profiles = HostProfiles(settings: RiffSettings(store), secrets: secrets)
        let profile = try #require(try await profiles.active())
        #expect(profile.address.name == "box" && profile.user == "me" && profile.keyID == HostProfiles.firstKey)
        #expect(try await profiles.active() == profile)
        #expect(try await profiles.list().profiles == [profile])
        let key = SSHPrivateKey.makeEd25519()
        try await secrets.set(key.pem, for: "riff.key.first")
        #expect(try await profiles.key(of: profile) == key)
    }

    @Test func `a name that is being edited is an error, and does not keep from choosing another host`() async throws {
        let (first, _) = try await makeProfile("one", of: profiles)
        let (second, _) = try await makeProfile("two", of: profiles)
        try await profiles.activate(first.id)
        try await settings.set("one two", for: .host)
        let error = await #expect(throws: CoreError.self) { try await profiles.active() }
        #expect(error?.code == .invalidHost)
        try await settings.set("", for: .host)
        #expect(try await profiles.active() == first)
        try await settings.set("one two", for: .host)
        try await profiles.activate(second.id)
        #expect(try await profiles.active() == second)
        #expect(try await profiles.profile(first.id) == first)
    }

    @Test func `a host that is gone cannot become active`() async throws {
        let error = await #expect(throws: CoreError.self) { try await profiles.activate(try RiffIdentifier("gone")) }
        #expect(error?.code == .hostProfileNotFound)
    }
}
