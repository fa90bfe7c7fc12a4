// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import TestSupport
import Testing

struct RiffSettingsTests {
    @Test func `names, groups and defaults are those of every release`() {
        let lines = SettingsSchema.all.map {
            "\($0.group.rawValue) \($0.name.rawValue) = \"\($0.defaultText)\"\($0.isInternal ? " internal" : "")"
        }
        #expect(
            lines == [
                #"connection riff.ssh.host = """#,
                #"connection riff.ssh.port = "22""#,
                #"connection riff.ssh.user = """#,
                #"connection riff.ssh.managementTimeout = "9" internal"#,
                #"connection riff.onboarding.completed = "false" internal"#,
                #"voice riff.voice.autoSubmit = "false""#,
                #"voice riff.voice.narrate = "false""#,
                #"session riff.ssh.harness = "claude""#,
                #"session riff.ssh.startDir = "$HOME""#,
                #"session riff.ssh.recentStartDirs = "" internal"#,
                #"session lastActiveSessionName = "" internal"#,
                #"claude riff.claude.skipPermissions = "false""#,
                #"claude riff.claude.worktree = "false""#,
                #"claude riff.claude.effort = "max""#,
                #"claude riff.claude.contextTokens = "200000""#,
            ]
        )
        #expect(SettingsSchema.rows(of: .connection).map(\.name) == [.host, .port, .user])
        #expect(SettingsSchema.all.allSatisfy { $0.isReadable($0.defaultText) })
    }

    @Test func `a store with nothing in it has the defaults`() async throws {
        let settings = RiffSettings(InMemoryKeyValueStore())
        let snapshot = try await settings.snapshot()
        #expect(snapshot == SettingsSnapshot())
        #expect(snapshot[.harness] == .claude)
        #expect(snapshot[.startDirectory] == .home)
        #expect(snapshot[.managementTimeout] == .seconds(9))
        #expect(snapshot[.contextTokens] == 200_000)
        #expect(snapshot[.effort] == "max")
        #expect(!snapshot[.worktree] && !snapshot[.autoSubmit] && !snapshot[.narrate] && !snapshot[.skipPermissions])
        #expect(snapshot[.lastActiveSession] == nil)
        #expect(snapshot.problems.isEmpty)
    }

    @Test func `two writers share one store, and the last one wins on both surfaces`() async throws {
        let store = InMemoryKeyValueStore()
        let (page, sheet) = (RiffSettings(store), RiffSettings(store))
        try await page.set(.custom("codex"), for: .harness)
        try await sheet.set(try StartDirectory("~/work"), for: .startDirectory)
        try await sheet.set(.custom("aider --model x"), for: .harness)
        for settings in [page, sheet] {
            #expect(try await settings.value(of: .harness) == .custom("aider --model x"))
            #expect(try await settings.value(of: .startDirectory).rawValue == "~/work")
        }
        try await page.set(.claude, for: .harness)
        #expect(try await sheet.value(of: .harness) == .claude)
        #expect(try await store.value(for: "riff.ssh.harness") == "claude")
    }

    @Test func `a follower is told of each change, and of those by others when it looks`() async throws {
        let store = InMemoryKeyValueStore()
        let settings = RiffSettings(store)
        try await store.set("codex", for: "riff.ssh.harness")
        var updates = try await settings.updates().makeAsyncIterator()
        #expect(await updates.next()?[.harness] == .custom("codex"))
        try await settings.set(true, for: .worktree)
        #expect(await updates.next()?[.worktree] == true)
        try await store.set("true", for: "riff.voice.narrate")
        try await settings.refresh()
        let last = await updates.next()
        #expect(last?[.narrate] == true && last?[.worktree] == true)
        // Nothing changed: nothing is told.
        try await settings.refresh()
        try await settings.reset(.worktree)
        #expect(await updates.next()?[.worktree] == false)
        #expect(try await store.value(for: "riff.claude.worktree") == nil)
    }

    @Test func `changes at once end with what the store has`() async throws {
        let settings = RiffSettings(InMemoryKeyValueStore())
        var updates = try await settings.updates().makeAsyncIterator()
        try await withThrowingTaskGroup { group in
            for number in 1...50 { group.addTask { try await settings.set(number, for: .port) } }
            try await group.waitForAll()
        }
        let stored = try await settings.value(of: .port)
        // The newest 64 are kept, and there were no more.
        try await settings.set("end", for: .host)
        while let snapshot = await updates.next() {
            guard snapshot[.host] == "end" else { continue }
            #expect(snapshot[.port] == stored)
            break
        }
    }

    @Test(arguments: [
        ("riff.ssh.port", "0"), ("riff.ssh.port", "ssh"), ("riff.claude.worktree", "maybe"),
        ("riff.ssh.managementTimeout", "-1"), ("riff.claude.contextTokens", "many"), ("riff.ssh.startDir", "~root"),
    ])
    func `what cannot be read has its default, and is told`(key: String, text: String) async throws {
        let settings = RiffSettings(InMemoryKeyValueStore([key: text]))
        let snapshot = try await settings.snapshot()
        #expect(snapshot.problems.map(\.code) == [.invalidSetting])
        #expect(snapshot.problems.first?.recovery == .openSettings(SettingName(rawValue: key)))
        #expect(snapshot[.port] == 22 && snapshot[.worktree] == false && snapshot[.managementTimeout] == .seconds(9))
        #expect(snapshot[.contextTokens] == 200_000 && snapshot[.startDirectory] == .home)
        // Settings that can be read are not affected.
        #expect(try await settings.value(of: .effort) == "max")
    }

    @Test func `a value is read as it was written, whatever its type`() async throws {
        let settings = RiffSettings(InMemoryKeyValueStore())
        try await settings.set(.milliseconds(4500), for: .managementTimeout)
        #expect(try await settings.value(of: .managementTimeout) == .milliseconds(4500))
        try await settings.set(nil, for: .contextTokens)
        #expect(try await settings.value(of: .contextTokens) == nil)
        for text in ["~/c", "/a b"] { try await settings.record(StartDirectory(text)) }
        #expect(try await settings.value(of: .recentStartDirectories).text == "/a b\n~/c")
        try await settings.set(try SessionName("riff-3"), for: .lastActiveSession)
        #expect(try await settings.value(of: .lastActiveSession)?.rawValue == "riff-3")
        try await settings.set(nil, for: .lastActiveSession)
        #expect(try await settings.value(of: .lastActiveSession) == nil)
        for text in ["1", "YES", "true"] {
            #expect(SettingsSnapshot(texts: ["riff.voice.narrate": text])[.narrate])
        }
    }

    @Test func `a value that could not be read back is refused`() async throws {
        let settings = RiffSettings(InMemoryKeyValueStore())
        await #expect(throws: CoreError.self) { try await settings.set(0, for: .port) }
        await #expect(throws: CoreError.self) { try await settings.set(0, for: .contextTokens) }
        #expect(try await settings.snapshot() == SettingsSnapshot())
    }

    @Test func `a store that fails is not taken for an empty one`() async throws {
        let settings = RiffSettings(BrokenSettings())
        await #expect(throws: CoreError.self) { try await settings.snapshot() }
        await #expect(throws: CoreError.self) { try await settings.value(of: .harness) }
        await #expect(throws: CoreError.self) { try await settings.set(true, for: .narrate) }
        await #expect(throws: CoreError.self) { try await settings.updates() }
    }
}
