// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Reads the rows of an agent's screen by the facts. The text of each row has no space at its end.
package struct AgentScreenReader {
    /// A row of the screen.
    package struct Row {
        /// Its text without the space at its end.
        let text: String
        /// Whether all of its text from a column on is dim; asked for the composer's rows only.
        let isDim: @Sendable (Int) -> Bool

        /// Creates a row.
        package init(text: String, isDim: @escaping @Sendable (Int) -> Bool = { _ in false }) {
            self.text = text
            self.isDim = isDim
        }

        var indent: Int { text.utf8.prefix { $0 == UInt8(ascii: " ") }.count }
        var isBlank: Bool { text.utf8.allSatisfy { $0 == UInt8(ascii: " ") } }
        var trimmed: Substring { text[text.utf8.index(text.utf8.startIndex, offsetBy: indent)...] }
    }

    /// How many rows up from the end a question's parts are looked for.
    private static let reach = 40
    /// How many rows up from the end a sign is looked for without a composer.
    private static let near = 12

    let facts: ScreenFacts
    let rows: [Row]
    let title: String

    /// Creates a reader of a screen's rows, from the top, and of its terminal's title.
    package init(facts: ScreenFacts, rows: [Row], title: String = "") {
        self.facts = facts
        self.title = title
        let end = rows.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? 0
        self.rows = Array(rows[..<end])
    }

    /// What the screen shows.
    package func read() -> ScreenReading {
        var reading = ScreenReading()
        reading.titleWaits = facts.waitingTitles.contains { title.hasPrefix(bytes: $0.text) }
        let visible = rows.suffix(Self.reach)
        guard let composer = composer() else {
            readDialog(into: &reading, visible)
            readSigns(into: &reading, near: Array(visible.suffix(Self.near)), working: [])
            return reading
        }
        reading.composer = composer.state
        if composer.state == .draft { readDraft(into: &reading, composer) }
        // What an answer says further up is no sign, whatever words it has.
        let above = Array(rows[..<composer.first].reversed().lazy.filter { !$0.isBlank }.prefix(4))
        let beneath = rows[composer.footer...]
        let isFramed = facts.composer?.rule.isEmpty == false
        readSigns(into: &reading, near: above + beneath, working: isFramed ? Array(beneath) : Array(above))
        reading.isInterrupted = above.contains { row in facts.interrupted.contains { contains(row, $0) } }
        return reading
    }

    /// The signs in the rows around the composer.
    private func readSigns(into reading: inout ScreenReading, near: [Row], working: [Row]) {
        reading.isWorking = has(facts.working, in: working[...]) != nil
        reading.hasTrouble = has(facts.trouble, in: near[...]) != nil
        let background = facts.background.filter { sign in near.contains { contains($0, sign) } }
        reading.background = Set(background.map(\.word)).sorted()
    }

    // MARK: Composer

    /// A composer: what is in it, the first row that is its own, its text's rows, and the row after it.
    private typealias Composer = (state: ScreenReading.Composer, first: Int, text: Range<Int>, footer: Int)

    private func composer() -> Composer? {
        guard let composer = facts.composer else { return nil }
        return composer.rule.isEmpty ? openComposer(composer) : framedComposer(composer)
    }

    /// A rule, the sign in the first column, a rule, and hints beneath, all of them indented.
    private func framedComposer(_ composer: ScreenFacts.Composer) -> Composer? {
        guard let lower = rows.lastIndex(where: { isRule($0, composer.rule) }), lower >= 2,
            rows[(lower + 1)...].allSatisfy({ $0.isBlank || $0.indent >= 2 })
        else { return nil }
        var first = lower - 1
        while !hasSign(rows[first], composer) {
            // What does not fit the screen is above the rule, the sign with it.
            if isUpperRule(rows[first], composer), !composer.scrolled.isEmpty, first < lower - 1,
                rows[first].text.utf8.contains(sequence: composer.scrolled.utf8)
            {
                return (.draft, first, (first + 1)..<lower, lower + 1)
            }
            guard rows[first].isBlank || rows[first].indent >= 2, first > 1 else { return nil }
            first -= 1
        }
        guard first > 0, isUpperRule(rows[first - 1], composer) else { return nil }
        let footer = rows[(lower + 1)...]
        let state = state(composer, first: first, rest: rows[(first + 1)..<lower], footer: footer)
        return (state, first - 1, first..<lower, lower + 1)
    }

    /// The sign in the first column, more rows of text, all of them indented, and beneath them a row that only an agent
    /// with a session has.
    private func openComposer(_ composer: ScreenFacts.Composer) -> Composer? {
        guard let first = rows.lastIndex(where: { hasSign($0, composer) }), optionNumber(rows[first]) == nil,
            let footer = rows[(first + 1)...].lastIndex(where: { row in
                composer.footers.contains { row.text.utf8.contains(sequence: $0.utf8) }
            }),
            rows[(first + 1)...].allSatisfy({ $0.isBlank || $0.indent >= 2 })
        else { return nil }
        // A gap is between the text and the row beneath, and no more than hints come after that.
        guard rows.count - footer <= 4 else { return nil }
        let state = state(composer, first: first, rest: rows[(first + 1)..<footer], footer: rows[footer...])
        return (state, first, first..<footer, footer)
    }

    private func readDraft(into reading: inout ScreenReading, _ composer: Composer) {
        guard let words = facts.composer else { return }
        let first = composer.text.lowerBound
        for index in composer.text where index == first || !rows[index].isDim(0) {
            let text = rows[index].text
            guard index == first else {
                reading.draft.append(text)
                continue
            }
            let typed = text.dropping(prefix: words.sign) ?? text[...]
            let hasMore = !words.scrolled.isEmpty && typed.hasSuffix(bytes: words.scrolled)
            reading.draft.append(
                hasMore ? typed[..<typed.utf8.index(typed.endIndex, offsetBy: -words.scrolled.utf8.count)] : typed
            )
        }
        let draft = reading.draft.bytes
        reading.isPaste = words.pastes.contains { paste in
            let sign = SqueezedText(paste).bytes
            // One sign: a bracket in the middle ends it.
            return draft.starts(with: sign) && draft.firstIndex(of: UInt8(ascii: "]")) == draft.count - 1
        }
    }

    private func state(
        _ composer: ScreenFacts.Composer,
        first: Int,
        rest: ArraySlice<Row>,
        footer: ArraySlice<Row>
    ) -> ScreenReading.Composer {
        if footer.contains(where: { row in composer.modes.contains { row.text.utf8.contains(sequence: $0.utf8) } }) {
            return .commands
        }
        let row = rows[first]
        let text = row.text.dropping(prefix: composer.sign) ?? ""
        let isEmpty = text.utf8.allSatisfy { $0 == UInt8(ascii: " ") } || row.isDim(composer.sign.unicodeScalars.count)
        return isEmpty && rest.allSatisfy { $0.isBlank || $0.isDim(0) } ? .empty : .draft
    }

    private func hasSign(_ row: Row, _ composer: ScreenFacts.Composer) -> Bool {
        // An empty one has lost the space after the sign together with that at the row's end.
        row.text.hasPrefix(bytes: composer.sign) || composer.sign.hasPrefix(bytes: row.text) && !row.isBlank
    }

    private func isUpperRule(_ row: Row, _ composer: ScreenFacts.Composer) -> Bool {
        row.text.hasPrefix(bytes: composer.rule + composer.rule)
    }

    private func isRule(_ row: Row, _ rule: String) -> Bool {
        let scalars = row.text.unicodeScalars
        guard let sign = rule.unicodeScalars.first, scalars.count >= 10 else { return false }
        return scalars.allSatisfy { $0 == sign }
    }

    // MARK: Dialogs

    private func readDialog(into reading: inout ScreenReading, _ visible: ArraySlice<Row>) {
        let pointer = visible.lastIndex { pointed($0) != nil }
        // One line with a sign before it may be a composer that is not drawn to its end.
        reading.hasOptions = pointer.map { optionNumber(rows[$0]) != nil || options($0).labels.count > 1 } ?? false
        if let pointer, let found = questionSign(visible) {
            reading.question = question(found, pointer: pointer)
            return
        }
        reading.hold = has(facts.holds, in: visible)?.word
        if reading.hold == nil { reading.dialog = has(facts.dialogs, in: visible)?.word }
    }

    /// The question whose text is lowest on the screen.
    private func questionSign(_ visible: ArraySlice<Row>) -> (sign: ScreenFacts.Sign, row: Int)? {
        for index in visible.indices.reversed() {
            for sign in facts.questions where contains(rows[index], sign) { return (sign, index) }
        }
        return nil
    }

    private func question(_ found: (sign: ScreenFacts.Sign, row: Int), pointer: Int) -> AgentQuestion {
        let (options, first) = options(pointer)
        var tool = found.sign.word
        if tool == "?" {
            let title = rows[..<found.row].reversed().prefix(Self.reach).lazy.compactMap { row in
                facts.titles.first { row.trimmed.hasPrefix(bytes: $0.text) }
            }.first
            tool = title?.word ?? "permission"
        }
        let kind: AgentQuestion.Kind = tool == "plan" ? .plan : tool == "question" ? .question : .permission
        return AgentQuestion(kind: kind, tool: tool, subject: subject(kind, above: first), options: options.map(option))
    }

    private func subject(_ kind: AgentQuestion.Kind, above first: Int) -> String {
        if kind == .plan { return "" }
        if kind == .question {
            return rows[..<first].last { !$0.isBlank }.map { String($0.trimmed) } ?? ""
        }
        for row in rows[..<first].reversed().prefix(Self.reach) {
            for mark in facts.subjectMarks {
                if let text = row.trimmed.dropping(prefix: mark) { return String(text) }
            }
        }
        guard !facts.subjectRule.isEmpty,
            let lower = rows[..<first].lastIndex(where: { isRule($0, facts.subjectRule) }),
            let upper = rows[..<lower].lastIndex(where: { isRule($0, facts.subjectRule) })
        else { return "" }
        return rows[(upper + 1)..<lower].map { String($0.trimmed) }.joined(separator: " ")
    }

    /// The options around the chosen one, and the row of the first. A row that is indented further goes on with the one
    /// before.
    private func options(_ pointer: Int) -> (labels: [String], first: Int) {
        guard let chosen = pointed(rows[pointer]) else { return ([], pointer) }
        var first = pointer
        while first > 0, !rows[first - 1].isBlank, rows[first - 1].indent >= chosen.column { first -= 1 }
        var labels: [String] = []
        for index in first..<rows.count {
            let row = rows[index]
            if row.isBlank { break }
            if index == pointer {
                labels.append(String(chosen.text))
            } else if row.indent == chosen.column {
                labels.append(String(row.trimmed))
            } else if row.indent > chosen.column, !labels.isEmpty {
                labels[labels.count - 1] += " " + row.trimmed
            } else {
                break
            }
        }
        return (labels, first)
    }

    /// An answer with its key: the number before it, or the key in brackets after it.
    private func option(_ text: String) -> AgentQuestion.Option {
        let digits = Self.digits(text)
        let label = digits.flatMap { text.dropping(prefix: $0 + ".") }.map { String($0) } ?? text
        switch facts.answerKeys {
        case .none: return AgentQuestion.Option(label)
        case .numbers: return AgentQuestion.Option(label, key: digits)
        case .brackets:
            guard label.hasSuffix(bytes: ")"), let open = label.lastIndex(byte: "(") else {
                return AgentQuestion.Option(label)
            }
            let key = String(label[label.index(after: open)...].dropLast())
            // A word in brackets is a part of the answer.
            let isKey = key.utf8.count == 1 || key.isSame(bytes: "esc")
            return AgentQuestion.Option(isKey ? String(label[..<open]) : label, key: isKey ? key : nil)
        }
    }

    /// The text of a row that begins with a pointer, and the column of that text.
    private func pointed(_ row: Row) -> (text: Substring, column: Int)? {
        let trimmed = row.trimmed
        for pointer in facts.pointers {
            guard let rest = trimmed.dropping(prefix: pointer + " "), !rest.isEmpty else { continue }
            return (rest, row.indent + pointer.unicodeScalars.count + 1)
        }
        return nil
    }

    /// The number before an option.
    private func optionNumber(_ row: Row) -> String? { pointed(row).flatMap { Self.digits($0.text) } }

    /// The number that a text begins with, and a period after it.
    private static func digits(_ text: some StringProtocol) -> String? {
        let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...3).contains(digits.count), text.utf8.dropFirst(digits.count).first == UInt8(ascii: ".") else {
            return nil
        }
        return String(decoding: digits, as: UTF8.self)
    }

    // MARK: Texts

    private func has(_ signs: [ScreenFacts.Sign], in rows: ArraySlice<Row>) -> ScreenFacts.Sign? {
        signs.first { sign in rows.contains { contains($0, sign) } }
    }

    private func contains(_ row: Row, _ sign: ScreenFacts.Sign) -> Bool {
        row.text.utf8.contains(sequence: sign.text.utf8)
    }
}

extension Collection<UInt8> {
    /// Whether bytes are among these.
    fileprivate func contains(sequence: some Collection<UInt8>) -> Bool {
        guard let first = sequence.first else { return true }
        var rest = self[...]
        while let place = rest.firstIndex(of: first) {
            rest = rest[place...]
            if rest.starts(with: sequence) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
