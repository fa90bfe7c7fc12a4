// Riff
// SPDX-License-Identifier: Apache-2.0

extension InlineParser {
    /// Reads a run of `*` or `_`.
    mutating func readRun(_ bytes: Bytes, _ at: inout Int, _ end: Int) {
        let start = at
        let mark = bytes[start]
        while at < end, bytes[at] == mark { at += 1 }
        let (before, after) = (classBefore(bytes, start), classAfter(bytes, at, end))
        let (left, right) = flanks(before, after)
        let isWordMark = mark == UInt8(ascii: "_")
        let canOpen = left && (!isWordMark || !right || before == .punctuation)
        let canClose = right && (!isWordMark || !left || after == .punctuation)
        guard canOpen || canClose else { return addText(start, at) }
        let isInWord = before == .other && after == .other
        add(mark, start, at, canOpen: canOpen, canClose: canClose, isInWord: isInWord)
    }

    /// Reads a run of `~`: one or two strike, and more mean nothing.
    mutating func readTildes(_ bytes: Bytes, _ at: inout Int, _ end: Int) {
        let start = at
        while at < end, bytes[at] == UInt8(ascii: "~"), at - start < 100 { at += 1 }
        let before = bytes.characterClass(endingAt: start, from: 0)
        let after = bytes.characterClass(at: at, before: end)
        let (left, right) = flanks(before, after)
        guard left || right, at - start <= 2 else { return addText(start, at) }
        // "~5" means "about five".
        let isInWord = (before == .other && after == .other) || (at < end && bytes[at].isDigit)
        add(UInt8(ascii: "~"), start, at, canOpen: left, canClose: right, isInWord: isInWord)
    }

    private func flanks(_ before: CharacterClass, _ after: CharacterClass) -> (left: Bool, right: Bool) {
        (
            after != .space && (after != .punctuation || before != .other),
            before != .space && (before != .punctuation || after != .other)
        )
    }

    /// The class of what is before a run; where tildes strike, they are looked through.
    private func classBefore(_ bytes: Bytes, _ place: Int) -> CharacterClass {
        var at = place
        if extensions.contains(.strikethrough) {
            while at > 1, bytes[at - 1] == UInt8(ascii: "~") { at -= 1 }
            if at == 1, bytes[0] == UInt8(ascii: "~") { return .space }
        }
        return bytes.characterClass(endingAt: at, from: 0)
    }

    private func classAfter(_ bytes: Bytes, _ place: Int, _ end: Int) -> CharacterClass {
        var at = place
        if extensions.contains(.strikethrough) {
            while at < end, bytes[at] == UInt8(ascii: "~") { at += 1 }
        }
        return bytes.characterClass(at: at, before: end)
    }

    private mutating func add(
        _ mark: UInt8,
        _ start: Int,
        _ end: Int,
        canOpen: Bool,
        canClose: Bool,
        isInWord: Bool
    ) {
        let index = Int32(truncatingIfNeeded: delimiters.count)
        delimiters.append(
            Delimiter(
                token: Int32(truncatingIfNeeded: tokens.count),
                mark: mark,
                canOpen: canOpen,
                canClose: canClose,
                isInWord: isInWord,
                length: Int32(truncatingIfNeeded: end - start),
                previous: lastDelimiter
            )
        )
        if lastDelimiter >= 0 { delimiters[Int(lastDelimiter)].next = index } else { firstDelimiter = index }
        lastDelimiter = index
        tokens.append(InlineToken(.run, start, end))
    }

    mutating func remove(_ index: Int32) {
        let delimiter = delimiters[Int(index)]
        delimiters[Int(index)].isRemoved = true
        if delimiter.next >= 0 { delimiters[Int(delimiter.next)].previous = delimiter.previous }
        if delimiter.previous >= 0 {
            delimiters[Int(delimiter.previous)].next = delimiter.next
        } else {
            firstDelimiter = delimiter.next
        }
        if lastDelimiter == index { lastDelimiter = delimiter.previous }
    }

    /// Pairs the runs above one in the list, and takes them out. Runs that nothing closes end at a place all the same
    /// if there is one; else they are text.
    mutating func matchEmphasis(above bottom: Int32, closingAllAt end: Int? = nil) {
        guard lastDelimiter > bottom else { return }
        var search = OpenerSearch(bottom: bottom)
        var closer = bottom >= 0 ? delimiters[Int(bottom)].next : firstDelimiter
        while closer >= 0 {
            let current = delimiters[Int(closer)]
            guard current.canClose else {
                closer = current.next
                continue
            }
            let opener = search.opener(of: closer, in: delimiters)
            if opener < 0 {
                // It may be an opener for another.
                if !current.canOpen { remove(closer) }
                closer = current.next
            } else if current.mark == UInt8(ascii: "~") {
                let isPair = delimiters[Int(opener)].length == current.length
                if isPair { strike(opener, closer) } else { search.noteUnequal(opener, closer, current) }
                closer = current.next
            } else {
                closer = pair(opener, closer)
            }
        }
        if let end { closeOpenEmphasis(end: end) }
        while lastDelimiter >= 0, lastDelimiter > bottom { remove(lastDelimiter) }
    }

    /// Makes emphasis of one mark, or strong emphasis of two, out of each run.
    ///
    /// - Returns: The next closer to look at.
    private mutating func pair(_ opener: Int32, _ closer: Int32) -> Int32 {
        let (open, close) = (Int(delimiters[Int(opener)].token), Int(delimiters[Int(closer)].token))
        let used: Int32 = tokens[open].range.count >= 2 && tokens[close].range.count >= 2 ? 2 : 1
        tokens[open].end -= used
        tokens[close].start += used
        addPair(used == 2 ? .strong : .emphasis, open, close, start: tokens[open].end, end: tokens[close].start)
        removeBetween(opener, closer)
        if tokens[open].start == tokens[open].end { remove(opener) }
        guard tokens[close].start == tokens[close].end else { return closer }
        let next = delimiters[Int(closer)].next
        remove(closer)
        return next
    }

    private mutating func strike(_ opener: Int32, _ closer: Int32) {
        let (open, close) = (Int(delimiters[Int(opener)].token), Int(delimiters[Int(closer)].token))
        let (start, end) = (tokens[open].start, tokens[close].end)
        tokens[open].end = start
        tokens[close].start = end
        addPair(.strikethrough, open, close, start: start, end: end)
        removeBetween(opener, closer)
        remove(opener)
        remove(closer)
    }

    private mutating func removeBetween(_ opener: Int32, _ closer: Int32) {
        var between = delimiters[Int(closer)].previous
        while between >= 0, between != opener {
            let previous = delimiters[Int(between)].previous
            remove(between)
            between = previous
        }
    }

    mutating func addPair(_ tag: NodeTag, _ open: Int, _ close: Int, start: Int32, end: Int32) {
        let index = Int32(truncatingIfNeeded: pairs.count)
        pairs.append(EmphasisPair(tag: tag, start: start, end: end, inner: tokens[open].value))
        tokens[open].value = index
        // A run closes its pairs one right after the other.
        if tokens[close].closes == 0 { tokens[close].extra = index }
        tokens[close].closes += 1
    }
}
