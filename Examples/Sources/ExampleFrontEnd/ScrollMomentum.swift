// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What goes on moving after a finger was lifted, slower and slower until it rests.
///
/// The distance depends on the time alone, not on the frames that it is asked for in.
public struct ScrollMomentum: Sendable, Hashable {
    /// The part of the speed that is left after a second: 0.998 after each millisecond, as lists on phones have it.
    public static let remainingAfterSecond = pow(0.998, 1000)
    /// The speed below which it rests, in points a second.
    public static let restingVelocity = 10.0

    /// The speed in points a second; 0 at rest.
    public private(set) var velocity: Double

    /// The movement of a finger that was lifted at a speed.
    public init(velocity: Double) {
        self.velocity = velocity.isFinite && abs(velocity) >= Self.restingVelocity ? velocity : 0
    }

    /// Whether it has come to rest.
    public var isAtRest: Bool { velocity == 0 }

    /// Lets time pass.
    ///
    /// - Parameter duration: Since the last call.
    /// - Returns: How far it moved meanwhile, in points.
    public mutating func advance(by duration: Duration) -> Double {
        guard !isAtRest, duration > .zero else { return 0 }
        // Not past the moment at which it rests.
        let rest = log(Self.restingVelocity / abs(velocity)) / log(Self.remainingAfterSecond)
        let seconds = min(duration / .seconds(1), rest)
        let left = velocity * pow(Self.remainingAfterSecond, seconds)
        defer { velocity = seconds < rest ? left : 0 }
        return (left - velocity) / log(Self.remainingAfterSecond)
    }
}
