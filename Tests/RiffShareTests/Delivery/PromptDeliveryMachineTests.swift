// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffShare
import Testing

struct PromptDeliveryMachineTests {
    private typealias Machine = PromptDeliveryMachine

    @Test(arguments: [
        // What happens, and what is done at each: r a run begins, c it is cut short, - nothing.
        ("changed", "r"), ("changed changed changed ended ended", "r--r-"), ("changed ended", "r-"),
        ("suspended changed foregrounded", "--r"), ("changed suspended ended foregrounded ended", "rc-r-"),
        ("changed changed suspended ended", "r-c-"), ("suspended ended changed ended", "----"),
        ("changed suspended suspended ended", "rcc-"), ("changed suspended foregrounded ended ended", "rc-r-"),
        ("foregrounded foregrounded ended ended", "r-r-"),
    ])
    func `a run at a time, none while the app sleeps, and none is forgotten`(events: String, expected: String) {
        var machine = Machine()
        let done = events.split(separator: " ").map { word -> Character in
            let event: Machine.Event =
                switch word {
                case "changed": .changed
                case "foregrounded": .foregrounded
                case "suspended": .suspended
                default: .ended
                }
            switch machine.handle(event) {
            case []: return "-"
            case [.run]: return "r"
            case [.cancel]: return "c"
            default: return "?"
            }
        }
        #expect(String(done) == expected)
    }
}
