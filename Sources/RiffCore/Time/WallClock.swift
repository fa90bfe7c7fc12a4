// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The system's clock. A point in time is seconds since 1970-01-01 UTC everywhere in the package, as a `Double`: it is
/// the default of what is given a `wallClock`.
package enum WallClock {
    /// The time now.
    @Sendable package static func now() -> Double {
        var time = timespec()
        // It fails only for a clock that the system does not have.
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
