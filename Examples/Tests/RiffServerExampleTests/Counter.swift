// Riff
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How much there is left.
final class Counter: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    /// Takes up to a number.
    func take(_ most: Int) -> Int {
        left.withLock { left in
            let now = min(left, most)
            left -= now
            return now
        }
    }
}
