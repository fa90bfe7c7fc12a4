// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Signals as bytes in a pipe, so that one `poll` waits for them and for keys, and none is missed in between.
enum SignalPipe {
    private static let ends: (read: Int32, write: Int32) = {
        var descriptors: [Int32] = [-1, -1]
        guard pipe(&descriptors) == 0 else { return (-1, -1) }
        for descriptor in descriptors {
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        return (descriptors[0], descriptors[1])
    }()

    /// Catches these signals. Returns the descriptor to wait on.
    static func open(_ signals: [Int32]) -> Int32 {
        // Made before a handler can run, which only writes.
        let descriptor = ends.read
        for number in signals {
            signal(number) { number in
                let before = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(SignalPipe.ends.write, &byte, 1)
                errno = before
            }
        }
        return descriptor
    }

    /// The signals that came since.
    static func take() -> [Int32] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(ends.read, &bytes, bytes.count)
        return count > 0 ? bytes[..<count].map(Int32.init) : []
    }
}
