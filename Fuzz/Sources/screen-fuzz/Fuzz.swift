// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen

/// What libFuzzer calls with each input: bytes as a program may write them, sizes in between, and then everything that
/// can be asked of a screen.
// libFuzzer brings `main`; this package has none.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 3 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var limits = Screen.Limits()
    limits.scrollbackBytes = 16 * 1024
    var whole = Screen(size: size(bytes[0], bytes[1]), limits: limits)
    var pieces = whole
    // The third byte says how the rest is cut.
    let chunk = Int(bytes[2]) % 16 + 1
    var rest = bytes[3...]
    while !rest.isEmpty {
        // A byte that UTF-8 does not have, and two more, are a new size.
        let part = rest.prefix { $0 != 0xFE }
        rest = rest.dropFirst(part.count)
        whole.feed(part)
        for start in stride(from: part.startIndex, to: part.endIndex, by: chunk) {
            pieces.feed(part[start..<min(start + chunk, part.endIndex)])
        }
        check(whole)
        guard rest.count > 2 else { break }
        let new = size(rest[rest.startIndex + 1], rest[rest.startIndex + 2])
        rest = rest.dropFirst(3)
        whole.resize(to: new)
        pieces.resize(to: new)
        check(whole)
    }
    let lines = whole.lines
    precondition(lines == pieces.lines && whole.cursor == pieces.cursor, "A screen depends on how the bytes are cut.")
    precondition(whole.picture(of: lines) == pieces.picture(of: lines), "A screen depends on how the bytes are cut.")
    precondition(whole.takeReplies() == pieces.takeReplies(), "Replies depend on how the bytes are cut.")
    ask(whole)
    return 0
}

private func size(_ columns: UInt8, _ rows: UInt8) -> TerminalSize {
    TerminalSize(columns: Int(columns) % 48 + 1, rows: Int(rows) % 12 + 1)
}

private func check(_ screen: Screen) {
    let (size, cursor) = (screen.size, screen.cursor)
    // A full-screen program's cursor stays where it was when the screen becomes narrower, until something is written.
    let isBeyond = cursor.column > size.columns && !screen.isAlternate
    precondition((0..<size.rows).contains(cursor.row) && cursor.column >= 0 && !isBeyond, "A lost cursor.")
    precondition(screen.visibleLines.count == size.rows, "Rows are missing.")
    precondition(
        screen.visibleLines.allSatisfy { screen.cells(ofLine: $0).count == size.columns },
        "Cells are missing."
    )
    precondition(screen.lines.count < 1000 && screen.replies.count < 16 * 1024, "It grows without bound.")
}

/// Nothing that can be asked may fail, and what is found is where it is said to be.
private func ask(_ screen: Screen) {
    let all =
        ScreenPosition(
            line: screen.lines.lowerBound,
            column: 0
        )..<ScreenPosition(
            line: screen.lines.upperBound,
            column: 0
        )
    _ = screen.text(in: all)
    let picture = screen.picture
    _ = (picture.ansi, picture.html(), picture.svg(title: screen.title))
    for link in screen.links(in: screen.lines) {
        precondition(!link.range.isEmpty && screen.lines.contains(link.range.lowerBound.line), "A link is nowhere.")
    }
    for place in [screen.visibleLines.lowerBound, screen.visibleLines.upperBound - 1] {
        for column in [0, screen.size.columns / 2, screen.size.columns - 1] {
            let position = ScreenPosition(line: place, column: column)
            if let word = screen.word(at: position) { precondition(word.contains(position), "A word is elsewhere.") }
            if let link = screen.link(at: position) {
                precondition(link.range.contains(position), "A link is elsewhere.")
            }
        }
    }
    for found in screen.find(ScreenSearch("a"), limit: 10) {
        // Not as a Character: marks may stand on it.
        let isThere = screen.text(in: found).unicodeScalars.contains { $0 == "a" || $0 == "A" }
        precondition(isThere, "What was found is not there.")
    }
}
