// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import RiffTransport
import Testing

/// A person in front of a terminal: sees what is on it, as our own screen shows it, and types.
final class Person {
    static let size = TerminalSize(columns: 90, rows: 20)
    /// The key that begins a command.
    static let prefix = "\u{1D}"

    let terminal: LocalPTYTerminal
    private(set) var screen = Screen(size: size)
    private(set) var events: [ScreenEvent] = []
    private var output: TerminalOutput.Iterator

    init(_ terminal: LocalPTYTerminal) {
        self.terminal = terminal
        output = terminal.output.makeAsyncIterator()
    }

    /// What stands at the end, the other way round: the status line, also where it takes several rows.
    var status: String {
        let rows = screen.picture.rows.map(\.cells)
        let first = rows.lastIndex { row in !row.allSatisfy { $0.style.attributes.contains(.reverse) } } ?? -1
        return rows[(first + 1)...].joined().map { $0.text.isEmpty && $0.width > 0 ? " " : $0.text }.joined()
    }

    func type(_ text: String) async throws { try await terminal.write(Array(text.utf8)) }

    /// Looks until something is to be seen.
    func waits(for what: String, until isSeen: (Screen) -> Bool) async throws {
        while !isSeen(screen) {
            guard let bytes = await output.next() else {
                throw Blind(
                    description: "The terminal ended before this was seen: \(what). It shows:\n\(screen.visibleText)"
                )
            }
            screen.feed(bytes)
            events += screen.takeEvents()
        }
    }

    func sees(_ text: String) async throws { try await waits(for: text) { $0.visibleText.contains(text) } }

    /// Until the status line has this in it.
    func isTold(_ text: String) async throws { try await waits(for: text) { [self] _ in status.contains(text) } }

    /// Until the program is gone.
    func watchesTheEnd() async throws {
        while let bytes = await output.next() {
            screen.feed(bytes)
            events += screen.takeEvents()
        }
        try Task.checkCancellation()
    }

    func resizes(to size: TerminalSize) async throws {
        screen.resize(to: size)
        try await terminal.resize(to: size)
    }

    struct Blind: Error, CustomStringConvertible { let description: String }
}
