// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The proportional set size of a process in KiB: private pages, and its share of shared ones. Linux only.
func proportionalSetKiB(of processID: pid_t) throws -> Double {
    let path = "/proc/\(processID)/smaps_rollup"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        throw BenchError("\(path) cannot be read; memory is measured on Linux only")
    }
    for line in text.split(separator: "\n") where line.hasPrefix("Pss:") {
        if let value = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) { return value }
    }
    throw BenchError("\(path) has no line Pss")
}
