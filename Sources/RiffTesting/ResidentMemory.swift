// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RiffCore

/// The amount of memory that this process holds, by the kernel's account; for tests that something of any size passes
/// through a little.
package enum ResidentMemory {
    /// Whether this system tells.
    package static var isKnown: Bool { FileManager.default.isWritableFile(atPath: "/proc/self/clear_refs") }

    /// By how many bytes the most that is held during `body` is above what was held before it.
    ///
    /// Whatever else runs in this process counts as well: call it in a process of its own (Testing's
    /// `#expect(processExitsWith:)`).
    package static func peakGrowth(during body: () async throws -> Void) async throws -> Int {
        // Else what was freed before would hide what is taken now.
        returnFreedMemory()
        // Makes the peak start anew (proc(5), clear_refs).
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        let before = try kilobytes("VmRSS")
        try await body()
        return (try kilobytes("VmHWM") - before) * 1024
    }

    /// Calls glibc's malloc_trim(3), where there is one; its header is not in the module.
    private static func returnFreedMemory() {
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    }

    private static func kilobytes(_ field: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let line = status.split(byte: "\n").first(where: { $0.hasPrefix(bytes: "\(field):") }),
            let number = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { throw TestingError(.programFailed, "/proc/self/status has no \(field).") }
        return number
    }
}
