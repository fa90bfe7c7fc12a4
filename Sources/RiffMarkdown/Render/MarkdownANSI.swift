// Riff
// SPDX-License-Identifier: Apache-2.0

/// Writes trees as text with control sequences, for a terminal.
///
///     print(MarkdownANSI().text(of: block), terminator: "")
///
/// Control characters of the markdown are left out, so that an answer cannot drive the terminal. Lines are not broken:
/// a terminal does that, and text that was copied stays whole.
public struct MarkdownANSI: Sendable, Hashable {
    /// Whether links can be opened by a click (OSC 8). Their destinations follow them otherwise.
    public var hasHyperlinks = true
    /// The schemes that links may have, in lower case.
    public var schemes: Set<String> = ["http", "https", "mailto"]

    /// A renderer with the defaults.
    public init() {}

    /// A block, and the blank line behind it; empty for one that shows nothing.
    public func text(of block: MarkdownBlock) -> String {
        let text = text(of: block.root)
        return text.isEmpty ? "" : text + "\n"
    }

    /// Returns the text of a node. A block ends with a line feed.
    public func text(of node: MarkdownNode) -> String {
        var writer = ANSIWriter(options: self)
        var events = node.events
        while let event = events.next() {
            switch event {
            case .enter(let node): writer.enter(node)
            case .leave(let node): writer.leave(node)
            }
        }
        return writer.output
    }

    func allows(_ destination: String) -> Bool {
        guard let colon = destination.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return schemes.contains(destination[..<colon].lowercased())
    }
}
