// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// What goes through a session: keys, text from elsewhere, pastes, floods, and what a cut leaves of them.
    @Suite(.enabled(if: SystemProgram.path("tmux") != nil, "needs tmux"))
    struct SSHSessionBytesTests {
        /// Every key that a transcript could press: line ends, ESC, the end of a paste, ^C, ^D, ^Z, DEL, NUL, tmux's
        /// own prefix, C1 controls, and marks that turn the direction of writing.
        static let hostile =
            "rm -rf x\rnext\r\n\u{1B}[201~\u{1B}[A\u{3}\u{4}\u{1A}\u{7F}\u{0}\u{2}d\u{202E}txt\u{2066}\u{9B}31m\u{85}\u{2028}end"
        static let inert = "rm -rf x next [Adtxt31m end "

        // MARK: Text is data

        @Test func `a hostile transcript reaches a program as inert text`() async throws {
            try await SessionLab.with { lab in
                let (up, done) = (try lab.makeSignal("up"), try lab.makeSignal("done"))
                // Read with what follows it, so that a byte too many or too few shows.
                let count = Self.inert.utf8.count + 3
                let script = "stty raw -echo; echo up >\(up.path); head -c \(count) >typed; echo done >\(done.path)"
                let session = try await lab.open(running: script)
                #expect(try await up.next() == "up")
                try await session.type(Self.hostile)
                try await session.write(Array("END".utf8))
                #expect(try await done.next() == "done")
                #expect(try lab.text("typed") == Self.inert + "END")
            }
        }

        @Test func `a hostile transcript stands at a shell's prompt and is not run`() async throws {
            try await SessionLab.with { lab in
                let up = try lab.makeSignal("up")
                try "precious".write(toFile: "\(lab.home)/x", atomically: true, encoding: .utf8)
                let session = try await lab.open(running: "PS1='prompt> '; export PS1; exec bash --norc --noprofile -i")
                var screen = TerminalText(session.output)
                try await screen.read(through: "prompt>")
                try await session.type(Self.hostile)
                // The line is there to read; the shell answers only what is pressed by us.
                try await screen.read(through: "txt31m end")
                try await session.write(Array("\u{15}echo up >\(up.path)\r".utf8))
                #expect(try await up.next() == "up")
                #expect(try lab.text("x") == "precious")
                let shown = try await lab.tmux("capture-pane", "-p", "-t", "=riff:")
                #expect(!shown.contains("not found") && !shown.contains("^C"))
                #expect(try await lab.pane("#{pane_dead} #{pane_in_mode}") == "0 0")
                await session.close()
            }
        }

        @Test func `a text that is submitted is one line, with Return after it`() async throws {
            try await SessionLab.with { lab in
                let (up, lines) = (try lab.makeSignal("up"), try lab.makeSignal("lines"))
                let script =
                    "stty -echo; echo up >\(up.path); while IFS= read -r line; do echo \"<$line>\" >\(lines.path); done"
                let session = try await lab.open(running: script)
                #expect(try await up.next() == "up")
                for _ in 0..<2 {
                    try await session.type("explain\nthis\trepository ", submit: true)
                    #expect(try await lines.next() == "<explain this repository >")
                }
                await session.close()
            }
        }

        // MARK: Much

        @Test func `a paste of a megabyte into a pane arrives whole`() async throws {
            try await SessionLab.with { lab in
                let (up, sum) = (try lab.makeSignal("up"), try lab.makeSignal("sum"))
                // Printable: tmux reads some other bytes as keys of its own.
                let paste = (0..<(1 << 20)).map { (index: Int) -> UInt8 in
                    UInt8(33 + (index &* 31 &+ (index >> 8)) % 94)
                }
                let script = "stty raw -echo; echo up >\(up.path); head -c \(paste.count) | cksum >\(sum.path)"
                let session = try await lab.open(running: script)
                #expect(try await up.next() == "up")
                for start in stride(from: 0, to: paste.count, by: 32 * 1024) {
                    try await session.write(Array(paste[start..<start + 32 * 1024]))
                }
                let local = try await LocalHostSession().run(
                    "cksum",
                    input: paste,
                    outputLimit: 100,
                    timeout: .seconds(60)
                )
                #expect(try await sum.next() == local.text.trimmingCharacters(in: .newlines))
            }
        }

        @Test func `keys written without waiting arrive in the order of the calls`() async throws {
            try await SessionLab.with { lab in
                let (up, sum) = (try lab.makeSignal("up"), try lab.makeSignal("sum"))
                let keys = (0..<20_000).map { (index: Int) -> UInt8 in
                    UInt8(33 + (index &* 31 &+ (index >> 8)) % 94)
                }
                let script = "stty raw -echo; echo up >\(up.path); head -c \(keys.count) | cksum >\(sum.path)"
                let session = try await lab.open(running: script)
                #expect(try await up.next() == "up")
                let failures = AsyncStream.makeStream(of: (any Error).self)
                for key in keys { session.write([key]) { failures.continuation.yield($0) } }
                let local = try await LocalHostSession().run(
                    "cksum",
                    input: keys,
                    outputLimit: 100,
                    timeout: .seconds(60)
                )
                #expect(try await sum.next() == local.text.trimmingCharacters(in: .newlines))
                failures.continuation.finish()
                for await failure in failures.stream { Issue.record(failure) }
            }
        }

        @Test func `ten megabytes of both outputs come through a session in order`() async throws {
            try await SessionLab.with { lab in
                // Every tenth record by standard error: the terminal merges the two in the order of writing.
                let script =
                    "stty raw -echo; exec awk 'BEGIN { for (i = 0; i < 1310720; i++) if (i % 65536 == 7) "
                    + "{ fflush(); printf \"%07d|\", i >\"/dev/stderr\"; fflush(\"/dev/stderr\") } else printf \"%07d|\", i }'"
                let line = try ShellQuoting.join(["sh", "-c", script])
                let session = try await lab.host.terminal("exec \(line)", name: "flood", size: .standard)
                var output: [UInt8] = []
                for await bytes in session.output { output += bytes }
                #expect(await session.closure().exit == .exited(0))
                #expect(output.count == 1_310_720 * 8)
                let records = stride(from: 0, to: output.count - 7, by: 8)
                let isOutOfPlace = records.first { start in
                    var number = start / 8
                    var digits: [UInt8] = [UInt8(ascii: "|")]
                    for _ in 0..<7 {
                        digits.insert(UInt8(48 + number % 10), at: 0)
                        number /= 10
                    }
                    return !output[start..<start + 8].elementsEqual(digits)
                }
                #expect(isOutOfPlace == nil)
            }
        }

        // MARK: Losses

        @Test(arguments: ["cut", "reset", "half-open"])
        func `after a loss the same program goes on in the same pane`(loss: String) async throws {
            try await SessionLab.with { lab in
                let counts = try lab.makeSignal("counts")
                // The count lives in the program's memory alone.
                let script = "stty -echo; i=0; while read -r line; do i=$((i+1)); echo \"$$ $i\" >\(counts.path); done"
                let session = try await lab.open(running: script)
                try await session.write(Array("\n".utf8))
                let pid = try await lab.pane("#{pane_pid}")
                #expect(try await counts.next() == "\(pid) 1")
                for round in 2...4 {
                    var states = session.updates().makeAsyncIterator()
                    #expect(await states.next()?.isOpen == true)
                    switch loss {
                    case "cut": try await lab.proxy.cutAll()
                    case "reset": try await lab.proxy.resetAll()
                    default:
                        try await lab.proxy.vanishAll()
                        await lab.host.link.pathChanged()
                    }
                    while let state = await states.next(), !state.isOpen {}
                    #expect(session.current.isOpen)
                    try await session.write(Array("\n".utf8))
                    #expect(try await counts.next() == "\(pid) \(round)")
                    #expect(try await lab.pane("#{pane_pid}") == pid)
                }
                #expect(try await lab.tmux("list-sessions", "-F", "#{session_name}") == "riff")
                await session.close()
            }
        }
    }
}
