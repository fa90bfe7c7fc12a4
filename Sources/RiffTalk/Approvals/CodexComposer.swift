// Riff
// SPDX-License-Identifier: Apache-2.0

/// The prompt of Codex at the end of its screen: `›` in the first column, and beneath it the line of the model and the
/// folder, without which Codex drops what is typed.
struct CodexComposer {
    /// The reading, and the text in the prompt.
    let result: (reading: ScreenLook.Reading, draft: String?)

    /// Reads a screen; `nil` if the prompt is not there.
    init?(_ rows: [ScreenRow]) {
        guard let last = rows.lastIndex(where: { $0.scalars.first == "›" }) else { return nil }
        let sign = rows[last].scalars
        guard sign.count == 1 || sign[1] == " ", !QuestionSigns.isNumbered(rows[last].text) else { return nil }
        let under = rows[(last + 1)...]
        guard under.allSatisfy({ $0.isBlank || $0.indent >= 2 }) else { return nil }
        // The model's line is the last but one, or the last.
        guard let model = under.lastIndex(where: Self.isModelLine), model > last + 1, rows[model - 1].isBlank else {
            return nil
        }
        let footer = under[(model + 1)...].filter { !$0.isBlank }
        guard footer.count <= 1 else { return nil }
        if let seen = QuestionSigns.sign(in: footer) {
            result = (.question(seen), nil)
            return
        }
        if footer.contains(where: { $0.text.hasPrefix("^c quit") })
            || rows[..<last].suffix(6).contains(where: { $0.text.contains("Reconnecting to server") })
        {
            result = (.unknown("Codex has lost its server, and takes no prompts."), nil)
            return
        }
        var draftRows = [String(sign.dropFirst(2))]
        draftRows += rows[(last + 1)..<(model - 1)].map { String($0.scalars.dropFirst(2)) }
        let text = draftRows.joined(separator: "\n")
        let isHint = text == "Ask Codex to do anything"
        if !isHint, let menu = DraftMenu.menu(opensFor: text) {
            result = (.question(menu), nil)
            return
        }
        result = (.atPrompt(program: .codex), text.isEmpty || isHint ? nil : text)
    }

    /// `  fake-model default · ~/proj`, with more after it.
    private static func isModelLine(_ row: ScreenRow) -> Bool {
        guard row.indent == 2 else { return false }
        let parts = row.text.split(separator: " · ", omittingEmptySubsequences: false)
        guard parts.count >= 2, let folder = parts[1].first, "~/…".contains(folder) else { return false }
        return (1...4).contains(parts[0].split(separator: " ").count)
    }
}
