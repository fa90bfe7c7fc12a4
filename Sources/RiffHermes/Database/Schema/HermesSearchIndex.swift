// Riff
// SPDX-License-Identifier: Apache-2.0

/// A table of full-text search that can be used, and how much of it may be.
struct HermesSearchIndex: Hashable {
    /// Whether the texts that it shows may be read through it. They may if they lie in the index itself or in the table
    /// of messages. Newer versions of Hermes let it read a view, and a view can call anything: of such an index only
    /// the words and the numbers of messages are used, and both are its own.
    let readsTexts: Bool

    /// - Returns: `nil` if the index is not used: its words could not be looked up without reading something else.
    init?(_ declaration: SearchDeclaration, messageColumns: Set<String>) {
        switch declaration.options["content"] {
        case nil: readsTexts = true
        case "messages":
            let row = declaration.options["content_rowid"] ?? "rowid"
            readsTexts =
                ["id", "rowid"].contains(row) && declaration.columns.isSubset(of: messageColumns)
                && messageColumns.contains("id")
        default: readsTexts = false
        }
        // Ranking without the sizes or the places of words reads the texts.
        if !readsTexts, declaration.options["columnsize"] != nil || declaration.options["detail"] != nil { return nil }
    }
}
