// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Runs work that blocks outside of the cooperative pool, and waits for it whatever happens to the task.
enum BlockingQueue {
    private static let queue = DispatchQueue(label: "riff.data", attributes: .concurrent)

    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }
}

/// The system's clock, in seconds since 1970.
public enum WallTime {
    /// The time now.
    @Sendable public static func now() -> Double { Date().timeIntervalSince1970 }
}
