// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffVoice
import Testing

/// Histories of a client and a server, made up by a generator whose seed names them.
struct MessageThreadHistoryTests {
    /// A server that keeps what arrives, and a client whose clock differs from the server's.
    struct World {
        var generator: SeededGenerator
        let clockError: Double
        var now = 1_000_000.0
        var server: [ConversationMessage] = []
        var thread: MessageThread
        /// What the person said on this device, each once however often it was tried.
        var said: [String] = []
        /// How much of that never arrived. By the text, since nobody can tell two that say the same apart.
        var strays: Int { said.count - server.count { said.contains($0.text) } }

        init(seed: UInt64, limit: Int) {
            generator = SeededGenerator(seed: seed)
            clockError = Double.random(in: -60...60, using: &generator)
            thread = MessageThread(limit: limit)
        }

        mutating func step() {
            now += Double.random(in: 0...20, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<4:
                said.append("\(Int.random(in: 0..<3, using: &generator))")
                send(.random(using: &generator), said[said.count - 1], isRetry: false)
            case 4: retry()
            case 5: _ = store(.user, "from another device \(server.count)")
            case 6: thread.handle(.interrupted(reason: "closed"))
            case 7: resync(upTo: Int.random(in: 0...server.count, using: &generator))
            default: resync(upTo: server.count)
            }
        }

        mutating func store(_ role: ConversationMessage.Role, _ text: String) -> ConversationMessage {
            now += 0.5
            server.append(ConversationMessage(id: .random(using: &generator), role: role, text: text, time: now))
            return server[server.count - 1]
        }

        mutating func send(_ id: RiffIdentifier, _ text: String, isRetry: Bool) {
            let time = now + clockError
            thread.handle(isRetry ? .retry(id, time: time) : .sending(text, id: id, time: time))
            switch Int.random(in: 0..<5, using: &generator) {
            case 0:
                thread.handle(.failed(id, reason: "offline", mayHaveArrived: false))
            case 1:
                thread.handle(.failed(id, reason: "timeout", mayHaveArrived: true))
            case 2:
                _ = store(.user, text)
                if Bool.random(using: &generator) { resync(upTo: server.count) }
                _ = store(.assistant, "(timed out)")
                thread.handle(.failed(id, reason: "504", mayHaveArrived: true))
            case 3:
                // Still under way.
                _ = store(.user, text)
            default:
                _ = store(.user, text)
                now += Double.random(in: 0...60, using: &generator)
                thread.handle(.sent(id, reply: store(.assistant, "answer")))
            }
        }

        /// A person tries again what the list offers, once the server was asked.
        mutating func retry() {
            thread.handle(.resync(server))
            let failed = thread.entries.filter { $0.state != .sending && $0.state != .sent }
            guard let entry = failed.randomElement(using: &generator), case .local(let id) = entry.id else { return }
            send(id, entry.text, isRetry: true)
        }

        /// A list of the newest messages as of some moment, in any order.
        mutating func resync(upTo end: Int) {
            let count = Int.random(in: 0...40, using: &generator)
            thread.handle(.resync(server[..<end].suffix(count).shuffled(using: &generator)))
        }

        func check(_ step: Int) {
            let entries = thread.entries
            #expect(Set(entries.map(\.id)).count == entries.count, "step \(step)")
            let names = entries.compactMap(\.serverID)
            #expect(Set(names).count == names.count, "step \(step)")
            #expect(entries.count <= thread.limit, "step \(step)")
            #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.time <= $1.time }, "step \(step)")
            #expect(entries.allSatisfy { $0.role == .user || $0.state == .sent }, "step \(step)")
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `no name comes twice, and a whole list leaves each message once`(seed: UInt64) {
        var world = World(seed: seed, limit: 10_000)
        for step in 0..<120 {
            world.step()
            world.check(step)
        }
        world.thread.handle(.resync(world.server))
        world.check(-1)
        #expect(world.thread.entries.compactMap(\.serverID) == world.server.map(\.id), "each once, in its order")
        let strays = world.thread.entries.filter { $0.serverID == nil }
        #expect(strays.allSatisfy { $0.state != .sent })
        #expect(strays.count == world.strays, "no second bubble for words that arrived, and none too few")
    }

    @Test(arguments: 100..<120 as Range<UInt64>)
    func `a small cap holds, and a list leaves each of the newest messages once`(seed: UInt64) {
        var world = World(seed: seed, limit: 30)
        for step in 0..<150 {
            world.step()
            world.check(step)
            guard step % 10 == 9 else { continue }
            let newest = world.server.suffix(10)
            // What nobody answered goes away, so that the cap has room for them.
            world.now += 1000
            world.thread.handle(.resync(newest.shuffled(using: &world.generator)))
            world.check(step)
            let shown = world.thread.entries.compactMap(\.serverID)
            let strays = world.thread.entries.count { $0.serverID == nil }
            let expected = newest.suffix(max(0, 30 - strays)).map(\.id)
            #expect(shown.suffix(expected.count) == expected[...], "step \(step)")
        }
    }
}
