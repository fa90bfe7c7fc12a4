// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import TestSupport
import Testing

struct KeyEncoderTests {
    /// A key and what it sends: with application cursor keys too, where that differs.
    struct Row: Sendable, CustomTestStringConvertible {
        let key: TerminalKey
        let modifiers: KeyModifiers
        let bytes: String
        let application: String
        var testDescription: String { "\(key) \(modifiers.rawValue)" }

        init(_ key: TerminalKey, _ modifiers: KeyModifiers, _ bytes: String, application: String? = nil) {
            (self.key, self.modifiers, self.bytes) = (key, modifiers, bytes)
            self.application = application ?? bytes
        }
    }

    static let plain = [
        Row(.escape, [], "\u{1B}"), Row(.tab, [], "\t"), Row(.enter, [], "\r"), Row(.backspace, [], "\u{7F}"),
        Row(.up, [], "\u{1B}[A", application: "\u{1B}OA"), Row(.down, [], "\u{1B}[B", application: "\u{1B}OB"),
        Row(.right, [], "\u{1B}[C", application: "\u{1B}OC"), Row(.left, [], "\u{1B}[D", application: "\u{1B}OD"),
        Row(.home, [], "\u{1B}[H", application: "\u{1B}OH"), Row(.end, [], "\u{1B}[F", application: "\u{1B}OF"),
        Row(.insert, [], "\u{1B}[2~"), Row(.delete, [], "\u{1B}[3~"), Row(.pageUp, [], "\u{1B}[5~"),
        Row(.pageDown, [], "\u{1B}[6~"),
    ]

    static let functions =
        ["OP", "OQ", "OR", "OS"].enumerated().map { Row(.function($0 + 1), [], "\u{1B}\($1)") }
        + [15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34].enumerated()
        .map { Row(.function($0 + 5), [], "\u{1B}[\($1)~") }

    static let modified = [
        Row(.up, .shift, "\u{1B}[1;2A"), Row(.down, .alt, "\u{1B}[1;3B"), Row(.right, .control, "\u{1B}[1;5C"),
        Row(.left, [.alt, .control], "\u{1B}[1;7D"), Row(.home, [.shift, .alt, .control], "\u{1B}[1;8H"),
        Row(.end, .control, "\u{1B}[1;5F"), Row(.delete, .shift, "\u{1B}[3;2~"), Row(.pageUp, .control, "\u{1B}[5;5~"),
        Row(.function(1), .control, "\u{1B}[1;5P"), Row(.function(5), [.shift, .control], "\u{1B}[15;6~"),
        Row(.tab, .shift, "\u{1B}[Z"), Row(.tab, .alt, "\u{1B}\t"), Row(.tab, .control, "\t"),
        Row(.enter, .alt, "\u{1B}\r"), Row(.enter, .shift, "\u{1B}\r"), Row(.enter, .control, "\u{1B}\r"),
        Row(.enter, [.shift, .alt], "\u{1B}\r"), Row(.escape, .alt, "\u{1B}\u{1B}"),
        Row(.backspace, .control, "\u{8}"), Row(.backspace, .alt, "\u{1B}\u{7F}"),
    ]

    static let characters = [
        Row(.character("a"), [], "a"), Row(.character("A"), .shift, "A"), Row(.character("é"), [], "é"),
        Row(.character("👩‍👩‍👧"), [], "👩‍👩‍👧"), Row(.character("a"), .alt, "\u{1B}a"), Row(.character("é"), .alt, "\u{1B}é"),
        Row(.character("c"), .control, "\u{3}"), Row(.character("C"), [.control, .shift], "\u{3}"),
        Row(.character("b"), [.control, .alt], "\u{1B}\u{2}"), Row(.character("z"), .control, "\u{1A}"),
        Row(.character("@"), .control, "\0"), Row(.character(" "), .control, "\0"),
        Row(.character("2"), .control, "\0"),
        Row(.character("["), .control, "\u{1B}"), Row(.character("3"), .control, "\u{1B}"),
        Row(.character("\\"), .control, "\u{1C}"), Row(.character("]"), .control, "\u{1D}"),
        Row(.character("^"), .control, "\u{1E}"), Row(.character("6"), .control, "\u{1E}"),
        Row(.character("_"), .control, "\u{1F}"), Row(.character("/"), .control, "\u{1F}"),
        Row(.character("7"), .control, "\u{1F}"), Row(.character("8"), .control, "\u{7F}"),
        Row(.character("?"), .control, "\u{7F}"), Row(.character("1"), .control, "1"),
        Row(.character("9"), .control, "9"),
        Row(.character("é"), .control, "é"), Row(.character("\n"), [], "\r"), Row(.character("\r\n"), [], "\r"),
        Row(.character("\u{B}"), [], "\u{B}"), Row(.character("\u{3}"), [], "\u{3}"), Row(.character("\t"), [], "\t"),
    ]

    @Test(arguments: plain + functions + modified + characters)
    func `a key sends the bytes of xterm`(_ row: Row) {
        #expect(KeyEncoder().encode(row.key, modifiers: row.modifiers) == Array(row.bytes.utf8))
        let application = KeyEncoder(applicationCursor: true)
        #expect(application.encode(row.key, modifiers: row.modifiers) == Array(row.application.utf8))
    }

    @Test(arguments: [-1, 0, 21, Int.max, .min])
    func `a function key that no keyboard has sends nothing`(_ number: Int) {
        #expect(KeyEncoder().encode(.function(number)).isEmpty)
        #expect(KeyEncoder().encode(.function(number), modifiers: .alt).isEmpty)
    }

    @Test func `modifiers keep to the bits that there are`() {
        #expect(KeyModifiers(rawValue: -1) == [.shift, .alt, .control])
        #expect(KeyEncoder().encode(.up, modifiers: KeyModifiers(rawValue: 8)) == Array("\u{1B}[A".utf8))
    }
}

extension InTurn {
    @Suite(.timeLimit(.minutes(5)), .enabled(if: ShellProgram.tmux != nil))
    struct KeyEncoderPaneTests {
        /// As `cat -v` shows bytes.
        private static func shown(_ bytes: some Sequence<UInt8>) -> String {
            bytes.reduce(into: "") { text, byte in
                switch byte {
                case 0x09: text += "\t"
                case 0x7F: text += "^?"
                case 0..<0x20: text += "^" + String(UnicodeScalar(byte + 0x40))
                case 0x80...: text += "M-" + shown([byte & 0x7F])
                default: text += String(UnicodeScalar(byte))
                }
            }
        }

        /// tmux is a terminal of its own: these two keys it sends in another form, whatever mode a program asks for.
        private static let inPane: [TerminalKey: String] = [.home: "\u{1B}[1~", .end: "\u{1B}[4~"]

        /// Types keys into a terminal that is attached to a session, and reads what the program in its pane got.
        private static func typed(_ rows: [KeyEncoderTests.Row], _ encoder: KeyEncoder, paneIsApplication: Bool)
            async throws -> (got: String, expected: String)
        {
            let bytes = rows.flatMap { row -> [UInt8] in
                if let own = inPane[row.key], row.modifiers.isEmpty { return Array(own.utf8) }
                return Array((paneIsApplication ? row.application : row.bytes).utf8)
            }
            let (expected, count) = (shown(bytes), bytes.count)
            var got = ""
            try await TmuxLab.with { lab in
                let mode = paneIsApplication ? "h" : "l"
                let reader =
                    "stty raw -echo; printf '\\033[?1\(mode)'; \(lab.signalling("up")); "
                    + "head -c \(count) | cat -v > keys; \(lab.signalling("mode"))"
                try await lab.attach(lab.server.attachOrCreate(.base, harness: lab.reporting(reader)))
                try await lab.wait()
                for row in rows { try await lab.type(encoder.encode(row.key, modifiers: row.modifiers)) }
                try await lab.wait(for: "mode")
                got = try lab.text("keys")
            }
            return (got, expected)
        }

        /// The keys that have names in tmux. It reads Ctrl with Backspace, which has no name there, and a lone Esc,
        /// which only its escape-time tells from a sequence, in ways of its own.
        private static let rows = (KeyEncoderTests.plain + KeyEncoderTests.functions + KeyEncoderTests.modified)
            .filter { row in
                if case .escape = row.key { return false }
                if case .function(let number) = row.key, number > 12 { return false }
                // tmux has a form of its own for these two.
                if row.modifiers.isEmpty, row.key == .home || row.key == .end { return false }
                return row.key != .backspace || row.modifiers != .control
            }

        @Test(arguments: [false, true], [false, true])
        func `a program in a pane gets the keys in the form that it asked for`(
            _ clientIsApplication: Bool,
            _ paneIsApplication: Bool
        ) async throws {
            let encoder = KeyEncoder(applicationCursor: clientIsApplication)
            let (got, expected) = try await Self.typed(Self.rows, encoder, paneIsApplication: paneIsApplication)
            #expect(got == expected)
        }

        @Test func `characters with Ctrl and Alt arrive as they were sent`() async throws {
            let (got, expected) = try await Self.typed(
                KeyEncoderTests.characters.filter { !$0.bytes.hasSuffix("\u{1B}") },
                KeyEncoder(),
                paneIsApplication: false
            )
            #expect(got == expected)
        }
    }
}
