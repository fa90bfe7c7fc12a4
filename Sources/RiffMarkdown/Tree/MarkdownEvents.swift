// Riff
// SPDX-License-Identifier: Apache-2.0

/// A walk over a node and all that is in it: the way to draw a tree without recursion.
///
///     for event in block.root.events {
///         switch event {
///         case .enter(let node): open(node)
///         case .leave(let node): close(node)
///         }
///     }
public struct MarkdownEvents: Sequence, IteratorProtocol, Sendable {
    /// A step of the walk. Nodes without children are entered and left too.
    public enum Event: Sendable {
        case enter(MarkdownNode)
        case leave(MarkdownNode)
    }

    private let tree: MarkdownTree
    private var walk: TreeWalk

    init(_ node: MarkdownNode) {
        tree = node.tree
        walk = TreeWalk(node)
    }

    /// The next step.
    public mutating func next() -> Event? {
        guard let step = walk.next(in: tree) else { return nil }
        let node = MarkdownNode(tree: tree, index: step.index)
        return step.isEntering ? .enter(node) : .leave(node)
    }
}

/// The walk itself, by indices.
struct TreeWalk: Sendable {
    private var next: Int
    private let end: Int
    /// The nodes that were entered and not left.
    private var open: [Int] = []

    init(_ node: MarkdownNode) {
        next = node.index
        end = Int(node.record.end)
    }

    mutating func next(in tree: MarkdownTree) -> (index: Int, isEntering: Bool)? {
        if let last = open.last, Int(tree.records[last].end) <= next {
            open.removeLast()
            return (last, false)
        }
        guard next < end else { return nil }
        open.append(next)
        next += 1
        return (next - 1, true)
    }

    /// The innermost node that was entered and not left.
    var innermost: Int? { open.last }

    /// Leaves out what is in the node that was entered last.
    mutating func skipChildren(in tree: MarkdownTree) {
        if let last = open.last { next = Int(tree.records[last].end) }
    }
}
