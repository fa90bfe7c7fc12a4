// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import Testing

/// The presenters over files that others write.
@Suite(.timeLimit(.minutes(2)))
struct HomeLivePauseTests {
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
}
