// Riff
// SPDX-License-Identifier: Apache-2.0

/// A link in a line of cells.
public struct FoundLink: Sendable, Hashable {
    /// The origin of a link; of two at the same cell the one named first here counts.
    public enum Kind: Sendable, Hashable {
        /// The program said so (OSC 8).
        case program
        /// It is written as in markdown: `[label](destination)`.
        case markdown
        /// The address is in the text.
        case bare
    }

    /// The URL that it opens; `nil` for one whose scheme is not allowed or that leads nowhere: its cells open nothing.
    public let url: String?
    /// The origin of the link.
    public let kind: Kind
    /// Its cells: from the first up to, not including, the second. Lines are counted as those that were searched.
    public let range: Range<ScreenPosition>
    /// The text that a person sees of it. If it is not the address, show ``host`` before it is opened.
    public let text: String
    /// The program's own name for it: parts with the same one are one link.
    public let id: String?

    /// The host that it leads to, for a person's eyes; `nil` for mail.
    public var host: String? { url.flatMap { LinkAddress(Array($0.unicodeScalars.map(\.value)))?.host } }
}
