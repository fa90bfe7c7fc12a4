// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore

/// What went wrong in an example, in words for the person.
package struct ExampleFailure: Error, CustomStringConvertible {
    package let description: String

    /// Creates a failure; words of a peer in it are harmless afterwards.
    package init(_ description: String) { self.description = InertText.line(description) }
}
