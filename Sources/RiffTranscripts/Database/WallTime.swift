// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The system's clock, in seconds since 1970.
enum WallTime {
    /// The time now.
    @Sendable static func now() -> Double { Date().timeIntervalSince1970 }
}
