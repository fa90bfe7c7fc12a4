// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHermes
import RiffTesting
import Testing

/// An effect at work, which ends when the test says so.
private struct Job<Machine: HomeMachine>: Sendable {
    let effect: Machine.Effect
    let end = EventualValue<Machine.Event?>()
}

/// Calls that wait, and calls that are given up.
@Suite(.timeLimit(.minutes(1)))
struct MachineRunnerTests {
    private static let conflict = Problem(DataError(.fileChanged, "changed"))

    private static func made<Machine: HomeMachine>(
        _ machine: Machine
    ) -> (MachineRunner<Machine>, AsyncStream<Job<Machine>>) {
        let (jobs, feed) = AsyncStream<Job<Machine>>.makeStream()
        let runner = MachineRunner(machine) { effect in
            let job = Job<Machine>(effect: effect)
            feed.yield(job)
            return await job.end.value()
        }
        return (runner, jobs)
    }

    @Test func `changes that are asked during a reading are done in order, and each call returns after its own`()
        async throws
    {
        let projects = try await HomeFixtures.projects()
        let (runner, stream) = Self.made(ProjectsMachine())
        var jobs = stream.makeAsyncIterator()
        let loading = Task { await runner.send(.load) }
        let first = await jobs.next()
        #expect(first?.effect == .read)
        var updates = runner.source.updates().makeAsyncIterator()
        _ = await updates.next()
        let renaming = Task {
            await runner.send(.rename("P", to: "Q"))
            return runner.source.current.problem
        }
        // It waits once it is told.
        _ = await updates.next()
        let removing = Task { await runner.send(.remove("P")) }
        _ = await updates.next()
        first?.end.resolve(.loaded(projects))
        await loading.value
        let second = await jobs.next()
        #expect(
            second?.effect == .change("P", name: "Q", group: .keep, isArchived: nil, since: projects)
        )
        second?.end.resolve(.failed(Self.conflict))
        let third = await jobs.next()
        #expect(third?.effect == .read)
        third?.end.resolve(.loaded(projects))
        #expect(await renaming.value == Self.conflict)
        let fourth = await jobs.next()
        #expect(fourth?.effect == .remove("P", since: projects))
        fourth?.end.resolve(.loaded(projects))
        await removing.value
        // The removal was asked before the other failed: nobody has seen that yet.
        #expect(runner.source.current.problem == Self.conflict && !runner.source.current.isLoading)
    }

    @Test func `of the values of a setting that wait the newest is set, and one that is given up is not`() async throws
    {
        let (runner, stream) = Self.made(SettingsMachine())
        var jobs = stream.makeAsyncIterator()
        let config = try await HermesConfig(yaml: "a: 3", revision: .absent)
        let one = Task { await runner.send(.set("a", "1")) }
        let first = await jobs.next()
        #expect(first?.effect == .set("a", "1"))
        var updates = runner.source.updates().makeAsyncIterator()
        _ = await updates.next()
        let two = Task { await runner.send(.set("a", "2")) }
        _ = await updates.next()
        let three = Task { await runner.send(.set("a", "3")) }
        _ = await updates.next()
        first?.end.resolve(.failed(Self.conflict, key: "a"))
        await one.value
        let second = await jobs.next()
        #expect(second?.effect == .set("a", "3"))
        let four = Task { await runner.send(.set("a", "4")) }
        four.cancel()
        await four.value
        second?.end.resolve(.wasSet("a"))
        let third = await jobs.next()
        #expect(third?.effect == .read)
        third?.end.resolve(.loaded(config))
        await two.value
        await three.value
        #expect(runner.source.current.value?["a"] == 3 && runner.source.current.busy.isEmpty)
    }

    @Test func `a view that goes away ends its waiting, not the reading`() async {
        let (runner, stream) = Self.made(HealthMachine())
        var jobs = stream.makeAsyncIterator()
        let showing = Task { await runner.show(nil) }
        let first = await jobs.next()
        showing.cancel()
        await showing.value
        #expect(runner.source.current.isLoading && runner.source.current.problem == nil)
        first?.end.resolve(.found(HomeHealth(findings: [])))
        var updates = runner.source.updates().makeAsyncIterator()
        while let answer = await updates.next(), answer.value == nil {}
        #expect(runner.source.current.problem == nil && !runner.source.current.isLoading)
        // It is there, and is not read again.
        await runner.show(nil)
    }

    @Test func `what is shown without a value is read`() async {
        let (runner, stream) = Self.made(HealthMachine())
        var jobs = stream.makeAsyncIterator()
        for event in [HealthMachine.Event.failed(Self.conflict), .found(HomeHealth(findings: []))] {
            let showing = Task { await runner.show(nil) }
            await jobs.next()?.end.resolve(event)
            await showing.value
        }
        #expect(runner.source.current.value != nil && runner.source.current.problem == nil)
    }

    @Test(arguments: [false, true])
    func `what is wanted anew during a reading is read once more, and the call waits for it`(pauses: Bool) async {
        let (runner, stream) = Self.made(HealthMachine())
        var jobs = stream.makeAsyncIterator()
        let showing = Task { await runner.show(nil) }
        let first = await jobs.next()
        var updates = runner.source.updates().makeAsyncIterator()
        _ = await updates.next()
        if pauses { await runner.pause() }
        let again = Task { if pauses { await runner.show(nil) } else { await runner.refresh() } }
        _ = await updates.next()
        first?.end.resolve(.found(HomeHealth(findings: [])))
        await showing.value
        let second = await jobs.next()
        #expect(runner.source.current.isLoading)
        second?.end.resolve(.found(HomeHealth(findings: [.init(.config, .well, "x")])))
        await again.value
        #expect(runner.source.current.value?.findings.count == 1 && !runner.source.current.isLoading)
    }
}
