// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import TestSupport
import Testing

struct InputGuardTests {
    private static let front = bytes("\u{100003}\u{1B}[24;6~\u{3}\u{1B}[24~\u{100003}")
    private static let passed = SafeKeyCheck(output: RecordedSafeKeys.text, server: TmuxServer())
    private static let failed = SafeKeyCheck(output: "", server: TmuxServer())

    private static func make(
        _ protection: InputProtection = .always,
        check: SafeKeyCheck? = passed,
        isInMode: Bool? = nil
    ) -> InputGuard {
        var guarding = InputGuard(protection, hasTmux: true)
        guarding.connected()
        if let check { guarding.checked(check) }
        guarding.heard(isInMode: isInMode)
        return guarding
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func `the safe keys are these`() throws {
        #expect(SafeKey.leaveMode == Self.bytes("\u{1B}[24~"))
        let session = try #require(TmuxSessionID("$3"))
        #expect(SafeKey.leaveEverything(on: session) == Self.front)
        let last = try #require(TmuxSessionID("$65519"))
        #expect(SafeKey.place(last) == Self.bytes("\u{10FFEF}"))
    }

    @Test(arguments: ["a", "\r", "\u{1B}[A", "hello\r", "é", "\u{1B}[200~a\nb\u{1B}[201~", "\u{1B}[Ia"])
    func `what leaves everything stands before every input, in the same write`(_ text: String) {
        for isInMode in [nil, true, false] {
            var guarding = Self.make(isInMode: isInMode)
            for _ in 0..<2 { #expect(guarding.route(Self.bytes(text)) == .terminal(Self.front + Self.bytes(text))) }
        }
    }

    @Test(arguments: ["a", "\u{1B}[A", "\u{1B}", "\u{1B}[24~"])
    func `without tmux nothing is added`(_ text: String) {
        var guarding = InputGuard(.always, hasTmux: false)
        guarding.connected()
        guarding.checked(Self.passed)
        #expect(guarding.scroll(3) == WheelReport.bytes(3))
        #expect(guarding.route(Self.bytes(text)) == .terminal(Self.bytes(text)))
        #expect(guarding.leave() == nil)
        #expect(!guarding.isUnsettled)
    }

    @Test(arguments: ["\u{1B}[<0;10;20M", "\u{1B}[I", "\u{1B}[?62;4c", "\u{1B}]11;rgb:0/0/0\u{7}", "\u{1B}[<64;1;1M"])
    func `a report leaves nothing`(_ text: String) {
        var guarding = Self.make()
        #expect(guarding.route(Self.bytes(text)) == .terminal(Self.bytes(text)))
        var unchecked = Self.make(check: nil)
        #expect(unchecked.route(Self.bytes(text)) == .terminal(Self.bytes(text)))
    }

    @Test func `nothing is written into a key or a paste that was begun`() {
        for (first, second) in [("\u{1B}[", "A"), ("\u{1B}[200~a", "b\u{1B}[201~"), ("x\u{1B}", "[A")] {
            var guarding = Self.make()
            #expect(guarding.route(Self.bytes(first)) == .terminal(Self.front + Self.bytes(first)))
            #expect(guarding.scroll(1) == [])
            #expect(guarding.leave() == nil)
            #expect(guarding.paste("一", of: []) == nil)
            #expect(guarding.route(Self.bytes(second)) == .terminal(Self.bytes(second)))
            #expect(guarding.route(Self.bytes("c")) == .terminal(Self.front + Self.bytes("c")))
        }
    }

    @Test func `the Escape key cannot run together with what comes next`() {
        var guarding = Self.make()
        #expect(guarding.route([0x1B]) == .terminal(Self.front + SafeKey.escape))
        #expect(guarding.route(Self.bytes("a")) == .terminal(Self.front + Self.bytes("a")))
        #expect(guarding.route([0x1B, 0x62]) == .terminal(Self.front + [0x1B, 0x62]))
    }

    @Test func `the key after tmux's prefix is tmux's, and text never is`() {
        var guarding = Self.make()
        #expect(guarding.route([2]) == .terminal(Self.front + [2]))
        #expect(guarding.route([2]) == .terminal([2]))
        #expect(guarding.isUnsettled)
        guarding.settled()
        #expect(guarding.route(Self.bytes("a")) == .terminal(Self.front + Self.bytes("a")))
        #expect(!guarding.isUnsettled)
        _ = guarding.route([2])
        #expect(guarding.route(Self.bytes("text"), isText: true) == .terminal(Self.front + Self.bytes("text")))
        #expect(guarding.route(Self.bytes("a")) == .terminal(Self.front + Self.bytes("a")))
        #expect(guarding.holdsPrefix([0x61, 2]))
        #expect(!guarding.holdsPrefix(Self.bytes("text")))
    }

    @Test func `with a keyboard of its own it protects while the pane is in a mode, or may be`() {
        var guarding = Self.make(.inModes, isInMode: false)
        let plain = InputGuard.Route.terminal(Self.bytes("a"))
        let protected = InputGuard.Route.terminal(Self.front + Self.bytes("a"))
        #expect(guarding.route(Self.bytes("a")) == plain)
        _ = guarding.scroll(1)
        #expect(guarding.route(Self.bytes("a")) == protected)
        #expect(guarding.route(Self.bytes("a")) == plain)
        guarding.heard(isInMode: true)
        #expect(guarding.route(Self.bytes("a")) == protected)
        #expect(guarding.route(Self.bytes("a")) == protected)
        guarding.heard(isInMode: nil)
        #expect(guarding.route(Self.bytes("a")) == protected)
        guarding.heard(isInMode: false)
        #expect(guarding.route(Self.bytes("a")) == plain)
    }

    @Test func `a server without the safe keys is never sent one`() {
        for check in [nil, Self.failed] {
            var guarding = Self.make(check: check)
            #expect(guarding.route(Self.bytes("a")) == .command(Self.bytes("a")))
            #expect(guarding.route([0x1B]) == .command([0x1B]))
            #expect(guarding.route(Self.bytes("b")) == .command(Self.bytes("b")))
            #expect(guarding.leave() == .command([]))
            #expect(guarding.paste("一", of: []) == nil)
            // Where the server says that the pane takes keys, they need no way around.
            guarding.heard(isInMode: false)
            #expect(guarding.route(Self.bytes("a")) == .terminal(Self.bytes("a")))
            #expect(guarding.scroll(2) == WheelReport.bytes(2))
            #expect(guarding.route(Self.bytes("a")) == .command(Self.bytes("a")))
            #expect(guarding.route(Self.bytes("a")) == .terminal(Self.bytes("a")))
        }
    }

    @Test func `a new connection knows nothing of the server, and ends a paste that was cut`() {
        var guarding = Self.make(.inModes, isInMode: false)
        _ = guarding.route(Self.bytes("\u{1B}[200~half"))
        guarding.connected()
        #expect(guarding.assurance == .none)
        #expect(guarding.route(Self.bytes("a")) == .command(Self.bytes("\u{1B}[201~a")))
        #expect(guarding.route(Self.bytes("a")) == .terminal(Self.bytes("a")))
        _ = guarding.route(Self.bytes("\u{1B}[200~half"))
        guarding.connected()
        guarding.checked(Self.passed)
        #expect(guarding.route(Self.bytes("a")) == .terminal(Self.front + Self.bytes("\u{1B}[201~a")))
        #expect(guarding.route(Self.bytes("a")) == .terminal(Self.bytes("a")))
    }

    @Test func `keys for tmux are sent as they are, and waited for`() {
        var guarding = Self.make()
        guarding.steer(Self.bytes("\u{2}["))
        #expect(guarding.isUnsettled)
        #expect(guarding.route(Self.bytes("a")) == .terminal(Self.front + Self.bytes("a")))
        guarding.settled()
        _ = guarding.route(Self.bytes("\u{1B}[<2;1;1M"))
        #expect(guarding.isUnsettled)
    }

    @Test func `how far it is scrolled is a guess until the server says`() {
        var guarding = Self.make(.inModes)
        #expect(!guarding.isScrolledBack)
        _ = guarding.scroll(20)
        #expect(guarding.depth.ticks == 8)
        #expect(guarding.isScrolledBack)
        _ = guarding.route(Self.bytes("\u{1B}[<65;1;1M"))
        #expect(guarding.depth.ticks == 7)
        guarding.heard(isInMode: true)
        guarding.heard(isInMode: false)
        #expect(guarding.depth.ticks == 0)
        guarding.heard(isInMode: true)
        #expect(guarding.isScrolledBack)
        _ = guarding.scroll(3)
        guarding.heard(isInMode: nil)
        #expect(guarding.isScrolledBack)
        _ = guarding.leave()
        #expect(!guarding.isScrolledBack)
    }

    @Test func `a buffered paste is one key behind a shield`() {
        var guarding = Self.make()
        let expected = Self.front + SafeKey.shieldNext + Self.bytes("一")
        #expect(guarding.paste("一", of: Self.bytes("text\nmore")) == expected)
        #expect(guarding.isInputDirty)
        _ = guarding.route(Self.bytes("\r"))
        #expect(!guarding.isInputDirty)
    }
}
