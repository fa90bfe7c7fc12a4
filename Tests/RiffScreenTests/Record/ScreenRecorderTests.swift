// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffScreen
import RiffTesting
import TestSupport
import Testing

struct ScreenRecorderTests {
    @Test func `a replay shows what the screen showed, at a thousand moments of real agents`() throws {
        var count = 0
        for name in RecordedScene.names {
            let scene = try RecordedScene(name)
            var recorder = ScreenRecorder()
            var entries: [RecordEntry] = []
            var shown: [(time: Double, picture: ScreenPicture)] = []
            var screen = Screen(size: scene.size)
            for chunk in scene.chunks {
                screen.feed(chunk.bytes)
                entries += recorder.record(screen, at: chunk.time)
                shown.append((chunk.time, try #require(recorder.picture)))
            }
            let cast = Cast(entries)
            let beginning = try #require(entries.first?.time)
            var replay = CastReplay(try Cast(cast.bytes))
            for (index, moment) in shown.enumerated() {
                // Several of one time: the last of them.
                if index + 1 < shown.count, shown[index + 1].time - moment.time < 1e-5 { continue }
                let time = Duration.microseconds(Int64(((moment.time - beginning) * 1e6).rounded()))
                let replayed = replay.seek(to: time).picture
                let isSame = replayed.seen == moment.picture.seen
                #expect(isSame, "\(name) at \(moment.time)")
                if !isSame { break }
                count += 1
            }
        }
        print("replay: \(count) moments are as they were shown")
        #expect(count >= 1000)
    }

    @Test func `wrapped, wide, colored and linked text is shown again, and after a resize`() throws {
        let parts = [
            "plain\r\n", String(repeating: "wrapped ", count: 12) + "\r\n",
            "日本語の長い行" + String(repeating: "語", count: 17),
            "\u{1B}[1;3;4:3;38;2;1;2;3;48;5;200mstyled\u{1B}[0m ",
            "\u{1B}]8;id=a;https://a.example\u{1B}\\link\u{1B}]8;;\u{1B}\\",
            "\u{1B}[5;10H\u{1B}[44m\u{1B}[K", "\u{1B}[0m\u{1B}[?25l", "\u{1B}[?1049h", "\u{1B}[3;3Hfull",
            "\u{1B}[?1049l", "e\u{301}👩‍👩‍👧",
        ]
        var screen = Screen(size: TerminalSize(columns: 30, rows: 8))
        var recorder = ScreenRecorder()
        var entries: [RecordEntry] = []
        var shown: [(Double, ScreenPicture)] = []
        for (index, part) in (parts + parts).enumerated() {
            if index == parts.count { screen.resize(to: TerminalSize(columns: 17, rows: 12)) }
            screen.feed(part)
            entries += recorder.record(screen, at: Double(index))
            shown.append((Double(index), screen.picture))
        }
        var replay = CastReplay(Cast(entries))
        for (time, picture) in shown {
            #expect(replay.seek(to: .seconds(time)).picture.seen == picture.seen, "after \(time)")
        }
    }

    @Test func `lines that scroll away are told once, with those that wrapped in one`() {
        var screen = Screen(size: TerminalSize(columns: 20, rows: 4))
        var recorder = ScreenRecorder()
        var lines: [String] = []
        func take(_ entries: [RecordEntry]) {
            for entry in entries { if case .lines(let more, _) = entry.content { lines += more } }
        }
        for number in 0..<50 {
            screen.feed("line \(number) which is longer than a row\r\n")
            take(recorder.record(screen, at: Double(number)))
        }
        take(recorder.finish(at: 50))
        #expect(lines == (0..<50).map { "line \($0) which is longer than a row" })
    }

    @Test func `a mark's words are harmless, and the state goes with the lines`() {
        var recorder = ScreenRecorder(redactor: ScreenRedactor(secrets: [Secret("correct horse")]))
        _ = recorder.record(RecordMark(time: 0, kind: .state, text: "working"))
        let entry = recorder.record(RecordMark(time: 1, kind: .question, text: "use \u{1B}[31mcorrect horse\n?"))
        guard case .mark(let mark) = entry.content else {
            Issue.record("no mark")
            return
        }
        #expect(!mark.text.contains("horse") && !mark.text.contains("\u{1B}") && !mark.text.contains("\n"))
        var screen = Screen(size: TerminalSize(columns: 20, rows: 2))
        _ = recorder.record(screen, at: 1)
        screen.feed("a\r\nb\r\nc")
        let entries = recorder.record(screen, at: 2)
        #expect(entries.contains { $0.content == .lines(["a"], state: "working") })
    }

    @Test func `the record of a screen that does not change is empty`() {
        var screen = Screen(size: .standard)
        var recorder = ScreenRecorder()
        screen.feed("a")
        #expect(!recorder.record(screen, at: 0).isEmpty)
        #expect(recorder.record(screen, at: 1).isEmpty)
    }

    @Test func `what a program tells the terminal beside the screen is not in a cast`() {
        var screen = Screen(size: .standard)
        screen.feed(
            "\u{1B}]1337;RemoteHost=me@my.host\u{7}\u{1B}]7;file://my.host/home/me\u{7}\u{1B}]52;c;aGVsbG8=\u{7}text"
        )
        var recorder = ScreenRecorder()
        let cast = Cast(recorder.record(screen, at: 1), title: "build")
        let text = String(decoding: cast.bytes, as: UTF8.self)
        #expect(text.contains("text") && !text.contains("my.host") && !text.contains("aGVsbG8"))
        #expect(cast.header.other.map(\.key) == ["timestamp"])
    }

    @Test(
        .enabled(
            if: ["asciinema", "script"].allSatisfy { SystemProgram.path($0) != nil },
            "needs asciinema, and script of util-linux"
        )
    )
    func `asciinema plays a record`() async throws {
        var screen = Screen(size: TerminalSize(columns: 40, rows: 5))
        var recorder = ScreenRecorder()
        var entries: [RecordEntry] = []
        for number in 0..<20 {
            screen.feed("\u{1B}[3\(number % 7)mline \(number) é日\u{1B}[0m\r\n")
            entries += recorder.record(screen, at: Double(number) / 100)
            entries.append(recorder.record(RecordMark(time: Double(number) / 100, kind: .state, text: "working")))
        }
        let path = "/tmp/riff-cast-\(UInt32.random(in: .min ... .max)).cast"
        try Data(Cast(entries).bytes).write(to: URL(filePath: path))
        // It looks at its own terminal, also where it only writes.
        let (status, output) = try await SystemProgram.run("script", ["-qec", "asciinema cat \(path)", "/dev/null"])
        try FileManager.default.removeItem(atPath: path)
        #expect(status == 0, "\(output)")
        var shown = Screen(size: TerminalSize(columns: 40, rows: 5))
        shown.feed(output)
        #expect(shown.visibleText == screen.visibleText)
    }
}
