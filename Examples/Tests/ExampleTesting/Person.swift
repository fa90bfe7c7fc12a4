// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore
package import RiffScreen
package import RiffTransport

/// A person in front of a terminal: sees what is on it, as our own screen shows it, and types.
package final class Person {
    package static let size = TerminalSize(columns: 90, rows: 20)
    /// The key that begins a command.
    package static let prefix = "\u{1D}"

    package let terminal: LocalPTYTerminal
    package private(set) var screen = Screen(size: size)
    package private(set) var events: [ScreenEvent] = []
    /// All that the program wrote so far, as it came.
    package private(set) var written: [UInt8] = []
    private var output: TerminalOutput.Iterator

    package init(_ terminal: LocalPTYTerminal) {
        self.terminal = terminal
        output = terminal.output.makeAsyncIterator()
    }

    /// What stands at the end, the other way round: the status line, also where it takes several rows.
    package var status: String {
        let rows = screen.picture.rows.map(\.cells)
        let first = rows.lastIndex { row in !row.allSatisfy { $0.style.attributes.contains(.reverse) } } ?? -1
        return rows[(first + 1)...].joined().map { $0.text.isEmpty && $0.width > 0 ? " " : $0.text }.joined()
    }

    package func type(_ text: String) async throws { try await terminal.write(Array(text.utf8)) }

    /// Looks until something is to be seen.
    package func waits(for what: String, until isSeen: (Screen) -> Bool) async throws {
        while !isSeen(screen) {
            guard let bytes = await output.next() else {
                throw Blind(
                    description: "The terminal ended before this was seen: \(what). It shows:\n\(screen.visibleText)"
                )
            }
            take(bytes)
        }
    }

    package func sees(_ text: String) async throws { try await waits(for: text) { $0.visibleText.contains(text) } }

    /// Until the status line has this in it.
    package func isTold(_ text: String) async throws {
        try await waits(for: text) { [self] _ in status.contains(text) }
    }

    /// Until the program is gone.
    package func watchesTheEnd() async throws {
        while let bytes = await output.next() {
            take(bytes)
        }
        try Task.checkCancellation()
    }

    private func take(_ bytes: [UInt8]) {
        written += bytes
        screen.feed(bytes)
        events += screen.takeEvents()
    }

    package func resizes(to size: TerminalSize) async throws {
        screen.resize(to: size)
        try await terminal.resize(to: size)
    }

    package struct Blind: Error, CustomStringConvertible { package let description: String }
}
