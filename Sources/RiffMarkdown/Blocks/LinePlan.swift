// Riff
// SPDX-License-Identifier: Apache-2.0

/// The effect of a line on the open blocks. Found without changing them, so that a line which is not complete can be
/// looked at too.
struct LinePlan {
    enum Action {
        /// The rest is text of the last block, or the start of a paragraph.
        case text
        /// The line closes the fence, or the display of mathematics, that is open.
        case close
        /// The line underlines the open paragraph.
        case underline(level: Int)
        /// The line makes the last line of the open paragraph a table's header.
        case tableHeader
        case tableRow
    }

    /// The number of open blocks that the line belongs to, from the outermost on.
    var matched = 0
    /// The blocks that it opens in the last of those.
    var openings: [BlockNode] = []
    var action = Action.text
    /// The flags that make the innermost matched item a task.
    var task: BlockNode.Flags = []
    /// The end of the line's text: a heading's closing `#`s are left out.
    var textEnd: Int
}
