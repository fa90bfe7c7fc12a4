// Riff
// SPDX-License-Identifier: Apache-2.0

/// Something that keeps riff-term from going on, in words for the person.
struct TermFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
