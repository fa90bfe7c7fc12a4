// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffShare
import RiffTesting
import Testing

struct ShareDrainMachineTests {
    typealias Event = ShareDrain.Event

    /// The events after which a drain begins, numbered from 0.
    private static func drains(_ events: [Event]) -> [Int] {
        var machine = ShareDrainMachine()
        return events.enumerated().compactMap { index, event in
            machine.handle(event).contains(.drain) ? index : nil
        }
    }

    @Test(
        arguments: [
            ([], []), ([.foregrounded], []), ([.connected], []), ([.bootstrapped], []),
            ([.foregrounded, .bootstrapped], []),
            // Cold launch: once the session is restored and takes keys.
            ([.foregrounded, .connected, .bootstrapped], [2]),
            ([.foregrounded, .noticeTapped, .bootstrapped, .connected], [3]),
            // Each of the four events drains; what comes within a drain makes one more after it.
            ([.bootstrapped, .connected, .drainEnded, .foregrounded], [1, 3]),
            ([.bootstrapped, .connected, .drainEnded, .noticeTapped], [1, 3]),
            ([.bootstrapped, .connected, .drainEnded, .deposited], [1, 3]),
            ([.bootstrapped, .connected, .drainEnded, .disconnected, .connected], [1, 4]),
            ([.bootstrapped, .connected, .foregrounded, .noticeTapped, .drainEnded, .drainEnded], [1, 4]),
            // Only the rising edge counts.
            ([.bootstrapped, .connected, .drainEnded, .connected, .connected], [1]),
            // Nothing without a session, or in the background; both are made up for.
            ([.bootstrapped, .connected, .drainEnded, .disconnected, .foregrounded, .connected], [1, 5]),
            ([.bootstrapped, .connected, .drainEnded, .suspended, .disconnected, .connected, .foregrounded], [1, 6]),
            ([.bootstrapped, .suspended, .connected, .noticeTapped], [3]),
        ] as [([Event], [Int])]
    )
    func `an event drains where there is a session`(events: [Event], expected: [Int]) {
        #expect(Self.drains(events) == expected)
    }

    @Test func `sleep cuts a drain short, and only a drain`() {
        var machine = ShareDrainMachine()
        #expect(machine.handle(.suspended) == [])
        #expect(machine.handle(.foregrounded) + machine.handle(.bootstrapped) == [])
        #expect(machine.handle(.connected) == [.drain])
        #expect(machine.handle(.suspended) == [.cancel])
        #expect(machine.handle(.drainEnded) == [])
        #expect(!machine.isDraining)
    }

    @Test func `in any history no two drains overlap, and nothing waits where it could be drained`() {
        let all: [Event] = [
            .bootstrapped, .foregrounded, .noticeTapped, .deposited, .connected, .disconnected, .suspended, .drainEnded,
        ]
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<5000 {
            var machine = ShareDrainMachine()
            var (isDraining, waits) = (false, false)
            var (isAwake, isBootstrapped, isConnected) = (true, false, false)
            for _ in 0..<30 {
                guard let event = all.randomElement(using: &generator), isDraining || event != .drainEnded else {
                    continue
                }
                switch event {
                case .bootstrapped: (isBootstrapped, waits) = (true, true)
                case .foregrounded, .noticeTapped: (isAwake, waits) = (true, true)
                case .deposited: waits = true
                case .connected: (isConnected, waits) = (true, waits || !isConnected)
                case .disconnected: isConnected = false
                case .suspended: isAwake = false
                case .drainEnded: isDraining = false
                }
                for effect in machine.handle(event) {
                    #expect(effect == (event == .suspended ? .cancel : .drain))
                    guard effect == .drain else { continue }
                    #expect(!isDraining && isAwake && isBootstrapped && isConnected)
                    (isDraining, waits) = (true, false)
                }
                #expect(machine.isDraining == isDraining)
                #expect(!(waits && isAwake && isBootstrapped && isConnected && !isDraining))
            }
        }
    }
}
