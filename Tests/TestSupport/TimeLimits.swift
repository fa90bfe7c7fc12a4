// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffTesting
package import Testing

extension TimeLimitTrait.Duration {
    /// Time limits are as long as this run needs them (see `Patience`): where this is imported and `.minutes` written, the
    /// compiler prefers it to the generic function of Testing.
    package static func minutes(_ minutes: Int) -> Self { .minutes(UInt(minutes * Patience.factor)) }
}
