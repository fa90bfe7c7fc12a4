// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import Testing

struct DirtyLineTests {
    @Test(arguments: [
        ("a", true), (" ", true), ("é", true), ("日", true), ("", false), ("\r", false), ("a\r", false), ("a\n", false),
        ("a\rb", true), ("a\u{7F}", true), ("\u{7F}\u{3}\t", false), ("\u{1B}[A\u{1B}[1;5C", false),
        ("\u{1B}OA", false),
        ("\u{1B}O2P", false), ("\u{1B}[<64;10;20M", false), ("\u{1B}[M !!", false), ("\u{1B}[M !!x", true),
        ("\u{1B}]11;rgb:0/0/0\u{7}", false), ("\u{1B}]11;rgb:0/0/0\u{1B}\\", false), ("\u{1B}P1$r0m\u{1B}\\x", true),
        ("\u{1B}b", false), ("\u{1B}\r", false), ("a\u{1B}[A", true), ("\u{1B}[200~a\r\u{1B}[201~", true),
        ("\u{1B}[200~\r\u{1B}[201~", false), ("\u{1B}[200~a\u{1B}[201~\r", false), ("\u{1B}[200~\u{1B}[201~", false),
        ("\u{1B}[1;200~a\r", false), ("\u{9B}", false), ("\u{A0}", true), ("\u{C2}", true),
        ("\u{1B}[99999999999999999999~", false),
    ])
    func `printable input is dirty until Return, wherever it is split`(_ input: String, _ isDirty: Bool) {
        let bytes = Array(input.utf8)
        for split in 0...bytes.count where !Self.isAlternateKey(bytes[..<split]) {
            var keys = KeyStream()
            _ = keys.take(bytes[..<split])
            _ = keys.take(bytes[split...])
            #expect(keys.isDirty == isDirty, "split at \(split)")
        }
        guard !bytes.indices.dropFirst().contains(where: { Self.isAlternateKey(bytes[($0 - 1)...$0]) }) else { return }
        var keys = KeyStream()
        for byte in bytes { _ = keys.take(CollectionOfOne(byte)) }
        #expect(keys.isDirty == isDirty)
    }

    /// Alone, Alt with one of these is a key, as for whoever looks at keys: what follows is typed.
    private static func isAlternateKey(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count == 2 && bytes.first == 0x1B && "]PX^_".utf8.contains(bytes[bytes.startIndex + 1])
    }

    @Test func `text behind Alt with a bracket that was written alone is dirty`() {
        var keys = KeyStream()
        _ = keys.take("\u{1B}]".utf8)
        #expect(!keys.isDirty)
        _ = keys.take("a".utf8)
        #expect(keys.isDirty)
    }

    @Test func `a line stays dirty over a new connection, and what tmux gets does not make it so`() {
        var keys = KeyStream()
        _ = keys.take("abc".utf8, reachesLine: false)
        #expect(!keys.isDirty)
        _ = keys.take("abc\u{1B}[200~".utf8)
        keys.restart()
        #expect(keys.isDirty && keys.isBetweenKeys && !keys.isInPaste)
        keys.noteText(Array("\r".utf8))
        #expect(!keys.isDirty)
    }
}

struct InertTextTests {
    @Test(
        arguments: [
            ("hello", "hello "), ("  hello\n", "hello "), ("", nil), (" \t\r\n", nil), ("\u{1B}\u{3}", nil),
            ("rm -rf x\r\u{3}", "rm -rf x "), ("a\r\nb\tc\n\n\td", "a b c d "), ("a\u{2028}b\u{2029}c", "a b c "),
            ("\u{1B}[31mred\u{9B}0m", "[31mred0m "),
            ("a\u{61C}\u{200E}\u{200F}\u{202A}\u{202E}\u{2066}\u{2069}b", "ab "),
            ("\u{0}\u{7}\u{7F}\u{80}\u{9F}x", "x "), ("\u{1B}[201~x", "x "), ("👩‍👩‍👧 é", "👩‍👩‍👧 é "), ("a  b", "a  b "),
        ] as [(String, String?)]
    )
    func `dictation is one inert line with one space after it`(_ transcript: String, _ typed: String?) {
        #expect(InertText.dictation(transcript)?.text == typed)
        #expect(InertText.dictation(transcript)?.bytes == typed.map { Array($0.utf8) })
    }

    @Test(arguments: [
        ("a\nb\tc", "a\nb\tc"), ("a\r\nb\rc", "a\nb\nc"), (" x\n", " x\n"), ("a\u{1B}[201~b", "ab"),
        ("a\u{1B}[20\u{1B}[201~1~b", "ab"), ("\u{9B}200~\u{1B}[\u{9B}201~200~z", "z"), ("\u{1B}[31m\u{3}", "[31m"),
        ("\u{1B}\u{0}[201~rm", "[201~rm"), ("\u{202E}a\u{2028}b", "a\nb"),
    ])
    func `a bracketed paste keeps lines and cannot end itself`(_ text: String, _ inner: String) throws {
        let paste = try #require(InertText.paste(text, bracketed: true))
        #expect(paste.text == inner)
        #expect(paste.bytes == Array("\u{1B}[200~\(inner)\u{1B}[201~".utf8))
        #expect(paste.bytes.count { $0 == 0x1B } == 2)
    }

    @Test func `a paste that is not bracketed is one line`() {
        #expect(InertText.paste(" a\r\nb\u{1B}[201~\n", bracketed: false)?.text == " a b ")
        #expect(InertText.paste("\u{3}", bracketed: false) == nil)
        #expect(InertText.paste("\u{1B}[200~\u{1B}[201~", bracketed: true) == nil)
    }

    @Test func `nothing of any control passes, whatever stands around it`() {
        for value in (0...0xA0).map(UInt32.init) + [0x61C, 0x200E, 0x202E, 0x2067] {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = InertText.dictation("a\(scalar)\(scalar)b")?.text ?? ""
            let isClean = text.unicodeScalars.allSatisfy {
                $0.properties.generalCategory != .control && $0.value < 0x61C
            }
            #expect(isClean, "U+\(String(value, radix: 16))")
        }
    }
}

struct SubmitPolicyTests {
    @Test func `Return is a write of its own, later, and only if asked for`() {
        let text = InertText.dictation("hi")
        let typed = SubmitPolicy.Write(after: .zero, Array("hi ".utf8))
        #expect(SubmitPolicy.typeOnly.writes(text) == [typed])
        #expect(SubmitPolicy.submit.writes(text) == [typed, .init(after: .milliseconds(300), [0x0D])])
        #expect(SubmitPolicy.submit.writes(nil) == [])
    }
}
