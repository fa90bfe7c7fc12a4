// Riff
// SPDX-License-Identifier: Apache-2.0

/// The ways of input to the terminal, each planned with a copy of the guard.
extension InputSafety {
    /// Returns the plan for sending bytes.
    func plan(_ bytes: [UInt8], isText: Bool) -> Plan {
        plan { $0.route(bytes, isText: isText) }
    }

    /// Returns the plan that makes tmux check that the terminal is still on its session; `nil` if there is no safe way
    /// to ask.
    func planPlaceCheck() -> Plan? {
        let plan = plan { .terminal($0.checkPlace() ?? []) }
        return plan.route == .terminal([]) ? nil : plan
    }

    /// Returns the plan that leaves everything; `nil` if there is nothing that could be left.
    func planLeaving() -> Plan? {
        let plan = plan { $0.leave() ?? .terminal([]) }
        return plan.route == .terminal([]) ? nil : plan
    }

    /// Turns of the wheel.
    func planScrolling(_ ticks: Int) -> Plan { plan { .terminal($0.scroll(ticks)) } }

    /// Bytes for tmux itself.
    func planSteering(_ bytes: [UInt8]) -> Plan {
        plan {
            $0.steer(bytes)
            return .terminal(bytes)
        }
    }

    /// A paste that waits behind a key; `nil` where it must be delivered by a command.
    func planPaste(_ key: Character, of bytes: [UInt8]) -> Plan? {
        let plan = plan { .terminal($0.paste(key, of: bytes) ?? []) }
        return plan.route == .terminal([]) ? nil : plan
    }
}
