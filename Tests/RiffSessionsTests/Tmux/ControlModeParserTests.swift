// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffSessions
import RiffTesting
import Testing

struct ControlModeParserTests {
    private static func reply(
        _ number: Int,
        _ output: String = "",
        isOwn: Bool = true,
        isError: Bool = false,
        isCut: Bool = false
    ) -> ControlModeEvent {
        var reply = ControlModeReply(number: number, isOwn: isOwn)
        reply.output = Array(output.utf8)
        reply.isError = isError
        reply.isCut = isCut
        return .reply(reply)
    }

    /// Streams as tmux 3.3a writes them, and what they say.
    static let streams: [(String, [ControlModeEvent])] = [
        ("", []),
        ("%begin 1700000000 269 0\n%end 1700000000 269 0\n", [reply(269, isOwn: false)]),
        ("%begin 1700000000 7 1\n$0:1\n$1:0\n%end 1700000000 7 1\n", [reply(7, "$0:1\n$1:0\n")]),
        (
            "%begin 1700000000 8 1\nparse error: unknown command: x\n%error 1700000000 8 1\n",
            [reply(8, "parse error: unknown command: x\n", isError: true)]
        ),
        // What looks like control mode within a reply is output.
        (
            "%begin 1 9 1\n%end 1 8 1\n%sessions-changed\n%begin 1 10 1\n\n%end 1 9 1\n",
            [reply(9, "%end 1 8 1\n%sessions-changed\n%begin 1 10 1\n\n")]
        ),
        (
            "%sessions-changed\n%session-renamed $1 é b\n%pane-mode-changed %1\n%never-heard-of\n",
            [
                .notification(name: "sessions-changed", arguments: ""),
                .notification(name: "session-renamed", arguments: "$1 é b"),
                .notification(name: "pane-mode-changed", arguments: "%1"),
                .notification(name: "never-heard-of", arguments: ""),
            ]
        ),
        ("%exit\n%exit too far behind\n", [.exit(reason: nil), .exit(reason: "too far behind")]),
        (
            #"%output %1 a\015\012\134 \033[1m é\"# + "\n",
            [.output(pane: "%1", bytes: Array("a\r\n\\ \u{1B}[1m é\\".utf8))]
        ),
        (#"%output %12 "# + "\n", [.output(pane: "%12", bytes: [])]),
        (#"%output %1 \8\18\128\377"# + "\n", [.output(pane: "%1", bytes: Array(#"\8\18\128"#.utf8) + [0xFF])]),
        (
            #"%extended-output %3 120 new : a : b\007"# + "\n",
            [.output(pane: "%3", bytes: Array("a : b\u{7}".utf8))]
        ),
        // What cannot be read, and what a profile prints.
        (
            "Welcome\n\n%begin x\n%output %1\n%extended-output %1 2 a\n",
            ["Welcome", "", "%begin x", "%output %1", "%extended-output %1 2 a"].map { .chatter($0) }
        ),
        ("%sessions-changed", []),
    ]

    @Test(arguments: streams)
    func `a stream says the same wherever it is split`(_ stream: String, _ events: [ControlModeEvent]) {
        let bytes = Array(stream.utf8)
        for split in 0...bytes.count {
            var parser = ControlModeParser()
            #expect(parser.feed(bytes[..<split]) + parser.feed(bytes[split...]) == events, "split at \(split)")
        }
        var parser = ControlModeParser()
        #expect(bytes.flatMap { parser.feed(CollectionOfOne($0)) } == events)
    }

    @Test func `long lines and long replies are cut, and what follows is read`() {
        var parser = ControlModeParser(longestLine: 20, longestReply: 30)
        let long = String(repeating: "x", count: 21)
        let stream =
            "%a \(long)\n%begin 1 2 1\nkept\n\(long)\nkept\n%end 1 2 1\n"
            + "%begin 1 3 1\n12345678901234\n12345678901234\n1\n%end 1 3 1\n%b\n"
        #expect(
            parser.feed(Array(stream.utf8)) == [
                .notification(name: "a", arguments: String(repeating: "x", count: 17)),
                Self.reply(2, "kept\nkept\n", isCut: true),
                Self.reply(3, "12345678901234\n12345678901234\n", isCut: true),
                .notification(name: "b", arguments: ""),
            ]
        )
        // Nor does an endless line cost memory beyond the limit, or a cut closing line close.
        var other = ControlModeParser(longestLine: 20)
        #expect(other.feed(Array("%begin 1 2 1\n%end 1 2 1\(long)\n%end 1 2 1\n".utf8)).count == 1)
    }

    @Test(arguments: 0..<20)
    func `any bytes split anywhere are taken, and the order of replies is kept`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces =
            Self.streams.map { Array($0.0.utf8) } + [[0xFF, 0xFE, 0x0A], [0x25, 0x0A], Array("%begin 1 1 1\n".utf8)]
        var stream: [UInt8] = []
        for _ in 0..<400 {
            var piece = pieces.randomElement(using: &generator) ?? []
            if !piece.isEmpty, UInt.random(in: 0..<4, using: &generator) == 0 {
                piece[Int.random(in: 0..<piece.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            stream += piece
        }
        var whole = ControlModeParser(longestLine: 64, longestReply: 256)
        let expected = whole.feed(stream)
        var parser = ControlModeParser(longestLine: 64, longestReply: 256)
        var events: [ControlModeEvent] = []
        var rest = stream[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...50, using: &generator))
            events += parser.feed(piece)
            rest = rest.dropFirst(piece.count)
        }
        #expect(events == expected)
        for case .reply(let reply) in events { #expect(reply.output.count <= 256) }
    }

    @Test func `a reply of a million empty lines is read in time that grows with its bytes`() {
        var parser = ControlModeParser()
        let lines = [UInt8](repeating: 0x0A, count: 1_000_000)
        var events = parser.feed(Array("%begin 1 1 1\n".utf8))
        events += parser.feed(lines)
        events += parser.feed(Array("%end 1 1 1\n".utf8))
        #expect(events == [Self.reply(1, String(decoding: lines, as: UTF8.self))])
    }
}
