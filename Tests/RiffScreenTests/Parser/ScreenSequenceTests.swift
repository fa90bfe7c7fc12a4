// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import RiffTesting
import Testing

/// What is written, and what is then shown: the rows, and where the cursor is.
struct SequenceCase: Sendable, CustomTestStringConvertible {
    var input: String
    var rows: [String]
    var cursor: (column: Int, row: Int)

    init(_ input: String, _ rows: [String], _ column: Int, _ row: Int) {
        self.input = input
        self.rows = rows
        cursor = (column, row)
    }

    var testDescription: String { input.debugDescription }
}

struct ScreenSequenceTests {
    static let cases: [SequenceCase] = [
        // Text and controls.
        SequenceCase("ab\r\nc", ["ab", "c"], 1, 1),
        SequenceCase("12345678", ["12345678"], 8, 0),
        SequenceCase("123456789", ["12345678", "9"], 1, 1),
        SequenceCase("12345678\r\n9", ["12345678", "9"], 1, 1),
        SequenceCase("ab\u{8}c\u{8}\u{8}\u{8}d", ["dc"], 1, 0),
        SequenceCase("123456789\u{8}\u{8}x", ["1234567x", "9"], 8, 0),
        SequenceCase("a\tb", ["a      b"], 8, 0),
        SequenceCase("a\u{B}b\u{C}c", ["a", " b", "  c"], 3, 2),
        SequenceCase("a\u{0}\u{7F}\u{1}b", ["ab"], 2, 0),
        SequenceCase("日本語", ["日本語"], 6, 0),
        SequenceCase("1234567日", ["1234567", "日"], 2, 1),
        SequenceCase("e\u{301}x", ["e\u{301}x"], 2, 0),
        SequenceCase("\u{301}x", ["x"], 1, 0),
        SequenceCase("日本\u{1B}[1;2Hx", ["日x本"], 2, 0),
        SequenceCase("a日本\u{1B}[1;3Hx", ["a x本"], 3, 0),
        SequenceCase("日\u{1B}[1;1Hx", ["x"], 1, 0),
        // The cursor.
        SequenceCase("\u{1B}[3;4Hx", ["", "", "   x"], 4, 2),
        SequenceCase("\u{1B}[99;99Hx", ["", "", "", "       x"], 8, 3),
        SequenceCase("\u{1B}[2;2H\u{1B}[Ax", [" x"], 2, 0),
        SequenceCase("\u{1B}[2Bx\u{1B}[Dy\u{1B}[2Cz", ["", "", "y  z"], 4, 2),
        SequenceCase("a\u{1B}[Eb\u{1B}[Fc", ["c", "b"], 1, 0),
        SequenceCase("abc\u{1B}[2Gx\u{1B}[3dy\u{1B}[5`z", ["axc", "", "  y z"], 5, 2),
        SequenceCase("ab\u{1B}7\u{1B}[3;3Hc\u{1B}8d", ["abd", "", "  c"], 3, 0),
        SequenceCase("ab\u{1B}[s\u{1B}[3;3Hc\u{1B}[ud", ["abd", "", "  c"], 3, 0),
        SequenceCase("\u{1B}[1;4H\u{1B}H\r\tx\u{1B}[3g\r\ty", ["   x   y"], 8, 0),
        SequenceCase("\u{1B}[1;8H\u{1B}[Zx", ["x"], 1, 0),
        SequenceCase("\u{1B}[Ix", ["       x"], 8, 0),
        SequenceCase("\u{1B}[2ax\u{1B}[ey", ["  x", "   y"], 4, 1),
        // Erasing.
        SequenceCase("abcd\r\nefgh\u{1B}[1;3H\u{1B}[J", ["ab"], 2, 0),
        SequenceCase("abcd\r\nefgh\u{1B}[2;2H\u{1B}[1J", ["", "  gh"], 1, 1),
        SequenceCase("abcd\r\nefgh\u{1B}[2J", [], 4, 1),
        SequenceCase("abcd\u{1B}[1;3H\u{1B}[K", ["ab"], 2, 0),
        SequenceCase("abcd\u{1B}[1;3H\u{1B}[1K", ["   d"], 2, 0),
        SequenceCase("abcd\u{1B}[1;3H\u{1B}[2K", [], 2, 0),
        SequenceCase("abcd\u{1B}[1;2H\u{1B}[2X", ["a  d"], 1, 0),
        // Inserting and deleting.
        SequenceCase("abcd\u{1B}[1;2H\u{1B}[2@", ["a  bcd"], 1, 0),
        SequenceCase("abcd\u{1B}[1;2H\u{1B}[2P", ["ad"], 1, 0),
        SequenceCase("a\r\nb\r\nc\u{1B}[2;1H\u{1B}[L", ["a", "", "b", "c"], 0, 1),
        SequenceCase("a\r\nb\r\nc\u{1B}[2;1H\u{1B}[M", ["a", "c"], 0, 1),
        SequenceCase("a\u{1B}[4h\rb\u{1B}[4lc", ["bc"], 2, 0),
        SequenceCase("ab\u{1B}[3b", ["abbbb"], 5, 0),
        // Scrolling.
        SequenceCase("a\r\nb\r\nc\r\nd\r\ne", ["b", "c", "d", "e"], 1, 3),
        SequenceCase("a\r\nb\r\nc\r\nd\u{1B}[2;3r\u{1B}[3;1H\nx", ["a", "c", "x", "d"], 1, 2),
        SequenceCase("a\r\nb\r\nc\u{1B}[H\u{1B}Mx", ["x", "a", "b", "c"], 1, 0),
        SequenceCase("a\r\nb\r\nc\u{1B}[S", ["b", "c"], 1, 2),
        SequenceCase("a\r\nb\r\nc\u{1B}[T", ["", "a", "b", "c"], 1, 2),
        SequenceCase("a\u{1B}Db\u{1B}Ec", ["a", " b", "c"], 1, 2),
        // Modes.
        SequenceCase("\u{1B}[?7l123456789", ["12345679"], 7, 0),
        SequenceCase("\u{1B}[2;3r\u{1B}[?6h\u{1B}[1;1Hx\u{1B}[9;1Hy", ["", "x", "y"], 1, 2),
        SequenceCase("a\u{1B}[?1049hb\u{1B}[?1049lc", ["ac"], 2, 0),
        SequenceCase("a\u{1B}[?47hb", [" b"], 2, 0),
        SequenceCase("ab\u{1B}[?1048hcd\u{1B}[?1048lx", ["abxd"], 3, 0),
        SequenceCase("\u{1B}#8\u{1B}[2;2H\u{1B}[1J", ["", "  EEEEEE", "EEEEEEEE", "EEEEEEEE"], 1, 1),
        SequenceCase("ab\u{1B}cx", ["x"], 1, 0),
        SequenceCase("\u{1B}[2;3r\u{1B}[!p\u{1B}[4;1H\nx", ["", "", "", "x"], 1, 3),
        // Character sets.
        SequenceCase("\u{1B}(0lqk\u{1B}(Blqk", ["┌─┐lqk"], 6, 0),
        SequenceCase("\u{1B})0a\u{E}q\u{F}q", ["a─q"], 3, 0),
        // What means nothing.
        SequenceCase("a\u{1B}P1$qx\u{1B}[2Jy\u{1B}\\b", ["ab"], 2, 0),
        SequenceCase("a\u{1B}_x\u{1B}\\b\u{1B}^y\u{1B}\\c\u{1B}Xz\u{1B}\\d\u{1B}ktitle\u{1B}\\e", ["abcde"], 5, 0),
        SequenceCase("a\u{1B}[1;2\u{18}b\u{1B}]0;x\u{1A}c", ["abc"], 3, 0),
        SequenceCase("a\u{1B}[1<2mb\u{1B}[ zc\u{1B}[?99zd", ["abcd"], 4, 0),
        SequenceCase("a\u{1B}[2:3Gb", ["ab"], 2, 0),
        SequenceCase("a\u{1B}[\n2Gb", ["a", " b"], 2, 1),
    ]

    @Test(arguments: cases)
    func `a sequence does what it says, however it is split`(_ test: SequenceCase) {
        let bytes = Array(test.input.utf8)
        for split in 0...bytes.count {
            var screen = Screen(size: TerminalSize(columns: 8, rows: 4))
            screen.feed(bytes[..<split])
            screen.feed(bytes[split...])
            var rows = screen.visibleText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            while rows.last == "" { rows.removeLast() }
            #expect(rows == test.rows, "split at \(split)")
            #expect(screen.cursor.column == test.cursor.column, "split at \(split)")
            #expect(screen.cursor.row == test.cursor.row, "split at \(split)")
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `a stream shows the same byte by byte as at once`(seed: UInt64) {
        let stream = StreamMaker.stream(seed)
        var (whole, split) = (Screen(size: stream.size), Screen(size: stream.size))
        for step in stream.steps {
            switch step {
            case .feed(let bytes):
                whole.feed(bytes)
                for byte in bytes { split.feed([byte]) }
            case .resize(let size):
                whole.resize(to: size)
                split.resize(to: size)
            }
        }
        #expect(whole.picture(of: whole.lines) == split.picture(of: split.lines))
        #expect(whole.cursor == split.cursor)
        #expect(whole.modes == split.modes)
        #expect(whole.replies == split.replies)
    }

    @Test func `bytes that are no UTF-8 are left out and take nothing with them`() {
        let cases: [([UInt8], String)] = [
            ([0x61, 0x80, 0x62], "ab"), ([0x61, 0xC0, 0xAF, 0x62], "ab"), ([0xE2, 0x82, 0x62], "b"),
            ([0xED, 0xA0, 0x80, 0x62], "b"), ([0xF4, 0x90, 0x80, 0x80, 0x62], "b"), ([0xE2, 0x82, 0xAC, 0x62], "€b"),
            ([0xC2, 0x85, 0x62], "b"), ([0xF0, 0x9F, 0x98, 0x80], "😀"),
        ]
        for (bytes, text) in cases {
            var screen = Screen(size: TerminalSize(columns: 8, rows: 2))
            screen.feed(bytes)
            #expect(screen.text(ofLine: 0) == text, "\(bytes)")
        }
    }
}
