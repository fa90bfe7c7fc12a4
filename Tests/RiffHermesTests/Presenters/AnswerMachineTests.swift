// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHermes
import RiffTesting
import Testing

/// A value of so many parts.
private struct Parts: DatabaseAnswer, Equatable {
    var count: Int
    var hasMore = false
    var validUntil: Double?
}

/// The rules of an answer that is kept fresh, as tables: what happens, when, and what is done about it.
struct AnswerMachineTests {
    private typealias Machine = AnswerMachine<String, Parts>
    private typealias Step = (second: Double, event: Machine.Event, effects: [String])

    private static let error = Problem(DataError(.databaseBusy, "busy", recovery: .retry))

    /// Runs a table, and returns the machine after it.
    private func run(_ steps: [Step], _ location: SourceLocation = #_sourceLocation) -> Machine {
        var machine = Machine()
        for (number, step) in steps.enumerated() {
            let effects = machine.handle(step.event, at: .seconds(step.second)).map { effect in
                switch effect {
                case .cancel(let number): "cancel \(number)"
                case .load(let number, let question, .fresh(let old)):
                    "read \(number) \(question)" + (old.map { " anew \($0.count)" } ?? "")
                case .load(let number, let question, .more(let old)): "more \(number) \(question) \(old.count)"
                }
            }
            #expect(effects == step.effects, "step \(number)", sourceLocation: location)
        }
        return machine
    }

    private static let changed = Machine.Event.looked(hasChanged: true, wallTime: 0)
    private static let same = Machine.Event.looked(hasChanged: false, wallTime: 0)

    @Test func `what is asked before there is a database is read once it is open`() {
        let machine = run([
            (0, .asked("a"), []), (0, .wantedMore, []), (1, .opened, ["read 1 a"]),
            (2, .answered(1, Parts(count: 1)), []),
        ])
        let answer = machine.answer
        #expect(answer.question == "a")
        #expect(answer.value == Parts(count: 1))
        #expect(!answer.isLoading && !answer.isStale && answer.problem == nil)
    }

    @Test func `an unchanged database is not read again, a changed one is, and the answer stays meanwhile`() {
        let machine = run([
            (0, .opened, []), (0, .asked("a"), ["read 1 a"]), (0, .answered(1, Parts(count: 1)), []),
            (2, Self.same, []), (4, Self.same, []), (6, Self.changed, ["read 2 a anew 1"]),
        ])
        #expect(machine.answer.value == Parts(count: 1))
        #expect(machine.answer.isStale && machine.answer.isLoading)
    }

    @Test func `another question gives up the first one, whose late answer counts for nothing`() {
        let machine = run([
            (0, .opened, []), (0, .asked("a"), ["read 1 a"]), (1, .asked("b"), ["cancel 1", "read 2 b"]),
            (2, .answered(1, Parts(count: 1)), []), (2, .part(1, Parts(count: 1)), []), (2, .failed(1, Self.error), []),
        ])
        #expect(machine.answer.question == "b")
        #expect(machine.answer.value == nil)
        #expect(machine.answer.problem == nil)
        #expect(machine.answer.isLoading)
    }

    @Test func `the same question again loses nothing and reads nothing`() {
        let machine = run([
            (0, .opened, []), (0, .asked("a"), ["read 1 a"]), (0, .asked("a"), []),
            (0, .answered(1, Parts(count: 1)), []), (1, .asked("a"), []),
        ])
        #expect(machine.answer.value == Parts(count: 1))
    }

    @Test func `a change while it is being read is followed by one more reading`() {
        let machine = run([
            (0, .opened, []), (0, .asked("a"), ["read 1 a"]), (0, Self.changed, []), (0, Self.changed, []),
            (0, .answered(1, Parts(count: 1)), ["read 2 a anew 1"]), (0, .answered(2, Parts(count: 2)), []),
            (1, Self.same, []),
        ])
        #expect(machine.answer.value == Parts(count: 2))
        #expect(!machine.answer.isStale)
    }

    @Test func `a slow reading is not repeated at once, and what is shown says so`() {
        var machine = run([
            (0, .opened, []), (0, .asked("a"), ["read 1 a"]), (1, .answered(1, Parts(count: 1)), []),
            (2, Self.changed, []), (4, Self.changed, []), (5, Self.same, ["read 2 a anew 1"]),
            (6, .answered(2, Parts(count: 2)), []), (7, Self.changed, []),
        ])
        #expect(machine.answer.isStale)
        // A person does not wait for it.
        #expect(machine.handle(.refreshed, at: .seconds(7)).count == 1)
    }

    @Test func `a failure leaves the answer, says why, and is tried again later and later`() {
        var steps: [Step] = [
            (0, .opened, []), (0, .asked("a"), ["read 1 a"]), (0, .answered(1, Parts(count: 1)), []),
            (10, Self.changed, ["read 2 a anew 1"]), (10, .failed(2, Self.error), []),
            (10.5, Self.changed, []), (11, Self.same, ["read 3 a anew 1"]), (11, .failed(3, Self.error), []),
            (12, Self.same, []), (13, Self.same, ["read 4 a anew 1"]), (13, .failed(4, Self.error), []),
            (16, Self.same, []),
        ]
        let failed = run(steps).answer
        #expect(failed.value == Parts(count: 1))
        #expect(failed.problem?.code == "data.databaseBusy")
        #expect(failed.isStale)
        steps += [(17, Self.same, ["read 5 a anew 1"]), (17, .answered(5, Parts(count: 3)), []), (18, Self.same, [])]
        let healed = run(steps).answer
        #expect(healed.problem == nil)
        #expect(healed.value == Parts(count: 3))
        #expect(!healed.isStale)
    }

    @Test func `more is read behind what is there, once for however often it was wanted`() {
        let more = Parts(count: 1, hasMore: true)
        let machine = run([
            (0, .opened, []), (0, .asked("a"), ["read 1 a"]), (0, .wantedMore, []), (0, .answered(1, more), []),
            (0, .wantedMore, ["more 2 a 1"]), (0, .wantedMore, []), (0, .answered(2, Parts(count: 2)), []),
            (0, .wantedMore, []),
        ])
        #expect(machine.answer.value == Parts(count: 2))
    }

    @Test func `more waits for a reading under way, and a change while more is read is not forgotten`() {
        let more = Parts(count: 1, hasMore: true)
        let machine = run([
            (0, .opened, []), (0, .asked("a"), ["read 1 a"]), (0, .answered(1, more), []),
            (1, Self.changed, ["read 2 a anew 1"]), (1, .wantedMore, []), (1, .answered(2, more), ["more 3 a 1"]),
            (1, Self.changed, []), (1, .answered(3, Parts(count: 2)), ["read 4 a anew 2"]),
        ])
        #expect(machine.answer.isStale)
    }

    @Test func `a failure to read more shows, and a reading anew takes it away`() {
        let more = Parts(count: 1, hasMore: true)
        let machine = run([
            (0, .opened, []), (0, .asked("a"), ["read 1 a"]), (0, .answered(1, more), []),
            (0, .wantedMore, ["more 2 a 1"]), (0, .failed(2, Self.error), []), (0.5, Self.same, []),
            (1, Self.same, ["read 3 a anew 1"]), (1, .answered(3, more), []),
        ])
        #expect(machine.answer.problem == nil)
    }

    @Test func `parts show while the rest is read`() {
        let machine = run([
            (0, .opened, []), (0, .asked("a"), ["read 1 a"]), (0, .part(1, Parts(count: 1)), []),
        ])
        #expect(machine.answer.value == Parts(count: 1))
        #expect(machine.answer.isLoading)
    }

    @Test func `what nobody looks at is not read, and is read when somebody looks again`() {
        let machine = run([
            (0, .opened, []), (0, .asked("a"), ["read 1 a"]), (0, .answered(1, Parts(count: 1)), []),
            (1, .paused, []), (2, Self.changed, []), (3, Self.changed, []), (4, .asked("a"), ["read 2 a anew 1"]),
            (4, .paused, ["cancel 2"]), (5, .asked("a"), ["read 3 a anew 1"]),
        ])
        #expect(machine.answer.isStale)
        #expect(machine.answer.value == Parts(count: 1))
    }

    @Test func `a database that cannot be reached says so until it can be`() {
        let steps: [Step] = [
            (0, .opened, []), (0, .asked("a"), ["read 1 a"]), (0, .answered(1, Parts(count: 1)), []),
            (2, .lost(Self.error), []),
        ]
        let lost = run(steps).answer
        #expect(lost.problem != nil)
        #expect(lost.value == Parts(count: 1))
        #expect(run(steps + [(4, Self.same, [])]).answer.problem == nil)
        #expect(run(steps + [(4, .opened, ["read 2 a anew 1"])]).answer.problem == nil)
    }

    @Test func `a database that is opened again is read again, and what was being read is given up`() {
        let machine = run([
            (0, .opened, []), (0, .asked("a"), ["read 1 a"]), (0, .opened, ["cancel 1", "read 2 a"]),
            (0, .failed(1, Self.error), []), (0, .answered(2, Parts(count: 1)), []),
        ])
        #expect(machine.answer.problem == nil)
        #expect(machine.answer.value == Parts(count: 1))
    }

    @Test func `a person who asks during a reading, or looks again, waits for no pause`() {
        let begin: [Step] = [(0, .opened, []), (0, .asked("a"), ["read 1 a"])]
        _ = run(
            begin + [(10, .refreshed, []), (10, .answered(1, Parts(count: 1)), ["read 2 a anew 1"])]
        )
        _ = run(begin + [(1, .refreshed, []), (1, .failed(1, Self.error), ["read 2 a"]), (2, Self.same, [])])
        _ = run(
            begin + [
                (1, .failed(1, Self.error), []), (1.5, .asked("a"), []), (1.5, .paused, []),
                (1.6, .asked("a"), ["read 2 a"]),
            ]
        )
        _ = run(
            begin + [
                (10, .answered(1, Parts(count: 1)), []), (11, .paused, []), (12, Self.changed, []),
                (13, .asked("a"), ["read 2 a anew 1"]),
            ]
        )
        // Nothing was to be read when the person looked again, and what changes then is not asked by a person.
        _ = run(
            begin + [
                (10, .answered(1, Parts(count: 1)), []), (11, .paused, []), (12, .asked("a"), []),
                (13, Self.changed, []),
            ]
        )
    }

    @Test func `a reading that fails while the database cannot be reached does not hide why`() {
        let gone = Problem(DataError(.databaseMissing, "gone"))
        let steps: [Step] = [
            (0, .opened, []), (0, .asked("a"), ["read 1 a"]), (1, .lost(gone), []), (1, .failed(1, Self.error), []),
        ]
        #expect(run(steps).answer.problem == gone)
        #expect(run(steps + [(9, Self.same, ["read 2 a"])]).answer.problem == Self.error)
        #expect(run(steps + [(2, .opened, ["read 2 a"])]).answer.problem == nil)
    }

    @Test func `a look at the database that finds nothing new is told to nobody`() async {
        let runner = AnswerRunner<String, Parts>(clock: ManualClock()) { _, _, _, _ in Parts(count: 1) }
        await runner.open(SteeredReader())
        await runner.show("a")
        var updates = runner.source.updates().makeAsyncIterator()
        while let answer = await updates.next(), answer.value == nil {}
        for _ in 0..<3 { await runner.look(hasChanged: false, wallTime: 0) }
        await runner.lose(Self.error)
        #expect(await updates.next()?.problem == Self.error)
        await runner.end()
        #expect(await updates.next() == nil)
    }

    @Test func `an answer of a day is read again when the day is over`() {
        _ = run([
            (0, .opened, []), (0, .asked("a"), ["read 1 a"]), (0, .answered(1, Parts(count: 1, validUntil: 100)), []),
            (1, .looked(hasChanged: false, wallTime: 99.9), []),
            (2, .looked(hasChanged: false, wallTime: 100), ["read 2 a anew 1"]),
        ])
    }
}
