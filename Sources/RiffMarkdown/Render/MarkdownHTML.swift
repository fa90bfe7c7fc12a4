// Riff
// SPDX-License-Identifier: Apache-2.0

/// Writes trees as HTML.
///
///     let html = MarkdownHTML().text(of: block)
///
/// By default nothing that the markdown says runs or loads: raw HTML is shown as text, links open only web and mail
/// addresses, and images are links, because the address of an image can carry away what a conversation holds.
/// ``exact(tagFilter:)`` writes what cmark-gfm writes with `--unsafe`, for text that is trusted.
public struct MarkdownHTML: Sendable, Hashable {
    /// The treatment of raw HTML.
    public enum RawHTML: Sendable, Hashable {
        /// It is shown as it is written.
        case escaped
        /// Its tags are left out and its text is shown. This is for a text that is not complete, whose tags may be left
        /// open.
        case omitted
        /// It is HTML.
        case verbatim
        /// It is HTML, but for the tags that GFM's tag filter makes text (GFM 6.11).
        case filtered
    }

    /// The treatment of raw HTML.
    public var rawHTML = RawHTML.escaped
    /// The schemes that links may have, in lower case; nil for all. A destination without a scheme is relative, and
    /// allowed. Links to others have no destination.
    public var schemes: Set<String>? = ["http", "https", "mailto"]
    /// Whether images are loaded; if not, they are links with their description as text, or within a link that text
    /// alone.
    public var loadsImages = false

    /// Creates a renderer whose HTML may be shown, whatever the markdown's author.
    public init() {}

    /// A renderer that writes byte for byte what cmark-gfm 0.29 does with `--unsafe`.
    public static func exact(tagFilter: Bool = false) -> MarkdownHTML {
        var html = MarkdownHTML()
        html.rawHTML = tagFilter ? .filtered : .verbatim
        html.schemes = nil
        html.loadsImages = true
        return html
    }

    /// A block as HTML; empty for one that shows nothing.
    public func text(of block: MarkdownBlock) -> String { text(of: block.root) }

    /// A node as HTML.
    public func text(of node: MarkdownNode) -> String { String(decoding: bytes(of: node), as: UTF8.self) }

    /// A node as HTML in UTF-8.
    public func bytes(of node: MarkdownNode) -> [UInt8] {
        var writer = HTMLWriter(tree: node.tree, options: self)
        writer.write(node)
        return writer.output
    }

    /// Whether a link may have a destination.
    func allows(_ destination: [UInt8]) -> Bool {
        guard let schemes else { return true }
        // Browsers leave out controls and white space while they look for a scheme.
        let visible = destination.filter { $0 > .space && $0 != 0x7F }
        guard let end = visible.firstIndex(where: { ":/?#".utf8.contains($0) }) else { return true }
        guard visible[end] == UInt8(ascii: ":") else { return true }
        return schemes.contains(String(decoding: visible[..<end].map(\.lowercased), as: UTF8.self))
    }
}
