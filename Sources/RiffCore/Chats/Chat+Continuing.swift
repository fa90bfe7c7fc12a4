// Riff
// SPDX-License-Identifier: Apache-2.0

extension Chat {
    /// A history, and the live chat in which it goes on, as one list: a Hermes session read from its database, say, and
    /// then held over the Agent Client Protocol.
    ///
    /// Some agents send the history again when a session is loaded. What the live chat begins with and the history ends
    /// with is there once, as the live chat has it: the longest run in which people and agents say the same words, if
    /// it is more than one entry.
    ///
    /// - Parameter live: The chat that goes on.
    /// - Returns: The live chat, which has the history before its entries. Names of entries stay unique and do not
    ///   change while the live chat grows.
    public func continued(by live: Chat) -> Chat {
        let past = entries.indices.filter { entries[$0].isSaid }
        let new = live.entries.indices.filter { live.entries[$0].isSaid }
        var overlap = Self.overlap(
            past.map { SaidWords(entries[$0]) },
            new.map { SaidWords(live.entries[$0]) }
        )
        // A person who says one thing twice, and was not answered in between, said it twice.
        if overlap == 1, past.count > 1 { overlap = 0 }
        let end = overlap == 0 ? entries.count : past[past.count - overlap]
        var result = live
        result.title = live.title ?? title
        result.model = live.model ?? model
        result.directory = live.directory ?? directory
        result.entries =
            entries[..<end].map { $0.renamed("past:") } + live.entries.map { $0.renamed("live:") }
        return result
    }

    /// The number of elements that end one list and begin another; by borders, in linear time.
    static func overlap<Element: Hashable>(_ first: [Element], _ second: [Element]) -> Int {
        guard !first.isEmpty, !second.isEmpty else { return 0 }
        var borders = [Int](repeating: 0, count: second.count)
        for index in second.indices.dropFirst() {
            var length = borders[index - 1]
            while length > 0, second[index] != second[length] { length = borders[length - 1] }
            borders[index] = second[index] == second[length] ? length + 1 : length
        }
        var matched = 0
        for element in first {
            if matched == second.count { matched = borders[matched - 1] }
            while matched > 0, element != second[matched] { matched = borders[matched - 1] }
            if element == second[matched] { matched += 1 }
        }
        return matched
    }
}

/// The words of an entry without the space around them, compared by bytes.
private struct SaidWords: Hashable {
    let isPerson: Bool
    let words: ByteName

    init(_ entry: ChatEntry) {
        isPerson = entry.role == .user
        words = ByteName(entry.trimmedText)
    }
}

extension ChatEntry {
    fileprivate var isSaid: Bool { (role == .user || role == .assistant) && !trimmedText.isEmpty }

    /// The text without ASCII space around it.
    fileprivate var trimmedText: String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let rest = text.utf8.drop(while: isSpace)
        guard let last = rest.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(text[rest.startIndex...last])
    }

    fileprivate func renamed(_ prefix: String) -> ChatEntry {
        ChatEntry(
            id: prefix + id,
            role: role,
            text: text,
            time: time,
            model: model,
            toolCalls: toolCalls,
            attachments: attachments,
            state: state,
            extra: extra
        )
    }
}
