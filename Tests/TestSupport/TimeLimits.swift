// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffTesting
package import Testing

extension TimeLimitTrait.Duration {
    /// A time limit as long as this run needs it (see `Patience`).
    ///
    /// Where this is imported, the compiler prefers it to the generic `minutes` of Testing.
    package static func minutes(_ minutes: Int) -> Self { .minutes(UInt(minutes * Patience.factor)) }
}
