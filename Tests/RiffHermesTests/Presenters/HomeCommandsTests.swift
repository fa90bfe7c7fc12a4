// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHermes
import RiffTesting
import Testing

/// What becomes of commands, by the rules alone.
struct HomeCommandsTests {
    private static let conflict = Problem(DataError(.fileChanged, "changed"))
    private static let failure = Problem(DataError(.fileLocked, "locked"))

    private static let projects = HomeFixtures.projects
    private static let jobs = HomeFixtures.jobs

    @Test func `the failure of a change of a job stays until the next command, whatever is read`() async throws {
        let jobs = try await Self.jobs()
        for next in [CronMachine.Event.load, .setEnabled("a", false), .remove("a")] {
            var machine = CronMachine()
            _ = machine.handle(.load)
            _ = machine.handle(.loaded(jobs))
            _ = machine.handle(.setEnabled("a", false))
            #expect(machine.handle(.failed(Self.conflict, job: "a")) == [.read])
            _ = machine.handle(.failed(Self.failure))
            #expect(machine.answer.problem == Self.conflict)
            _ = machine.handle(.loaded(jobs))
            #expect(machine.answer.problem == Self.conflict)
            machine.note(next)
            #expect(machine.answer.problem == nil)
        }
    }

    @Test func `the failure of a change of a project stays until the next command, whatever is read`() async throws {
        let projects = try await Self.projects()
        for next in [ProjectsMachine.Event.load, .rename("P", to: "Q"), .remove("P")] {
            var machine = ProjectsMachine()
            _ = machine.handle(.load)
            _ = machine.handle(.loaded(projects))
            _ = machine.handle(.rename("P", to: "Q"))
            #expect(machine.handle(.failed(Self.conflict)) == [.read])
            _ = machine.handle(.loaded(projects))
            #expect(machine.answer.problem == Self.conflict && !machine.answer.isLoading)
            machine.note(.filter(.all))
            #expect(machine.answer.problem == Self.conflict)
            machine.note(next)
            #expect(machine.answer.problem == nil)
            // A reading is not begun again because of its own failure.
            _ = machine.handle(.load)
            #expect(machine.handle(.failed(Self.conflict)) == [])
            #expect(machine.answer.problem == Self.conflict && !machine.answer.isLoading)
        }
    }

    @Test func `the failures of a setting, an installation and a draft stay, too`() async throws {
        var settings = SettingsMachine()
        _ = settings.handle(.set("a", "1"))
        _ = settings.handle(.set("b", "1"))
        _ = settings.handle(.failed(Self.failure, key: "a"))
        #expect(settings.handle(.wasSet("b")) == [.read])
        _ = settings.handle(.loaded(try await HermesConfig(yaml: "b: 1", revision: .absent)))
        #expect(settings.answer.problem == Self.failure)
        settings.note(.set("a", "1"))
        #expect(settings.answer.problem == nil)

        var skills = SkillsMachine()
        _ = skills.handle(.install("x"))
        _ = skills.handle(.failed(Self.failure))
        _ = skills.handle(.load)
        _ = skills.handle(.loaded([]))
        #expect(skills.answer.problem == Self.failure)
        skills.note(.install("x"))
        #expect(skills.answer.problem == nil)

        let file = { (text: String) in
            MemoryFile.Snapshot(
                memory: MemoryFile.Entries(text: text, limit: 20),
                revision: HostFile.Revision(of: Array(text.utf8))
            )
        }
        for (found, problem) in [("theirs", Self.conflict), ("two", nil)] {
            var memory = MemoryMachine()
            _ = memory.handle(.load)
            _ = memory.handle(.loaded(file("one")))
            _ = memory.handle(.edit(["two"]))
            _ = memory.handle(.save)
            #expect(memory.handle(.saveFailed(Self.conflict)) == [.read])
            _ = memory.handle(.loaded(file(found)))
            // A draft that the file has already needs no second attempt.
            #expect(memory.answer.problem == problem)
            _ = memory.handle(.keepMine)
            #expect(memory.answer.problem == nil)
        }
    }

    @Test func `what has to wait for a reading or a command waits, and nothing else does`() async throws {
        var projects = ProjectsMachine()
        let changes: [ProjectsMachine.Event] = [
            .load, .archive("P", true), .rename("P", to: "Q"), .move("P", to: nil), .remove("P"),
        ]
        _ = projects.handle(.load)
        #expect(changes.allSatisfy { !projects.accepts($0) } && projects.accepts(.filter(.all)))
        _ = projects.handle(.loaded(try await Self.projects()))
        #expect(changes.allSatisfy { projects.accepts($0) })

        var memory = MemoryMachine()
        _ = memory.handle(.load)
        #expect(!memory.accepts(.save) && !memory.accepts(.load) && memory.accepts(.edit([])))

        var skills = SkillsMachine()
        _ = skills.handle(.install("x"))
        #expect(!skills.accepts(.install("y")) && !skills.accepts(.load) && skills.accepts(.search("")))

        var settings = SettingsMachine()
        _ = settings.handle(.set("a", "1"))
        #expect(!settings.accepts(.set("a", "2")) && settings.accepts(.set("b", "2")) && settings.accepts(.load))
        #expect(SettingsMachine.replaces(.set("a", "2"), .set("a", "1")))
        #expect(!SettingsMachine.replaces(.set("a", "2"), .set("b", "1")))

        var cron = CronMachine()
        #expect(cron.accepts(.remove("a")))
        _ = cron.handle(.load)
        #expect(!cron.accepts(.remove("a")) && !cron.accepts(.setEnabled("a", true)) && !cron.accepts(.load))
        _ = cron.handle(.loaded(try await Self.jobs()))
        _ = cron.handle(.remove("a"))
        #expect(!cron.accepts(.setEnabled("a", true)) && cron.accepts(.setEnabled("b", true)) && cron.accepts(.load))

        var health = HealthMachine()
        _ = health.handle(.check)
        #expect(!health.accepts(.check))
    }
}

/// What files of a home have.
enum HomeFixtures {
    static func projects() async throws -> ProjectRegistry.Snapshot {
        let text = #"{"projects": [{"name": "P", "path": "/p"}]}"#
        let host = ScriptedHostSession(files: ["/h/scarf/projects.json": Array(text.utf8)])
        return try await HermesHome("/h", on: host).projects.read()
    }

    static func jobs() async throws -> CronTable.Snapshot {
        let text = #"{"jobs": [{"id": "a", "enabled": true}, {"id": "b", "enabled": false}]}"#
        let host = ScriptedHostSession(files: ["/h/cron/jobs.json": Array(text.utf8)])
        return try await HermesHome("/h", on: host).cron.read()
    }
}
