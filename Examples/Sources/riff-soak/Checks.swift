// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What was looked at, how often, and what did not hold.
struct Checks {
    private var order: [String] = []
    private var counts: [String: Int] = [:]
    private var facts: [String: String] = [:]
    private var failures: [String: String] = [:]

    var isPassed: Bool { failures.isEmpty }

    /// Notes one look.
    mutating func note(_ name: String, _ holds: Bool, _ detail: @autoclosure () -> String = "") {
        begin(name)
        counts[name, default: 0] += 1
        if !holds, failures[name] == nil { failures[name] = detail() }
    }

    /// Notes a number that belongs to a check.
    mutating func tell(_ name: String, _ fact: String) {
        begin(name)
        facts[name] = fact
    }

    mutating func fail(_ name: String, _ detail: String) { note(name, false, detail) }

    private mutating func begin(_ name: String) {
        if counts[name] == nil, facts[name] == nil { order.append(name) }
    }

    /// A line for each.
    var lines: [String] {
        order.map { name in
            let looks = counts[name].map { $0 == 1 ? "" : " (\($0) times)" } ?? ""
            let fact = facts[name].map { ": \($0)" } ?? ""
            if let failure = failures[name] { return "FAILED  \(name)\(fact): \(failure)" }
            return "\(counts[name] == nil ? "told  " : "ok    ")  \(name)\(looks)\(fact)"
        }
    }
}

/// Tells how it goes, aside of the report.
func say(_ line: String) {
    // FileHandle's own `write` ends the program where a signal interrupts it.
    var rest = ArraySlice("[soak] \(line)\n".utf8)
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        if count < 0, errno != EINTR { return }
        rest = rest.dropFirst(max(0, count))
    }
}
