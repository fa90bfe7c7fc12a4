// Riff
// SPDX-License-Identifier: Apache-2.0

/// What went wrong in an example, in words for the person.
package struct ExampleFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
