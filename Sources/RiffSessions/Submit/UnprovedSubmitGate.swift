// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The gate of a terminal whose program is not known: all texts are sent, and nothing proves their fate.
package struct UnprovedSubmitGate: SubmitGate {
    package init() {}

    package func decide(
        _ submission: Submission,
        after step: SubmitStep,
        within limit: Duration
    ) async throws -> SubmitDecision {
        switch step {
        case .untyped, .typed: .proceed
        case .pressed: .uncertain("Return was pressed, and nothing here knows the program that got it.")
        }
    }
}
