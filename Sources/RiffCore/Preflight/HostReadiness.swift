// Riff
// SPDX-License-Identifier: Apache-2.0

/// What is known of a host before a session is started on it: a list of checks, in the order in which they are made.
///
/// A front end shows each snapshot as it comes; the last one is the answer. A failed check leaves those that need it
/// ``HostCheck/Outcome/notReached``; tmux and the harness do not need each other, so both are always answered.
public struct HostReadiness: Sendable {
    /// The checks, in order.
    public private(set) var checks: [HostCheck]

    /// A host of which nothing is known.
    ///
    /// - Parameter kinds: The checks that will be made, in order.
    package init(_ kinds: [HostCheck.Kind] = HostCheck.Kind.order) { checks = kinds.map { HostCheck(kind: $0) } }

    /// The check of a kind; `nil` where it is not made.
    public subscript(kind: HostCheck.Kind) -> HostCheck? { checks.first { $0.kind == kind } }

    /// Whether sessions can run there: every check was made, and none failed.
    public var isReady: Bool { checks.allSatisfy(\.isSatisfied) }

    /// Why sessions cannot run there: the first failure. Its recovery is what to offer first.
    public var failure: (any RiffError)? { failures.first }

    /// Every failure, in order.
    public var failures: [any RiffError] {
        checks.compactMap { if case .failed(let problem) = $0.outcome { problem } else { nil } }
    }

    /// The problems of things that work and should be mended all the same, in order.
    package var warnings: [any RiffError] {
        checks.compactMap { if case .warned(let problem) = $0.outcome { problem } else { nil } }
    }

    /// A check is being made; those before it that were open have passed.
    public mutating func begin(_ kind: HostCheck.Kind) { settle(kind, as: .running) }

    /// A check is known; those before it that were open have passed. A kind that is not in the list changes nothing.
    ///
    /// - Parameters:
    ///   - kind: The check.
    ///   - outcome: How it stands.
    ///   - detail: What was found, for a person.
    public mutating func settle(_ kind: HostCheck.Kind, as outcome: HostCheck.Outcome, detail: String? = nil) {
        guard let position = checks.firstIndex(where: { $0.kind == kind }) else { return }
        for index in 0..<position {
            switch checks[index].outcome {
            case .notReached, .running: checks[index].outcome = .passed
            case .passed, .warned, .failed: break
            }
        }
        checks[position].outcome = outcome
        checks[position].detail = detail
    }
}
