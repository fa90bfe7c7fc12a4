// Riff
// SPDX-License-Identifier: Apache-2.0

extension MarkdownStream {
    /// The value of ``MarkdownUpdate/openBlock``.
    var openBlock: MarkdownOpenBlock? {
        guard let root = parser.nodes.first else { return nil }
        return MarkdownOpenBlock(
            id: blockCount,
            kind: parser.text.withUnsafeBufferPointer { root.kind(text: $0) },
            committedChildren: committedChildren(of: root),
            isComplete: parser.levels.isEmpty
        )
    }

    private func committedChildren(of root: BlockNode) -> Int {
        if root.tag.isVerbatim { return parser.leafLines }
        guard let level = parser.levels.first else { return parser.closedRootChildren }
        return level.children - (parser.levels.count > 1 ? 1 : 0)
    }

    /// The tail as it looks now: what is open is closed, and what may still mean anything is left out.
    ///
    /// It is a guess, made with what the text says so far; the blocks that come of it are read anew. Nothing is done
    /// before it is asked for: ask once a frame.
    ///
    /// - Parameter previous: The tail that was drawn last. What it held and does not change any more is left out, so
    ///   that a list of a thousand items is not drawn a thousand times; see ``MarkdownTail/levels``. The time is that
    ///   for what is new and for some kilobytes of the last paragraph.
    /// - Returns: The picture.
    public func tail(since previous: MarkdownTail? = nil) -> MarkdownTail {
        text.withUnsafeBufferPointer { bytes in
            parser.text.withUnsafeBufferPointer { leaves in
                var drawer = TailDrawer(stream: self, leaves: leaves, previous: previous)
                return drawer.draw(line: Bytes(rebasing: bytes[lineStart...]))
            }
        }
    }
}
