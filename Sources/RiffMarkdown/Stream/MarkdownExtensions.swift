// Riff
// SPDX-License-Identifier: Apache-2.0

/// What is read beyond CommonMark.
public struct MarkdownExtensions: OptionSet, Sendable, Hashable {
    /// A bit for each.
    public let rawValue: UInt8

    /// The extensions of some bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Tables of pipes and dashes (GFM 4.10).
    public static let tables = MarkdownExtensions(rawValue: 1)
    /// Text between `~~` or `~` is struck (GFM 6.5).
    public static let strikethrough = MarkdownExtensions(rawValue: 2)
    /// Addresses in the text are links: `www.…`, `https://…`, e-mail (GFM 6.9).
    public static let autolinks = MarkdownExtensions(rawValue: 4)
    /// Items that start with `[ ]` or `[x]` are tasks (GFM 5.3).
    public static let taskLists = MarkdownExtensions(rawValue: 8)
    /// Footnotes as GitHub has them: `[^label]` and `[^label]: text`. Off by default.
    public static let footnotes = MarkdownExtensions(rawValue: 16)
    /// Mathematics: `$…$` and `\(…\)` in the text, `$$…$$` and `\[…\]` as blocks. Off by default.
    public static let math = MarkdownExtensions(rawValue: 32)

    /// CommonMark and nothing else.
    public static let commonMark: MarkdownExtensions = []
    /// GitHub's: tables, strikethrough, autolinks and task lists.
    public static let gitHub: MarkdownExtensions = [.tables, .strikethrough, .autolinks, .taskLists]
}
