// Riff
// SPDX-License-Identifier: Apache-2.0

extension ClaudePermissionPrompt {
    /// Whether anything on a screen looks like a question, a menu or a dialog, boxed or not, or like a part of one:
    /// what is typed then may be taken for an answer. A text that only looks like one counts as well, unless Claude's
    /// own prompt is at the end of the screen.
    ///
    /// - Parameter rows: The rows that are visible, from the top, with the spaces at their beginning.
    /// - Returns: Whether there is.
    package static func mayStand(on rows: [String]) -> Bool {
        let rows = rows.map(ScreenRow.init)
        switch ClaudeComposer(rows)?.result.reading {
        case .atPrompt: return false
        case .question: return true
        case .unknown, nil: return QuestionSigns.sign(in: rows) != nil
        }
    }
}
