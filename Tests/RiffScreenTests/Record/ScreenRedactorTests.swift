// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import TestSupport
import Testing

struct ScreenRedactorTests {
    /// Every ten bytes of a text in a row, as numbers.
    private static func parts(_ text: some StringProtocol) -> Set<UInt64> {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10 else { return [] }
        return Set(
            (0...bytes.count - 10).map { start in
                bytes[start..<start + 10].reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
            }
        )
    }

    @Test func `of three hundred planted secrets none is in a picture, a cast or a line`() throws {
        let planted = PlantedSecrets(count: 300)
        let known = planted.cases.filter(\.isKnown).map { Secret($0.secret) }
        // Typed without an echo: nothing of it is ever drawn.
        var recorder = ScreenRecorder(redactor: ScreenRedactor(secrets: known + [Secret("typed without an echo")]))
        var screen = Screen(size: TerminalSize(columns: PlantedSecrets.columns, rows: 12))
        var entries: [RecordEntry] = []
        var (time, found) = (0.0, [String]())
        let secrets = planted.cases.map { Self.parts($0.secret) }
        for (planted, parts) in zip(planted.cases, secrets) {
            for piece in planted.pieces + ["$ ls\r\nREADME.md  Sources\r\n"] {
                screen.feed(piece)
                time += 1
                entries += recorder.record(screen, at: time)
                if !parts.isDisjoint(with: Self.parts(try #require(recorder.picture).compact)) {
                    found.append("\(planted.kind) \(planted.way)")
                }
            }
        }
        entries += recorder.finish(at: time)
        #expect(found.isEmpty, "on pictures: \(Set(found).sorted())")
        let cast = String(decoding: Cast(entries).bytes, as: UTF8.self)
        let lines = entries.flatMap { entry -> [String] in
            guard case .lines(let lines, _) = entry.content else { return [] }
            return lines
        }.joined()
        let (castParts, lineParts) = (Self.parts(cast), Self.parts(lines.filter { !" │".contains($0) }))
        for (planted, parts) in zip(planted.cases, secrets) {
            let isInCast = !parts.isDisjoint(with: castParts)
            #expect(!isInCast, "\(planted.kind) \(planted.way) is in the cast")
            let isInLines = !parts.isDisjoint(with: lineParts)
            #expect(!isInLines, "\(planted.kind) \(planted.way) is in the lines")
        }
        // It does not make dots of all.
        let kept = ["README.md  Sources", "export DB_PASSWORD=", "postgres://app:"].filter { lines.contains($0) }
        #expect(lines.utf8.count > 10_000 && kept.count == 3, "\(kept)")
        print("secrets: \(planted.cases.count) planted, \(entries.count) entries, \(found.count) found")
    }

    @Test(arguments: [
        "commit 3f786850e387550fdaafdd0e1fb9a1c2d3e4f5a6", "tokens: 12,345 used",
        "Sources/RiffScreen/Record/ScreenRedactor.swift",
        "max_tokens=4096", "sk-learn is a library", "https://docs.example/guide?page=2", "the password is asked for",
        "session 7b2f6c1e-8d1a-4a53-9a2e-0f3d5c6b7a81", "f(token: String)", "eyJ", "PASS all 120 tests", "key: value",
        "see https://user@host.example/path",
    ])
    func `ordinary words stay`(text: String) {
        var redactor = ScreenRedactor()
        let expected = text.contains("user@") ? "see https://•••@host.example/path" : text
        #expect(redactor.redacted(text) == expected)
    }

    @Test func `a secret that was found is known from then on, also in part`() {
        var redactor = ScreenRedactor()
        #expect(redactor.redacted("PASSWORD=abcdefghijklmnop") == "PASSWORD=•••")
        #expect(redactor.redacted("then cdefghijkl alone") == "then ••• alone")
        #expect(redactor.redacted("cdefgh is too short") == "cdefgh is too short")
    }

    @Test func `a link with a secret is taken off, and others stay`() {
        var screen = Screen(size: TerminalSize(columns: 40, rows: 2))
        screen.feed(
            "\u{1B}]8;;https://a.example/?token=abc123456\u{1B}\\one\u{1B}]8;;https://b.example/\u{1B}\\two\u{1B}]8;;\u{1B}\\"
        )
        var redactor = ScreenRedactor()
        let cells = redactor.redacted(screen.picture).rows[0].cells
        #expect(cells[0].link == nil && cells[3].link?.uri == "https://b.example/" && cells[0].text == "o")
    }

    @Test func `a wide character of a secret is two dots, and the row is as long`() {
        var screen = Screen(size: TerminalSize(columns: 20, rows: 1))
        screen.feed("PASSWORD=日本 x")
        var redactor = ScreenRedactor()
        let picture = redactor.redacted(screen.picture)
        #expect(
            picture.rows[0].cells.count == 20 && picture.rows[0].cells.map(\.text).joined().hasPrefix("PASSWORD=••••")
        )
        #expect(picture.rows[0].cells.allSatisfy { $0.width == 1 })
    }

    @Test func `work grows with the text alone`() {
        for unit in [
            "token=", "token:", "://a:", "-----BEGIN PRIVATE KEY", "sk-ant-", "\"secret\": \"", "A1b", "key=\"",
        ] {
            Growth.expectLinear(1_000, unit) { count in
                var redactor = ScreenRedactor()
                _ = redactor.redacted(String(repeating: unit, count: count))
            }
        }
    }
}
