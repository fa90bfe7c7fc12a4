// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

@Suite struct HubConnectionMachineTests {
    private typealias Machine = HubConnectionMachine

    private static func connected() -> Machine {
        var machine = Machine()
        #expect(machine.handle(.start, at: .zero) == [.connect(socket: 1)])
        #expect(machine.status == .connecting)
        #expect(machine.handle(.opened(socket: 1), at: .seconds(1)).isEmpty)
        return machine
    }

    @Test func `a connection is dead after 60 seconds without a word, and not after 59`() {
        var machine = Self.connected()
        #expect(machine.handle(.heard(socket: 1), at: .seconds(30)).isEmpty)
        #expect(machine.deadline == .seconds(90))
        #expect(machine.handle(.tick, at: .seconds(89)).isEmpty)
        #expect(machine.status == .connected)
        #expect(machine.handle(.tick, at: .seconds(90)) == [.drop(socket: 1)])
        #expect(machine.status == .disconnected)
        #expect(machine.handle(.tick, at: .seconds(91)) == [.connect(socket: 2)])
        #expect(machine.status == .connecting)
    }

    @Test func `waits grow, also over connections that stand for a moment, until one proves itself`() {
        var machine = Machine()
        _ = machine.handle(.start, at: .zero)
        var now = Duration.zero
        var waits: [Duration] = []
        for socket in 1...7 {
            // It opens, says something, and dies.
            _ = machine.handle(.opened(socket: socket), at: now)
            _ = machine.handle(.heard(socket: socket), at: now)
            _ = machine.handle(.closed(socket: socket), at: now)
            let deadline = machine.deadline ?? .zero
            waits.append(deadline - now)
            now = deadline
            #expect(machine.handle(.tick, at: now) == [.connect(socket: socket + 1)])
        }
        #expect(waits == [1, 2, 4, 8, 15, 15, 15].map { .seconds($0) })
        _ = machine.handle(.opened(socket: 8), at: now)
        _ = machine.handle(.heard(socket: 8), at: now + .seconds(30))
        #expect(machine.failures == 0)
        _ = machine.handle(.closed(socket: 8), at: now + .seconds(31))
        #expect(machine.deadline == now + .seconds(32))
    }

    @Test func `what an old socket says changes nothing, and its end counts once`() {
        var machine = Self.connected()
        _ = machine.handle(.closed(socket: 1), at: .seconds(2))
        #expect(machine.failures == 1)
        _ = machine.handle(.closed(socket: 1), at: .seconds(2))
        #expect(machine.failures == 1)
        _ = machine.handle(.tick, at: .seconds(3))
        _ = machine.handle(.opened(socket: 2), at: .seconds(3))
        #expect(machine.handle(.closed(socket: 1), at: .seconds(4)).isEmpty)
        #expect(machine.handle(.heard(socket: 1), at: .seconds(50)).isEmpty)
        #expect(machine.socket == 2 && machine.deadline == .seconds(63))
        // One that opens too late is closed.
        #expect(machine.handle(.opened(socket: 1), at: .seconds(5)) == [.drop(socket: 1)])
        #expect(machine.socket == 2)
    }

    @Test func `a socket that died in the background is made anew when the app comes back`() {
        var machine = Self.connected()
        _ = machine.handle(.background, at: .seconds(2))
        _ = machine.handle(.closed(socket: 1), at: .seconds(3))
        #expect(machine.deadline == nil)
        #expect(machine.handle(.tick, at: .seconds(600)).isEmpty)
        #expect(machine.handle(.foreground, at: .seconds(601)) == [.connect(socket: 2)])
        // And one that died without a word is found out at once.
        var silent = Self.connected()
        _ = silent.handle(.background, at: .seconds(2))
        #expect(silent.handle(.foreground, at: .seconds(100)) == [.drop(socket: 1)])
    }

    @Test func `stopping closes what there is, once, and nothing begins again`() {
        var machine = Self.connected()
        #expect(machine.handle(.stop, at: .seconds(2)) == [.drop(socket: 1)])
        #expect(machine.handle(.stop, at: .seconds(2)).isEmpty)
        #expect(machine.handle(.foreground, at: .seconds(3)).isEmpty)
        #expect(machine.handle(.start, at: .seconds(3)).isEmpty)
        #expect(machine.status == .disconnected && machine.deadline == nil)
    }
}
