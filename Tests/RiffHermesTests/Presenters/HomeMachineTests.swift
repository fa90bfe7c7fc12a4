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
        MemoryFile.Snapshot(
            memory: MemoryFile.Entries(text: text, limit: 20),
            revision: HostFile.Revision(of: Array(text.utf8))
        )
    }

    @Test func `a draft is kept over a reading, and what others wrote is shown`() {
        var machine = MemoryMachine()
        #expect(machine.handle(.load) == [.read] && machine.handle(.load) == [])
        #expect(machine.handle(.loaded(Self.memory("one"))) == [])
        #expect(machine.answer.value?.memory.entries == ["one"] && machine.answer.value?.canSave == false)
        _ = machine.handle(.edit(["one", "two"]))
        #expect(machine.answer.value?.canSave == true && machine.answer.value?.isOverLimit == false)
        #expect(machine.handle(.save) == [.write(["one", "two"], over: Self.memory("one"))])
        #expect(machine.handle(.saveFailed(Self.conflict)) == [.read])
        _ = machine.handle(.loaded(Self.memory("theirs")))
        #expect(
            machine.answer.value?.theirs?.entries == ["theirs"]
                && machine.answer.value?.memory.entries == ["one", "two"]
        )
        #expect(machine.handle(.save) == [])
        _ = machine.handle(.keepMine)
        #expect(machine.handle(.save) == [.write(["one", "two"], over: Self.memory("theirs"))])
        // Typed while it was written.
        _ = machine.handle(.edit(["three"]))
        _ = machine.handle(.saved(Self.memory("one\n§\ntwo")))
        #expect(machine.answer.value?.isChanged == true && machine.answer.value?.memory.entries == ["three"])
        _ = machine.handle(.revert)
        #expect(machine.answer.value?.memory.entries == ["one", "two"] && machine.answer.value?.isChanged == false)
        _ = machine.handle(.edit([String(repeating: "x", count: 21)]))
        #expect(machine.answer.value?.isOverLimit == true)
    }

    @Test func `a failure to save keeps the draft`() {
        var machine = MemoryMachine()
        _ = machine.handle(.load)
        _ = machine.handle(.loaded(Self.memory("one")))
        _ = machine.handle(.edit(["two"]))
        _ = machine.handle(.save)
        #expect(machine.handle(.saveFailed(Self.failure)) == [])
        #expect(
            machine.answer.problem == Self.failure && machine.answer.value?.canSave == true && !machine.answer.isLoading
        )
        #expect(machine.answer.value?.memory.entries == ["two"])
    }

    @Test func `a log view filters what it has, holds still, and is bounded`() {
        var machine = LogsMachine(limit: 3)
        let entry = { (id: UInt64, level: LogEntry.Level) in
            LogEntry(id: id, timestamp: nil, level: level, session: "s\(id)", logger: "agent.x", message: "m\(id)")
        }
        _ = machine.handle(.batch(LogTail.Batch(entries: [entry(0, .info), entry(1, .error)])))
        _ = machine.handle(.filter(LogFilter(minimumLevel: .error)))
        #expect(machine.answer.value?.entries.map(\.id) == [1])
        #expect(machine.answer.value?.counts == [.info: 1, .error: 1] && machine.answer.value?.components == ["agent"])
        _ = machine.handle(.hold(true))
        _ = machine.handle(.batch(LogTail.Batch(entries: [], followsGap: true)))
        _ = machine.handle(.batch(LogTail.Batch(entries: [entry(2, .error), entry(3, .error)])))
        #expect(machine.answer.value?.entries.map(\.id) == [1] && machine.answer.value?.waiting == 2)
        _ = machine.handle(.hold(false))
        #expect(machine.answer.value?.entries.map(\.id) == [1, 2, 3] && machine.answer.value?.gaps == [2])
        _ = machine.handle(.clear)
        #expect(machine.answer.value?.entries.isEmpty == true && machine.answer.value?.counts.isEmpty == true)
    }

    @Test func `a view of health tells what changed`() {
        var machine = HealthMachine()
        #expect(machine.handle(.check) == [.look] && machine.handle(.check) == [])
        _ = machine.handle(.found(HomeHealth(findings: [.init(.config, .well, "x"), .init(.cron, .well, "y")])))
        #expect(machine.answer.value?.state == .well && machine.answer.value?.changed.isEmpty == true)
        _ = machine.handle(.check)
        _ = machine.handle(
            .found(HomeHealth(findings: [.init(.config, .ill, "x", code: "c"), .init(.cron, .well, "y")]))
        )
        #expect(machine.answer.value?.changed == [.config] && machine.answer.value?.cause?.code == "c")
    }

    @Test func `settings are read again after each change`() async throws {
        var machine = SettingsMachine()
        #expect(machine.handle(.set("a", "1")) == [.set("a", "1")] && machine.handle(.set("a", "2")) == [])
        #expect(machine.handle(.wasSet("a")) == [.read])
        _ = machine.handle(.loaded(try await HermesConfig(yaml: "a: 1", revision: .absent)))
        #expect(machine.answer.value?["a"] == 1 && machine.answer.busy.isEmpty && !machine.answer.isLoading)
        #expect(machine.handle(.set("b", nil)) == [.set("b", nil)])
        _ = machine.handle(.failed(Self.failure, key: "b"))
        #expect(machine.answer.problem == Self.failure && machine.answer.busy.isEmpty)
    }
}

struct HomeMachineOrderTests {
    private static let conflict = Problem(DataError(.fileChanged, "changed"))

    private static func jobs(_ text: String) async throws -> CronTable.Snapshot {
        let text = #"{"jobs": [\#(text)]}"#
        return try await HermesHome("/h", on: ScriptedHostSession(files: ["/h/cron/jobs.json": Array(text.utf8)])).cron
            .read()
    }

    @Test func `settings that were set while they were read are read once more`() async throws {
        var machine = SettingsMachine()
        #expect(machine.handle(.load) == [.read])
        #expect(machine.handle(.set("a", "1")) == [.set("a", "1")])
        #expect(machine.handle(.wasSet("a")) == [])
        // This may be from before.
        #expect(machine.handle(.loaded(try await HermesConfig(yaml: "a: 0", revision: .absent))) == [.read])
        #expect(machine.answer.isLoading)
        #expect(machine.handle(.loaded(try await HermesConfig(yaml: "a: 1", revision: .absent))) == [])
        #expect(machine.answer.value?["a"] == 1 && !machine.answer.isLoading)
        _ = machine.handle(.load)
        _ = machine.handle(.set("a", "2"))
        _ = machine.handle(.wasSet("a"))
        #expect(machine.handle(.failed(Self.conflict)) == [.read])
    }

    @Test func `jobs that were read before a change do not undo it`() async throws {
        let old = try await Self.jobs(#"{"id": "a", "enabled": true}, {"id": "b", "enabled": true}"#)
        let new = try await Self.jobs(#"{"id": "a", "enabled": false}, {"id": "b", "enabled": true}"#)
        let newest = try await Self.jobs(#"{"id": "a", "enabled": false}, {"id": "b", "enabled": false}"#)
        var machine = CronMachine()
        _ = machine.handle(.load)
        _ = machine.handle(.loaded(old))
        #expect(machine.handle(.load) == [.read])
        #expect(machine.handle(.setEnabled("a", false)) == [.set("a", isEnabled: false, since: old)])
        #expect(machine.handle(.loaded(new, changed: "a")) == [])
        #expect(machine.handle(.loaded(old)) == [.read])
        #expect(machine.answer.isLoading && machine.answer.value?.first { $0.id == "a" }?.isEnabled == false)
        #expect(machine.handle(.loaded(new)) == [] && !machine.answer.isLoading)
        // Two changes at once may end in any order: what each of them found is shown, and then read.
        _ = machine.handle(.setEnabled("b", false))
        _ = machine.handle(.setEnabled("a", true))
        #expect(machine.handle(.loaded(newest, changed: "b")) == [])
        #expect(machine.handle(.loaded(new, changed: "a")) == [.read])
        #expect(machine.handle(.loaded(newest)) == [])
        #expect(machine.answer.value?.allSatisfy { !$0.isEnabled } == true && machine.answer.busy.isEmpty)
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
        _ = machine.handle(.batch(LogTail.Batch(entries: Array(entries.prefix(3)))))
        #expect(machine.answer.value?.entries.map(\.id) == [0, 1, 2])
        _ = machine.handle(.batch(LogTail.Batch(entries: [entries[3]])))
        #expect(machine.answer.value?.entries.map(\.id) == [1, 2, 3])
        // The newest is shown in any case.
        _ = machine.handle(.batch(LogTail.Batch(entries: [entries[4], entries[5]])))
        #expect(machine.answer.value?.entries.map(\.id) == [5])
        _ = machine.handle(.batch(LogTail.Batch(entries: Array(entries[6...9]))))
        #expect(machine.answer.value?.entries.map(\.id) == [7, 8, 9])
    }
}
