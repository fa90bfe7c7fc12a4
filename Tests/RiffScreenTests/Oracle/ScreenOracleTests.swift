// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffScreen
import RiffTesting
import TestSupport
import Testing

extension InTurn {
    /// A screen and a real tmux pane are given the same, and show the same. RIFF_SCREEN_STREAMS is how many random
    /// streams are tried, RIFF_SCREEN_SEED where they begin.
    @Suite(.timeLimit(.minutes(20)), .enabled(if: TmuxOracle.isHere, "needs tmux 3.3a"))
    struct ScreenOracleTests {
        @Test func `random streams show the same cells, cursor and scrollback`() async throws {
            let environment = ProcessInfo.processInfo.environment
            let count = environment["RIFF_SCREEN_STREAMS"].flatMap { UInt64($0) } ?? 200
            let first = environment["RIFF_SCREEN_SEED"].flatMap { UInt64($0) } ?? 1
            try await TmuxOracle.with { tmux in
                for seed in first..<first + count {
                    let stream = StreamMaker.stream(seed)
                    let difference = try await Self.difference(stream, tmux)
                    #expect(difference == nil, "stream \(seed), \(stream)")
                }
            }
        }

        @Test func `a recorded pane of Claude Code shows the same at every step`() async throws {
            let bytes = try Fixture.bytes("claude/pane.bin")
            let size = TerminalSize(columns: 100, rows: 30)
            try await TmuxOracle.with { tmux in
                let pane = try await tmux.makePane(size)
                var screen = Screen(size: size)
                for start in stride(from: 0, to: bytes.count, by: 1999) {
                    screen.feed(try await tmux.feed(Array(bytes[start..<min(start + 1999, bytes.count)]), to: pane))
                    let shown = try await tmux.picture(of: pane)
                    #expect(Self.difference(screen, shown) == nil, "after \(start) bytes")
                }
                try await tmux.resize(pane, to: TerminalSize(columns: 61, rows: 20))
                screen.resize(to: TerminalSize(columns: 61, rows: 20))
                #expect(Self.difference(screen, try await tmux.picture(of: pane)) == nil, "after the resize")
            }
        }

        @Test(arguments: [
            "👩\u{200D}💻x", "a\u{200D}\u{301}b", "é\u{200D}日x", "\u{200D}b", "👨\u{200D}👩\u{200D}👧\u{200D}👦x",
            "a\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}b",
        ])
        func `joined characters are joined as in tmux`(text: String) async throws {
            let size = TerminalSize(columns: 12, rows: 3)
            try await TmuxOracle.with { tmux in
                let difference = try await Self.difference(
                    ScreenStream(size: size, steps: [.feed(Array(text.utf8))]),
                    tmux
                )
                #expect(difference == nil)
            }
        }

        @Test(arguments: KnownDifference.allCases)
        func `what is known to differ does`(known: KnownDifference) async throws {
            try await TmuxOracle.with { tmux in
                let difference = try await Self.difference(known.stream, tmux, includingErasedTails: true)
                #expect(difference != nil)
            }
        }

        // MARK: Comparing

        static func difference(
            _ stream: ScreenStream,
            _ tmux: TmuxOracle,
            includingErasedTails: Bool = false
        ) async throws -> String? {
            let pane = try await tmux.makePane(stream.size)
            var screen = Screen(size: stream.size)
            for step in stream.steps {
                switch step {
                case .feed(let bytes): screen.feed(try await tmux.feed(bytes, to: pane))
                case .resize(let size):
                    try await tmux.resize(pane, to: size)
                    screen.resize(to: size)
                }
            }
            let shown = try await tmux.picture(of: pane)
            try await tmux.close(pane)
            return difference(screen, shown, includingErasedTails: includingErasedTails)
        }

        static func difference(
            _ screen: Screen,
            _ shown: TmuxOracle.Picture,
            includingErasedTails: Bool = false
        ) -> String? {
            guard screen.isAlternate == shown.isAlternate else { return "the other screen is shown" }
            guard screen.cursor.row == shown.cursor.row, screen.cursor.column == shown.cursor.column else {
                return "cursor \(screen.cursor.column),\(screen.cursor.row), tmux \(shown.cursor)"
            }
            // The alternate screen has no scrollback of its own here.
            let lines = shown.isAlternate ? screen.visibleLines : screen.lines
            let rows = shown.isAlternate ? shown.rows.suffix(screen.size.rows) : shown.rows[...]
            guard lines.count == rows.count else { return "\(lines.count) lines, tmux \(rows.count)" }
            for (line, row) in zip(lines, rows) {
                let count = includingErasedTails ? screen.size.columns : screen.writtenCount(ofLine: line)
                let mine = screen.rawCells(ofLine: line).prefix(count).compactMap(CapturedCell.init).flatMap(\.pieces)
                if trimmed(mine[...]) != trimmed(row[...]) { return "line \(line): \(mine) tmux \(row)" }
            }
            return nil
        }

        private static func trimmed(_ cells: ArraySlice<CapturedCell>) -> ArraySlice<CapturedCell> {
            let blank = CapturedCell(text: " ", look: CapturedLook())
            return cells.prefix((cells.lastIndex { $0 != blank } ?? -1) + 1)
        }
    }
}
