// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffSessions
import RiffTesting

/// What goes wrong with the network in a round.
enum Fault: String, CaseIterable {
    /// Nothing does.
    case none
    /// Both sides see an end, or a reset.
    case cut, reset
    /// It stands still for a while, and goes on.
    case stall
    /// It is gone and tells nobody, until the app comes to the foreground.
    case vanish
    /// The host cannot be reached for a while.
    case outage
    /// The next connections are cut as well, in the middle of what they begin with.
    case stutter

    static func random(_ generator: inout SeededGenerator) -> Fault {
        let weighted: [Fault] = [
            .none, .none, .cut, .cut, .cut, .reset, .reset, .stall, .stall, .vanish, .outage, .stutter,
        ]
        return weighted.randomElement(using: &generator) ?? .none
    }

    /// Whether connections are lost by it.
    var loses: Bool { self != .none && self != .stall }

    /// Lets it happen. When this returns, the network is as it should be.
    func happen(_ proxy: ChaosProxy, _ manager: SessionManager, _ generator: inout SeededGenerator) async throws {
        func wait(_ range: ClosedRange<Int>) async throws {
            try await Task.sleep(for: .milliseconds(Int.random(in: range, using: &generator)))
        }
        switch self {
        case .none: break
        case .cut: try await proxy.cutAll()
        case .reset: try await proxy.resetAll()
        case .stall:
            try await proxy.stallAll()
            try await wait(200...4_000)
            try await proxy.resumeAll()
        case .vanish:
            try await proxy.vanishAll()
            try await wait(0...1_000)
            await manager.foreground()
            // The server would find out by itself long after the round.
            try await wait(0...3_000)
            try await proxy.cutAll()
        case .outage:
            try await proxy.refuseConnections()
            try await proxy.cutAll()
            try await wait(200...3_000)
            try await proxy.acceptConnections()
        case .stutter:
            let bytes = Int.random(in: 0...30_000, using: &generator)
            let isAfterSent = Bool.random(using: &generator)
            proxy.setRules(
                isAfterSent ? .fault(.cut, afterBytesToTarget: bytes) : .fault(.reset, afterBytesToClient: bytes)
            )
            try await proxy.cutAll()
            try await wait(500...3_000)
            proxy.setRules(ChaosRules())
            // Those that are open would be cut later.
            try await proxy.cutAll()
        }
        // What was lost is heard of a moment later.
        if loses { try await Task.sleep(for: .milliseconds(500)) }
    }
}
