// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The factor by which operations may take longer than usual in this run of the tests.
package enum Patience {
    /// The factor that deadlines are multiplied with: the environment variable `RIFF_TEST_PATIENCE`, 1 if it is not a
    /// positive whole number. `scripts/test` sets it for the sanitizers, under which a program is several times slower.
    package static let factor: Int = {
        let text = ProcessInfo.processInfo.environment["RIFF_TEST_PATIENCE"] ?? ""
        return max(1, Int(text) ?? 1)
    }()
}

extension Duration {
    /// A deadline that must not pass, as long as this run needs it; not for one that a test waits for.
    package var patient: Duration { self * Patience.factor }
}
