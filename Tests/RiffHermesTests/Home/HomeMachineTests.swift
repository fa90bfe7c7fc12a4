// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import TestSupport
import Testing

struct HomeMachineTests {
    private static let conflict = Problem(DataError(.fileChanged, "changed"))
    private static let failure = Problem(DataError(.fileLocked, "locked"))

    private static func memory(_ text: String) -> MemoryFile.Snapshot {
        MemoryFile.Snapshot(memory: MemoryEntries(text: text, limit: 20), revision: FileRevision(of: Array(text.utf8)))
    }

    @Test func `a draft is kept over a reading, and what others wrote is shown`() {
        var machine = MemoryMachine()
        #expect(machine.take(.load) == [.read] && machine.take(.load) == [])
        #expect(machine.take(.loaded(Self.memory("one"))) == [])
        #expect(machine.snapshot.draft.entries == ["one"] && !machine.snapshot.canSave)
        _ = machine.take(.edit(["one", "two"]))
        #expect(machine.snapshot.canSave && !machine.snapshot.isOverLimit)
        #expect(machine.take(.save) == [.write(["one", "two"], over: Self.memory("one"))])
        #expect(machine.take(.saveFailed(Self.conflict)) == [.read])
        _ = machine.take(.loaded(Self.memory("theirs")))
        #expect(machine.snapshot.theirs?.entries == ["theirs"] && machine.snapshot.draft.entries == ["one", "two"])
        #expect(machine.take(.save) == [])
        _ = machine.take(.keepMine)
        #expect(machine.take(.save) == [.write(["one", "two"], over: Self.memory("theirs"))])
        // Typed while it was written.
        _ = machine.take(.edit(["three"]))
        _ = machine.take(.saved(Self.memory("one\n§\ntwo")))
        #expect(machine.snapshot.isDirty && machine.snapshot.draft.entries == ["three"])
        _ = machine.take(.revert)
        #expect(machine.snapshot.draft.entries == ["one", "two"] && !machine.snapshot.isDirty)
        _ = machine.take(.edit([String(repeating: "x", count: 21)]))
        #expect(machine.snapshot.isOverLimit)
    }

    @Test func `a failure to save keeps the draft`() {
        var machine = MemoryMachine()
        _ = machine.take(.load)
        _ = machine.take(.loaded(Self.memory("one")))
        _ = machine.take(.edit(["two"]))
        _ = machine.take(.save)
        #expect(machine.take(.saveFailed(Self.failure)) == [])
        #expect(machine.snapshot.problem == Self.failure && machine.snapshot.canSave)
        #expect(machine.snapshot.draft.entries == ["two"])
    }

    @Test func `a log view filters what it has, holds still, and is bounded`() {
        var machine = LogsMachine(limit: 3)
        let entry = { (id: UInt64, level: LogLevel) in
            LogEntry(id: id, timestamp: nil, level: level, session: "s\(id)", logger: "agent.x", message: "m\(id)")
        }
        _ = machine.take(.batch(LogBatch(entries: [entry(0, .info), entry(1, .error)])))
        _ = machine.take(.filter(LogFilter(minimumLevel: .error)))
        #expect(machine.snapshot.entries.map(\.id) == [1])
        #expect(machine.snapshot.counts == [.info: 1, .error: 1] && machine.snapshot.components == ["agent"])
        _ = machine.take(.hold(true))
        _ = machine.take(.batch(LogBatch(entries: [], followsGap: true)))
        _ = machine.take(.batch(LogBatch(entries: [entry(2, .error), entry(3, .error)])))
        #expect(machine.snapshot.entries.map(\.id) == [1] && machine.snapshot.waiting == 2)
        _ = machine.take(.hold(false))
        #expect(machine.snapshot.entries.map(\.id) == [1, 2, 3] && machine.snapshot.gaps == [2])
        _ = machine.take(.clear)
        #expect(machine.snapshot.entries.isEmpty && machine.snapshot.counts.isEmpty)
    }

    @Test func `a view of health tells what changed`() {
        var machine = HealthMachine()
        #expect(machine.take(.check) == [.look] && machine.take(.check) == [])
        _ = machine.take(.found(HomeHealth(findings: [.init(.config, .well, "x"), .init(.cron, .well, "y")])))
        #expect(machine.snapshot.health?.state == .well && machine.snapshot.changed.isEmpty)
        _ = machine.take(.check)
        _ = machine.take(
            .found(HomeHealth(findings: [.init(.config, .ill, "x", code: "c"), .init(.cron, .well, "y")]))
        )
        #expect(machine.snapshot.changed == [.config] && machine.snapshot.health?.cause?.code == "c")
    }

    @Test func `settings are read again after each change`() throws {
        var machine = SettingsMachine()
        #expect(machine.take(.set("a", "1")) == [.set("a", "1")] && machine.take(.set("a", "2")) == [])
        #expect(machine.take(.wasSet("a")) == [.read])
        _ = machine.take(.loaded(try HermesConfig(yaml: "a: 1", revision: .absent)))
        #expect(machine.snapshot.config?["a"] == 1 && machine.snapshot.busy.isEmpty && !machine.snapshot.isLoading)
        #expect(machine.take(.set("b", nil)) == [.set("b", nil)])
        _ = machine.take(.failed(Self.failure, key: "b"))
        #expect(machine.snapshot.problem == Self.failure && machine.snapshot.busy.isEmpty)
    }
}

struct HomeMachineOrderTests {
    private static let conflict = Problem(DataError(.fileChanged, "changed"))

    private static func jobs(_ text: String) async throws -> CronTable.Snapshot {
        let text = #"{"jobs": [\#(text)]}"#
        return try await HermesHome("/h", on: ScriptedHostSession(files: ["/h/cron/jobs.json": Array(text.utf8)])).cron
            .read()
    }

    @Test func `settings that were set while they were read are read once more`() throws {
        var machine = SettingsMachine()
        #expect(machine.take(.load) == [.read])
        #expect(machine.take(.set("a", "1")) == [.set("a", "1")])
        #expect(machine.take(.wasSet("a")) == [])
        // This may be from before.
        #expect(machine.take(.loaded(try HermesConfig(yaml: "a: 0", revision: .absent))) == [.read])
        #expect(machine.snapshot.isLoading)
        #expect(machine.take(.loaded(try HermesConfig(yaml: "a: 1", revision: .absent))) == [])
        #expect(machine.snapshot.config?["a"] == 1 && !machine.snapshot.isLoading)
        _ = machine.take(.load)
        _ = machine.take(.set("a", "2"))
        _ = machine.take(.wasSet("a"))
        #expect(machine.take(.failed(Self.conflict)) == [.read])
    }

    @Test func `jobs that were read before a change do not undo it`() async throws {
        let old = try await Self.jobs(#"{"id": "a", "enabled": true}, {"id": "b", "enabled": true}"#)
        let new = try await Self.jobs(#"{"id": "a", "enabled": false}, {"id": "b", "enabled": true}"#)
        let newest = try await Self.jobs(#"{"id": "a", "enabled": false}, {"id": "b", "enabled": false}"#)
        var machine = CronMachine()
        _ = machine.take(.load)
        _ = machine.take(.loaded(old))
        #expect(machine.take(.load) == [.read])
        #expect(machine.take(.setEnabled("a", false)) == [.set("a", isEnabled: false, since: old)])
        #expect(machine.take(.loaded(new, changed: "a")) == [])
        #expect(machine.take(.loaded(old)) == [.read])
        #expect(machine.snapshot.isLoading && machine.snapshot.jobs.first { $0.id == "a" }?.isEnabled == false)
        #expect(machine.take(.loaded(new)) == [] && !machine.snapshot.isLoading)
        // Two changes at once may end in any order: what each of them found is shown, and then read.
        _ = machine.take(.setEnabled("b", false))
        _ = machine.take(.setEnabled("a", true))
        #expect(machine.take(.loaded(newest, changed: "b")) == [])
        #expect(machine.take(.loaded(new, changed: "a")) == [.read])
        #expect(machine.take(.loaded(newest)) == [])
        #expect(machine.snapshot.jobs.allSatisfy { !$0.isEnabled } && machine.snapshot.busy.isEmpty)
    }

    @Test func `a log view is bounded in bytes, too`() {
        var machine = LogsMachine(limit: 100, limitBytes: 1000)
        let entries = (0..<10).map { id in
            LogEntry(
                id: id,
                timestamp: nil,
                level: .info,
                session: nil,
                logger: nil,
                message: String(repeating: "x", count: id == 5 ? 5000 : 300)
            )
        }
        _ = machine.take(.batch(LogBatch(entries: Array(entries.prefix(3)))))
        #expect(machine.snapshot.entries.map(\.id) == [0, 1, 2])
        _ = machine.take(.batch(LogBatch(entries: [entries[3]])))
        #expect(machine.snapshot.entries.map(\.id) == [1, 2, 3])
        // The newest is shown in any case.
        _ = machine.take(.batch(LogBatch(entries: [entries[4], entries[5]])))
        #expect(machine.snapshot.entries.map(\.id) == [5])
        _ = machine.take(.batch(LogBatch(entries: Array(entries[6...9]))))
        #expect(machine.snapshot.entries.map(\.id) == [7, 8, 9])
    }
}

@Suite(.timeLimit(.minutes(2)))
struct HomeModelTests {
    private static let jobs =
        #"{"jobs": [{"id": "a", "name": "A", "enabled": true, "next_run_at": "2"}, {"id": "b", "next_run_at": "1"}]}"#

    @Test func `jobs are listed in the order of their runs, and a failure is shown`() async throws {
        // This host runs no commands, so that no lock can be taken.
        let host = ScriptedHostSession(files: ["/h/cron/jobs.json": Array(Self.jobs.utf8)])
        let model = HermesHome("/h", on: host).cronModel { "2026-11-23T00:00:00+00:00" }
        await model.send(.load)
        #expect(model.current.jobs.map(\.id) == ["b", "a"] && !model.current.isLoading)
        await model.send(.setEnabled("a", false))
        #expect(model.current.busy.isEmpty && model.current.problem != nil)
        #expect(model.current.jobs.count == 2)
    }

    @Test func `projects in groups follow what the person does`() async throws {
        let text = #"{"projects": [{"name": "P", "path": "/p"}, {"name": "Q", "path": "/q", "archived": true}]}"#
        let host = ScriptedHostSession(files: ["/h/scarf/projects.json": Array(text.utf8)])
        let model = HermesHome("/h", on: host).projectsModel()
        await model.send(.load)
        #expect(model.current.groups.flatMap(\.projects).map(\.name) == ["P"])
        await model.send(.move("P", to: "Work"))
        await model.send(.showArchived(true))
        #expect(model.current.groups.map(\.id) == ["", "Work"])
        // Somebody else writes: the next change finds it, shows what is there, and says so no more.
        try await host.write(Array(text.utf8), to: "/h/scarf/projects.json", permissions: nil)
        await model.send(.remove("P"))
        #expect(model.current.groups.map(\.id) == [""] && !model.current.isBusy)
    }

    @Test func `skills are found by a text, and news is told`() async throws {
        let host = ScriptedHostSession(files: ["/h/skills/a/SKILL.md": [], "/h/skills/dev/b/SKILL.md": []])
        let model = HermesHome("/h", on: host).skillsModel()
        await model.send(.load)
        #expect(model.current.categories.map(\.id) == ["", "dev"])
        await model.send(.search("B"))
        #expect(model.current.categories.flatMap(\.skills).map(\.id) == ["dev/b"])
        try await host.write([1], to: "/h/skills/a/SKILL.md", permissions: nil)
        await model.send(.load)
        #expect(model.current.news == "1 updated")
    }

    @Test func `memory is measured by the limits of the configuration`() async throws {
        let text = Array(String(repeating: "x", count: 2500).utf8)
        for (limit, state) in [(3000, HealthFinding.State.well), (2000, .warning)] {
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
