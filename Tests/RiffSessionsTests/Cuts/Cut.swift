// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffSessions
import RiffTesting
import Testing

/// One way to lose a connection: what happens to it, and after which byte.
struct Cut: Sendable, CustomStringConvertible {
    /// How many bytes pass in each direction, from the connection's beginning, before and until the end of a phase.
    struct Span: Sendable {
        var toHost: Range<Int>
        var toClient: Range<Int>
    }

    enum Direction: CaseIterable {
        case toHost, toClient
    }

    /// Where the offsets start; another one with `RIFF_CUT_SEED`, for a soak.
    static let seed = ProcessInfo.processInfo.environment["RIFF_CUT_SEED"].flatMap(UInt64.init) ?? 42

    let phase: CutPhase
    let number: Int
    let fault: ChaosRules.Fault
    let direction: Direction
    /// How many bytes pass in that direction before it happens.
    let offset: Int

    /// Thirty cuts in a phase: each of three faults in each direction, five times. Half-open ones come first, as they
    /// take their time to be found out.
    static func all(in phase: CutPhase, _ span: Span) -> [Cut] {
        var generator = SeededGenerator(seed: seed &+ phase.index)
        var cuts: [Cut] = []
        for fault in [ChaosRules.Fault.vanish, .reset, .cut] {
            for direction in Direction.allCases {
                let range = direction == .toHost ? span.toHost : span.toClient
                for _ in 0..<5 {
                    let offset = Int.random(in: range, using: &generator)
                    cuts.append(
                        Cut(phase: phase, number: cuts.count, fault: fault, direction: direction, offset: offset)
                    )
                }
            }
        }
        return cuts
    }

    var rules: ChaosRules {
        switch direction {
        case .toHost: .fault(fault, afterBytesToTarget: offset)
        case .toClient: .fault(fault, afterBytesToClient: offset)
        }
    }

    /// Whether so many bytes have passed that it has happened.
    func hasHappened(_ counters: ChaosProxy.Counters) -> Bool {
        let passed = direction == .toHost ? counters.bytesToTarget : counters.bytesToClient
        return passed >= offset && counters.connections > 0
    }

    var description: String {
        let kind =
            switch fault {
            case .cut: "cut"
            case .reset: "reset"
            case .stall: "stall"
            case .vanish: "half-open"
            }
        let side = direction == .toHost ? "to the host" : "to the client"
        return "\(phase) \(number) (seed \(Self.seed)), \(kind) after \(offset) bytes \(side)"
    }
}
