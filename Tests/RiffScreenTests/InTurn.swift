// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTesting
import Testing

/// The suites of this target that use programs, sockets, locks or real time. They run one after another: all at once
/// they would wait for each other's processor, and find their deadlines past.
@Suite(.serialized) enum InTurn {}

extension TimeLimitTrait.Duration {
    /// Time limits, too, are as long as this run needs them (see `Patience`): wherever this target writes `.minutes`, the
    /// compiler prefers this to the generic function of Testing.
    static func minutes(_ minutes: Int) -> Self { .minutes(UInt(minutes * Patience.factor)) }
}
