// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting

extension Soak {
    /// Lets people work in all sessions, and somebody else make, end and resize some, while the network does what it
    /// does.
    mutating func work(with fault: Fault) async throws {
        let end = ContinuousClock.now + .milliseconds(Int.random(in: 2_000...6_000, using: &generator))
        let (manager, site, sessions) = (manager, site, sessions)
        let chaos = SeededGenerator(seed: generator.next())
        var deeds = Deeds(manager: manager, generator: SeededGenerator(seed: generator.next()), size: windowSize)
        if Bool.random(using: &generator), let ending = sessions.dropFirst().randomElement(using: &generator) {
            deeds.ending = ending
            deeds.making = newSession()
        }
        let writers = sessions.map { session in
            Writer(session: session, manager: manager, generator: SeededGenerator(seed: generator.next()))
        }
        let done = try await withThrowingTaskGroup(of: Deeds?.self) { [deeds] group in
            for var writer in writers {
                group.addTask {
                    try await writer.run(until: end)
                    return nil
                }
            }
            group.addTask { [chaos] in
                var chaos = chaos
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...2_000, using: &chaos)))
                try await fault.happen(site.proxy, manager, &chaos)
                return nil
            }
            group.addTask {
                var deeds = deeds
                try await deeds.run()
                return deeds
            }
            var done = deeds
            for try await result in group { if let result { done = result } }
            return done
        }
        windowSize = done.size
        doubtful = [done.ending, done.making].compactMap(\.self)
        if fault == .none, done.ending != nil {
            checks.note(
                "sessions are made and ended while the network is sound",
                done.problem == nil,
                done.problem ?? ""
            )
        }
    }
}

/// What is done to all sessions in a round.
struct Deeds: Sendable {
    let manager: SessionManager
    var generator: SeededGenerator
    var size: TerminalSize
    /// A session that is ended, and one that is made, if any.
    var ending: RecordedSession?
    var making: RecordedSession?
    /// Why one of them could not be, as may be on a bad network.
    private(set) var problem: String?

    init(manager: SessionManager, generator: SeededGenerator, size: TerminalSize) {
        self.manager = manager
        self.generator = generator
        self.size = size
    }

    mutating func run() async throws {
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            try await pause()
            size = TerminalSize(
                columns: Int.random(in: 40...160, using: &generator),
                rows: Int.random(in: 10...50, using: &generator)
            )
            await manager.resize(to: size)
            await manager.activate(at: Int.random(in: 0..<8, using: &generator))
        }
        if let name = await ending?.name {
            try await pause()
            await ending?.use(false)
            try await noting { manager in try await manager.close(name) }
        }
        if let making {
            try await pause()
            try await noting { manager in await making.made(as: try await manager.create(making.spec)) }
        }
    }

    private mutating func pause() async throws {
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...1_000, using: &generator)))
    }

    private mutating func noting(_ body: (SessionManager) async throws -> Void) async throws {
        do { try await body(manager) } catch let error as any RiffError {
            problem = error.message
        }
    }
}
