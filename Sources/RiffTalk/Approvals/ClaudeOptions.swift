// Riff
// SPDX-License-Identifier: Apache-2.0

/// The numbered answers of a question of Claude Code's, as it lays them out: ` ❯ 1. Yes` and ` 2. No`, and what does
/// not fit on a row goes on beneath the label's first letter.
enum ClaudeOptions {
    /// Takes the answers off the end of some rows.
    ///
    /// - Returns: The answers from 1 without a gap, one of them chosen; `nil` if there is anything else.
    static func take(from rows: inout ArraySlice<ScreenRow>) -> [ClaudePermissionPrompt.Option]? {
        var options: [ClaudePermissionPrompt.Option] = []
        var wrapped: [String] = []
        var chosen = 0
        repeat {
            guard let row = rows.popLast(), row.isPlain, !row.holdsDrawing else { return nil }
            if let option = option(row) {
                let label = ([option.label] + wrapped.reversed()).joined(separator: " ")
                options.insert(ClaudePermissionPrompt.Option(number: option.number, label: label), at: 0)
                chosen += option.isChosen ? 1 : 0
                wrapped = []
            } else if row.indent == labelColumn, row.scalars.count > labelColumn {
                wrapped.append(row.text)
            } else {
                return nil
            }
        } while options.first?.number != 1
        guard options.count >= 2, chosen == 1, options.map(\.number) == Array(1...options.count) else { return nil }
        return options
    }

    /// The column of a label's first letter.
    private static let labelColumn = 6

    private static func option(_ row: ScreenRow) -> (number: Int, label: String, isChosen: Bool)? {
        let scalars = row.scalars
        let isChosen = scalars.starts(with: [" ", "❯", " "] as [Unicode.Scalar])
        guard scalars.count > labelColumn, isChosen || row.indent == 3 else { return nil }
        guard scalars[4] == ".", scalars[5] == " ", scalars[6] != " ", ("1"..."9").contains(scalars[3]) else {
            return nil
        }
        return (Int(scalars[3].value - 0x30), String(scalars[labelColumn...]), isChosen)
    }
}
