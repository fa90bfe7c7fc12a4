// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#elseif canImport(Foundation)
public import Foundation
#endif

#if canImport(FoundationEssentials) || canImport(Foundation)
/// Makes attributed strings of trees.
///
///     let text = MarkdownAttributedString().text(of: block.root)
///     for run in text.runs { style(text[run.range], run[MarkdownPath.self] ?? []) }
///
/// Each piece of text carries its link, and the kinds of the nodes that it is in (``MarkdownPath``). On Apple's
/// platforms it carries Foundation's inline presentation intents too, which `Text` draws. Raw HTML is shown as it is
/// written, and images as their description with a link; within a link all text has that link alone.
public struct MarkdownAttributedString: Sendable, Hashable {
    /// The schemes that links may have, in lower case.
    public var schemes: Set<String> = ["http", "https", "mailto"]

    /// A renderer with the defaults.
    public init() {}

    /// Returns the attributed text of a node. Blocks are told apart by ``MarkdownPath``; nothing is between them.
    public func text(of node: MarkdownNode) -> AttributedString {
        var writer = AttributedWriter(schemes: schemes)
        for event in node.events {
            switch event {
            case .enter(let node): writer.enter(node)
            case .leave(let node): writer.leave(node)
            }
        }
        return writer.output
    }
}

/// The kinds of the nodes that a text is in, outermost first; of more than a hundred the first hundred.
public enum MarkdownPath: AttributedStringKey {
    /// The nodes, outermost first.
    public typealias Value = [Step]

    /// The attribute's name.
    public static let name = "RiffMarkdownPath"

    /// One of the nodes.
    public struct Step: Sendable, Hashable {
        /// The kind of the node.
        public let kind: MarkdownNode.Kind
        /// Which of its parent's children it is, from 0: it tells two paragraphs apart, and numbers items, rows and
        /// cells.
        public let index: Int
    }
}

/// Writes one node as an attributed string.
private struct AttributedWriter {
    let schemes: Set<String>
    var output = AttributedString()
    private var path: [MarkdownPath.Step] = []
    /// Each piece of text has its own copy of the path, so that must not be as long as the text.
    private static let deepest = 100
    /// The number of each open node's children that were entered.
    private var counts = [0]
    /// The number of links and images that are open, and the destination of the outermost.
    private var openLinks = 0
    private var link: URL?

    init(schemes: Set<String>) { self.schemes = schemes }

    mutating func enter(_ node: MarkdownNode) {
        if counts.count <= Self.deepest {
            path.append(MarkdownPath.Step(kind: node.kind, index: counts[counts.count - 1]))
        }
        counts[counts.count - 1] += 1
        counts.append(0)
        switch node.kind {
        case .text, .code, .math, .html, .codeBlock, .mathBlock, .htmlBlock: add(node.text)
        case .softBreak: add(" ")
        case .lineBreak: add("\n")
        case .thematicBreak: add("⸻")
        case .footnoteMark(let footnote): add("[\(footnote.number)]")
        case .link(let target), .image(let target):
            if openLinks == 0 { link = address(target.destination) }
            openLinks += 1
        default: break
        }
    }

    mutating func leave(_ node: MarkdownNode) {
        counts.removeLast()
        if counts.count <= Self.deepest { path.removeLast() }
        guard node.record.tag == .link || node.record.tag == .image else { return }
        openLinks -= 1
        if openLinks == 0 { link = nil }
    }

    private func address(_ destination: String) -> URL? {
        guard let colon = destination.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        return schemes.contains(destination[..<colon].lowercased()) ? URL(string: destination) : nil
    }

    private mutating func add(_ text: String) {
        var piece = AttributedString(text)
        piece[MarkdownPath.self] = path
        if let link { piece.link = link }
        #if canImport(Darwin)
        let intents = MarkdownPath.intents(path)
        if !intents.isEmpty { piece.inlinePresentationIntent = intents }
        #endif
        output += piece
    }
}
#endif

#if canImport(Darwin)
extension MarkdownPath {
    /// Returns Foundation's intents for the inlines of a path.
    fileprivate static func intents(_ path: [Step]) -> InlinePresentationIntent {
        path.reduce(into: []) { intents, step in
            switch step.kind {
            case .emphasis: intents.insert(.emphasized)
            case .strong: intents.insert(.stronglyEmphasized)
            case .strikethrough: intents.insert(.strikethrough)
            case .code, .math: intents.insert(.code)
            case .softBreak: intents.insert(.softBreak)
            case .lineBreak: intents.insert(.lineBreak)
            case .html: intents.insert(.inlineHTML)
            default: break
            }
        }
    }
}
#endif
