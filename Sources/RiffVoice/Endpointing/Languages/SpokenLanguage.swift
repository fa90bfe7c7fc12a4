// Riff
// SPDX-License-Identifier: Apache-2.0

/// The languages that have words of their own here: for the end of a turn, for a yes and a no, and for sentences. In
/// any other one silence alone ends a turn, and permission is given by hand.
package enum SpokenLanguage: String, Sendable, Hashable, CaseIterable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case spanish = "es"

    /// The language of a BCP 47 tag, such as `de-AT`; `nil` for any other.
    package init?(tag: String) {
        let parts = tag.utf8.split(maxSplits: 1) { $0 == 0x2D || $0 == 0x5F }
        guard let first = parts.first else { return nil }
        self.init(rawValue: String(decoding: first, as: UTF8.self).lowercased())
    }
}
