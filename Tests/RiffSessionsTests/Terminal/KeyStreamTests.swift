// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffSessions
import Testing

struct KeyStreamTests {
    private static func isKeys(_ text: String) -> Bool {
        var stream = KeyStream()
        return stream.take(Array(text.utf8)).holdsKeys
    }

    @Test(arguments: [
        "a", "é", "日本", "👩‍👩‍👧", "\r", "\u{3}", "\u{7F}", "\u{1B}[A", "\u{1B}OA", "\u{1B}[1;5C", "\u{1B}[24~", "\u{1B}b",
        "\u{1B}[27;1u", "\u{1B}[200~a\u{1B}[201~", "\u{1B}[1;2R", "\u{1B}[Z", "\u{1B}[I\u{1B}[Aa",
        "\u{1B}[<64;1;1Mx", "\u{1B}]", "\u{1B}P", "\u{1B}_", "\u{0}",
    ])
    func `what a person presses are keys, and they end where they end`(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(Self.isKeys(text))
        for split in 0...bytes.count {
            var stream = KeyStream()
            _ = stream.take(bytes[..<split])
            _ = stream.take(bytes[split...])
            #expect(stream.isBetweenKeys, "split at \(split)")
            #expect(!stream.isInPaste)
        }
    }

    @Test(arguments: [
        "\u{1B}[<0;10;20M", "\u{1B}[<0;10;20m", "\u{1B}[M !!", "\u{1B}[32;10;20M", "\u{1B}[I", "\u{1B}[O",
        "\u{1B}[?62;4c",
        "\u{1B}[>41;354;0c", "\u{1B}[0n", "\u{1B}[8;24;80t", "\u{1B}[?2004;1$y", "\u{1B}[?0u",
        "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\", "\u{1B}]11;rgb:0/0/0\u{7}", "\u{1B}P>|xterm(370)\u{1B}\\",
        "\u{1B}_Gi=1;OK\u{1B}\\", "",
    ])
    func `reports and answers are nobody's keys`(_ text: String) {
        #expect(!Self.isKeys(text))
        var stream = KeyStream()
        _ = stream.take(Array(text.utf8))
        #expect(stream.isBetweenKeys)
    }

    @Test(arguments: [
        ("\u{1B}[<64;1;1M", 1), ("\u{1B}[<65;1;1M", -1), ("\u{1B}[<64;9;9M\u{1B}[<64;9;9M\u{1B}[<65;9;9M", 1),
        ("\u{1B}[<68;1;1M\u{1B}[<80;1;1M", 2), ("\u{1B}[M`!!", 1), ("\u{1B}[Ma!!", -1), ("\u{1B}[<0;1;1M", 0),
        ("\u{1B}[<66;1;1M", 0), ("\u{1B}[<;1;1M", 0),
    ])
    func `turns of the wheel are counted`(_ text: String, _ ticks: Int) {
        var stream = KeyStream()
        let piece = stream.take(Array(text.utf8))
        #expect(piece.wheelTicks == ticks)
        #expect(!piece.holdsKeys)
    }

    @Test func `clicks are told from the wheel`() {
        for (text, isClick) in [
            ("\u{1B}[<2;1;1M", true), ("\u{1B}[<0;1;1m", true), ("\u{1B}[M !!", true), ("\u{1B}[32;1;1M", true),
            ("\u{1B}[<64;1;1M", false), ("\u{1B}[I", false), ("a", false),
        ] {
            var stream = KeyStream()
            #expect(stream.take(Array(text.utf8)).holdsClicks == isClick, "\(text.debugDescription)")
        }
    }

    @Test(arguments: [
        ("\u{1B}", false), ("\u{1B}[", false), ("\u{1B}[1;", false), ("\u{1B}O", false), ("\u{C3}", true),
        ("\u{1B}[<64;1", false), ("\u{1B}]11;rgb", false), ("\u{1B}[200~abc\r", false),
        ("\u{1B}[200~a\u{1B}[201~", true),
        ("\u{1B}[M !", false),
    ])
    func `nothing may be written into a key, a report or a paste`(_ text: String, _ isBetween: Bool) {
        var stream = KeyStream()
        _ = stream.take(Array(text.utf8))
        #expect(stream.isBetweenKeys == isBetween)
        #expect(!stream.take([UInt8]("x".utf8)).startsBetweenKeys == !isBetween)
    }

    @Test func `a character is one key, however it is split, and broken ones end`() {
        var stream = KeyStream()
        let bytes = Array("日".utf8)
        _ = stream.take(bytes[..<1])
        #expect(!stream.isBetweenKeys)
        _ = stream.take(bytes[1...])
        #expect(stream.isBetweenKeys)
        _ = stream.take([0xE6, 0x61])
        #expect(stream.isBetweenKeys)
        _ = stream.take([0x80, 0xFF, 0xC0])
        #expect(stream.isBetweenKeys)
    }

    @Test func `the last key is known where it is one byte`() {
        for (text, key) in [("a\u{2}", 2), ("\u{2}a", 0x61), ("\u{1B}[A", nil), ("é", nil), ("\u{1B}[200~\u{2}", nil)]
            as [(String, UInt8?)]
        {
            var stream = KeyStream()
            #expect(stream.take(Array(text.utf8)).lastKey == key, "\(text.debugDescription)")
        }
    }

    @Test func `sequences and strings without an end do`() {
        var stream = KeyStream()
        _ = stream.take(Array("\u{1B}[".utf8) + Array(repeating: 0x31, count: 100))
        #expect(stream.isBetweenKeys)
        _ = stream.take(Array("\u{1B}]1".utf8) + Array(repeating: 0x31, count: 20_000))
        #expect(stream.isBetweenKeys)
    }
}

struct ScreenModesTests {
    @Test(arguments: [
        ("", false, false), ("plain text\r\n", false, false), ("\u{1B}[?2004h", true, false),
        ("\u{1B}[?2004l", false, false),
        ("\u{1B}[?2004h\u{1B}[?2004l", false, false), ("\u{1B}[?25h\u{1B}[1;31m\u{1B}[?12l", false, false),
        ("\u{1B}[?1049h", false, true), ("\u{1B}[?25;2004h", true, false), ("\u{1B}[?1006;1000h", false, true),
        ("\u{1B}[2004h", false, false), ("\u{1B}[?20041h", false, false), ("\u{1B}\u{1B}[?2004h", true, false),
        ("\u{1B}[?2004\u{1B}[?2004h", true, false),
        ("\u{1B}[?2004;1049h", true, true), ("\u{1B}[?99999999999999999999h", false, false),
        ("[?2004h", false, false), ("\u{1B}[?2004$p", false, false),
        ("\u{1B}[?1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;2004h", false, false),
    ])
    func `modes are followed wherever the bytes are split`(_ text: String, _ isBracketed: Bool, _ isTaken: Bool) {
        let bytes = Array(text.utf8)
        for split in 0...bytes.count {
            var modes = ScreenModes()
            modes.feed(Array(bytes[..<split]))
            modes.feed(Array(bytes[split...]))
            #expect(modes.isPasteBracketed == isBracketed, "split at \(split)")
            #expect(modes.isTaken == isTaken, "split at \(split)")
        }
        var modes = ScreenModes()
        for byte in bytes { modes.feed([byte]) }
        #expect(modes.isPasteBracketed == isBracketed)
    }
}
