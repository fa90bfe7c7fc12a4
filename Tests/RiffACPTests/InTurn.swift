// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTesting
import Testing

/// The suites of this target that use programs, sockets or real time. They run one after another.
@Suite(.serialized) enum InTurn {}

extension TimeLimitTrait.Duration {
    /// Time limits, too, are as long as this run needs them (see `Patience`).
    static func minutes(_ minutes: Int) -> Self { .minutes(UInt(minutes * Patience.factor)) }
}
