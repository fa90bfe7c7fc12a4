// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What this process holds, by the kernel's account.
enum Measures {
    #if os(Linux)
    private static let descriptorFolder = "/proc/self/fd"
    #else
    private static let descriptorFolder = "/dev/fd"
    #endif

    /// The open descriptors and what they are.
    static func descriptors() throws -> [String: String] {
        let manager = FileManager.default
        let names = try manager.contentsOfDirectory(atPath: descriptorFolder)
        // The one that lists them is gone again.
        return names.reduce(into: [:]) { open, name in
            guard fcntl(Int32(name) ?? -1, F_GETFD) != -1 else { return }
            open[name] = (try? manager.destinationOfSymbolicLink(atPath: "\(descriptorFolder)/\(name)")) ?? "?"
        }
    }

    /// The resident memory in KiB, without what the allocator keeps of freed blocks; `nil` where the system does not
    /// tell.
    static func residentKiB() throws -> Double? {
        #if os(Linux)
        giveBackFreedMemory()
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let number = line.split(whereSeparator: \.isWhitespace).dropFirst().first
        else { throw Failure("/proc/self/status has no VmRSS.") }
        return Double(number)
        #else
        return nil
        #endif
    }
}

#if os(Linux)
/// glibc keeps freed blocks in each thread's arena, here about 25 MB of 35, and more the more threads there were at
/// once: that is not growth of what is held. malloc_trim(3).
private func giveBackFreedMemory() {
    typealias Trim = @convention(c) (Int) -> Int32
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "malloc_trim") else { return }
    _ = unsafeBitCast(symbol, to: Trim.self)(0)
}
#endif

/// How a quantity grows, by the line that fits its samples best.
package struct Slope: Sendable {
    private var samples: [(seconds: Double, value: Double)] = []

    package init() {}

    package var count: Int { samples.count }
    package var first: Double? { samples.first?.value }
    package var last: Double? { samples.last?.value }

    package mutating func add(_ value: Double, at seconds: Double) { samples.append((seconds, value)) }

    /// Those from a moment on.
    package func from(_ seconds: Double) -> Slope {
        var rest = Slope()
        rest.samples = samples.filter { $0.seconds >= seconds }
        return rest
    }

    /// Growth in ten minutes; `nil` for fewer than two samples.
    package var inTenMinutes: Double? {
        guard samples.count > 1 else { return nil }
        let count = Double(samples.count)
        let middle = samples.reduce(0) { $0 + $1.seconds } / count
        let mean = samples.reduce(0) { $0 + $1.value } / count
        let spread = samples.reduce(0) { $0 + ($1.seconds - middle) * ($1.seconds - middle) }
        guard spread > 0 else { return nil }
        return samples.reduce(0) { $0 + ($1.seconds - middle) * ($1.value - mean) } / spread * 600
    }
}
