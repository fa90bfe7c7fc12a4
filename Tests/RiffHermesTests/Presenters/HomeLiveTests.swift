// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// The presenters over files that others write.
@Suite(.timeLimit(.minutes(2)))
struct HomeLiveTests {
    private static func addSkill(_ name: String, to host: ScriptedHostSession) async throws {
        try await host.makeDirectory("/h/skills/\(name)", permissions: 0o755)
        try await host.write([1], to: "/h/skills/\(name)/SKILL.md", permissions: nil)
    }

    @Test func `skills are read when they are shown, after a pause and by a refresh, and not for another text`()
        async throws
    {
        let host = ScriptedHostSession(files: ["/h/skills/a/SKILL.md": []])
        let live = HermesHome("/h", on: host).skills.live()
        #expect(live.current.value == nil && live.current.question == nil)
        await live.show("")
        try await Self.addSkill("b", to: host)
        await live.show("b")
        #expect(live.current.question == "b" && live.current.value?.categories.isEmpty == true)
        await live.pause()
        #expect(live.current.value != nil)
        await live.show("b")
        #expect(live.current.value?.categories.flatMap(\.skills).map(\.id) == ["b"])
        try await Self.addSkill("c", to: host)
        await live.refresh()
        await live.show("c")
        #expect(live.current.value?.categories.flatMap(\.skills).map(\.id) == ["c"])
        #expect(live.current.problem == nil && !live.current.isLoading)
    }

    @Test func `the answer comes first, then each change`() async throws {
        let host = ScriptedHostSession(files: ["/h/memories/MEMORY.md": Array("one".utf8)])
        let live = HermesHome("/h", on: host).memory(.memory).live()
        var updates = live.updates().makeAsyncIterator()
        #expect(await updates.next()?.value == nil)
        await live.show()
        #expect(await updates.next()?.isLoading == true)
        #expect(await updates.next()?.value?.memory.entries == ["one"])
        await live.edit(["one", "two"])
        let edited = await updates.next()
        #expect(edited?.value?.isChanged == true && edited?.value?.canSave == true)
        await live.revert()
        #expect(live.current.value?.memory.entries == ["one"] && live.current.value?.isChanged == false)
    }

    @Test func `a log that is shown moves, and holds still in a pause`() async {
        let line = { (number: Int) in Array("2026-11-21 03:19:07,420 INFO agent.x: line \(number)\n".utf8) }
        let host = ScriptedHostSession(files: ["/h/logs/agent.log": line(0) + line(1)])
        let log = HermesHome("/h", on: host).log(.agent)
        let live = log.live()
        await live.show(LogFilter(search: "line"))
        let clock = ManualClock()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(throws: CancellationError.self) { try await live.follow(log.tail(clock: clock)) }
            }
            var updates = live.updates().makeAsyncIterator()
            while await updates.next()?.value?.entries.isEmpty == true {}
            #expect(live.current.value?.entries.map(\.message) == ["line 0"])
            await live.pause()
            // The last entry waits for more lines.
            await clock.sleepers(1)
            clock.advance(by: .milliseconds(200))
            while let answer = await updates.next(), answer.value?.waiting == 0 {}
            #expect(live.current.value?.isPaused == true && live.current.value?.entries.count == 1)
            await live.show(LogFilter(search: "line"))
            #expect(live.current.value?.entries.map(\.message) == ["line 0", "line 1"])
            await live.clear()
            #expect(live.current.value?.entries.isEmpty == true)
            group.cancelAll()
        }
    }

    private static let jobs =
        #"{"jobs": [{"id": "a", "name": "A", "enabled": true, "next_run_at": "2"}, {"id": "b", "next_run_at": "1"}]}"#

    @Test func `jobs are listed in the order of their runs, and a failure is shown`() async throws {
        // This host runs no commands, so that no lock can be taken.
        let host = ScriptedHostSession(files: ["/h/cron/jobs.json": Array(Self.jobs.utf8)])
        let live = HermesHome("/h", on: host).cron.live { 1_795_392_000 }
        await live.show()
        #expect(live.current.value?.map(\.id) == ["b", "a"] && !live.current.isLoading)
        await live.setEnabled(false, "a")
        #expect(live.current.busy.isEmpty && live.current.problem != nil)
        #expect(live.current.value?.count == 2)
    }

    @Test func `projects in groups follow what the person does`() async throws {
        let text = #"{"projects": [{"name": "P", "path": "/p"}, {"name": "Q", "path": "/q", "archived": true}]}"#
        let host = ScriptedHostSession(files: ["/h/scarf/projects.json": Array(text.utf8)])
        let live = HermesHome("/h", on: host).projects.live()
        await live.show(.current)
        #expect(live.current.value?.flatMap(\.projects).map(\.name) == ["P"])
        await live.move("P", to: "Work")
        await live.show(.all)
        #expect(live.current.value?.map(\.id) == ["", "Work"])
        // Somebody else writes: the next change finds it, shows what is there, and says so until the next command.
        try await host.write(Array(text.utf8), to: "/h/scarf/projects.json", permissions: nil)
        await live.remove("P")
        #expect(live.current.value?.map(\.id) == [""] && !live.current.isLoading)
        #expect(live.current.problem?.isConflict == true)
        await live.remove("P")
        #expect(live.current.problem == nil)
        #expect(live.current.value?.flatMap(\.projects).map(\.name) == ["Q"])
    }

    @Test func `skills are found by a text, and news is told`() async throws {
        let host = ScriptedHostSession(files: ["/h/skills/a/SKILL.md": [], "/h/skills/dev/b/SKILL.md": []])
        let live = HermesHome("/h", on: host).skills.live()
        await live.show("")
        #expect(live.current.value?.categories.map(\.id) == ["", "dev"])
        await live.show("B")
        #expect(live.current.value?.categories.flatMap(\.skills).map(\.id) == ["dev/b"])
        try await host.write([1], to: "/h/skills/a/SKILL.md", permissions: nil)
        await live.refresh()
        #expect(live.current.value?.news == "1 updated")
    }

    @Test func `memory is measured by the limits of the configuration`() async throws {
        let text = Array(String(repeating: "x", count: 2500).utf8)
        for (limit, state) in [(3000, HomeHealth.Finding.State.well), (2000, .warning)] {
            let host = ScriptedHostSession(files: [
                "/h/config.yaml": Array("memory: {memory_char_limit: \(limit)}".utf8), "/h/memories/MEMORY.md": text,
            ]) { _, _ in CommandResult(output: [], exit: .exited(0)) }
            let finding = try await HermesHome("/h", on: host).health().findings.first { $0.id == .memory }
            #expect(finding?.state == state)
            if state == .warning { #expect(finding?.message.contains("2500 characters of 2000") == true) }
        }
    }

    @Test func `the health of a home names what does not work`() async throws {
        let host = ScriptedHostSession(files: [
            "/h/config.yaml": Array("a: [".utf8), "/h/state.db": [1, 2],
            "/h/cron/jobs.json":
                Array(#"{"jobs": [{"id": "a", "last_status": "error"}]}"#.utf8),
        ]) { command, _ in
            // Whether the database may be read is asked of a program, so that this process never opens and closes it.
            guard command.contains("hermes") else {
                return CommandResult(output: [], exit: .exited(command.contains("test -r /h/state.db") ? 1 : 126))
            }
            return CommandResult(output: [], diagnostics: Array("sh: 1: hermes: not found".utf8), exit: .exited(127))
        }
        let health = try await HermesHome("/h", on: host).health()
        let states = Dictionary(uniqueKeysWithValues: health.findings.map { ($0.id, $0.state) })
        #expect(
            states == [.home: .well, .program: .ill, .config: .ill, .database: .ill, .cron: .warning, .memory: .well]
        )
        #expect(health.findings.first { $0.id == .database }?.code == "transport.permissionDenied")
        #expect(health.cause?.code == "transport.programNotFound")
        let none = try await HermesHome("/none", on: host).health()
        #expect(none.cause?.code == "data.homeMissing" && none.state == .ill)
    }
}
