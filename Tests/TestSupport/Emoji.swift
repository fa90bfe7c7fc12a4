// Riff
// SPDX-License-Identifier: Apache-2.0

package enum Emoji {
    /// One character as a person sees it, of seven scalars.
    package static let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}"
}
