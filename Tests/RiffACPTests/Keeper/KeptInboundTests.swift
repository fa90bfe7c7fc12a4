// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import Testing

struct KeptInboundTests {
    private static let attachment = "Welcome!\nMARK\n17.4 0 3 running\n{\"protocolVersion\":1}\n{\"a\":1}\n{\"b\":"

    private func lines(_ frames: [ACPFrame]) -> [String] {
        frames.map { frame in
            guard case .line(let line) = frame else { return "\(frame)" }
            return String(decoding: line, as: UTF8.self)
        }
    }

    @Test func `an attachment is read wherever its bytes are cut`() throws {
        let bytes = Array(Self.attachment.utf8)
        for cut in 0...bytes.count {
            var inbound = KeptInbound(from: nil, lineLimit: 1000)
            inbound.begin(marker: "MARK")
            let parts = try [inbound.push(Array(bytes[..<cut])), inbound.push(Array(bytes[cut...]))]
            let header = parts.lazy.compactMap(\.header).first
            #expect(header?.lastNumber == 3)
            #expect(header?.state == .running)
            #expect(header?.greeting == ["protocolVersion": 1])
            #expect(lines(parts.flatMap(\.frames)) == ["{\"a\":1}"])
            #expect(inbound.next == 13)
            #expect(inbound.position == 8)
        }
    }

    @Test func `words before the marker, without an end or too long, are skipped wherever they are cut`() throws {
        let words = ["Welcome! MARK", "MAR", String(repeating: "x", count: 70_000) + "\n", "MARK MARK \r\n", "\nM\n"]
        for word in words {
            let bytes = Array("\(word)MARK\n17.4 0 3 running\n\n{\"a\":1}\n{\"b\":".utf8)
            for cut in max(0, bytes.count - 80)...bytes.count {
                var inbound = KeptInbound(from: nil, lineLimit: 1000)
                inbound.begin(marker: "MARK")
                let parts = try [inbound.push(Array(bytes[..<cut])), inbound.push(Array(bytes[cut...]))]
                #expect(parts.lazy.compactMap(\.header).first?.lastNumber == 3)
                #expect(inbound.header?.greeting == nil)
                #expect(lines(parts.flatMap(\.frames)) == ["{\"a\":1}"])
                #expect(inbound.position == 8)
            }
        }
    }

    @Test func `a header that is too long is none, and a greeting that is too long is left out`() throws {
        let long = String(repeating: "9", count: 70_000)
        var inbound = KeptInbound(from: nil, lineLimit: 1000)
        inbound.begin(marker: "MARK")
        let taken = try inbound.push(Array("MARK\n1.1 0 0 running\n\(long)\n{\"whole\":1}\n".utf8))
        #expect(taken.header?.state == .running && taken.header?.greeting == nil)
        #expect(lines(taken.frames) == ["{\"whole\":1}"])
        var other = KeptInbound(from: nil, lineLimit: 1000)
        other.begin(marker: "MARK")
        #expect {
            _ = try other.push(Array("MARK\n1.1 0 0 running \(long)\n\n".utf8))
        } throws: {
            ($0 as? ACPError)?.code == .unexpectedAnswer
        }
    }

    @Test(arguments: [
        ("running", 0, []), ("running 0", 0, []), ("running 7 rA:1-73 rB:2-", 7, ["rA:1", "rB:2"]),
        ("running 7 rA1-73 rA:1-7 rA:1-zz rC:3-73", 7, ["rC:3"]), ("running x rA:1-73", 0, ["rA:1"]),
        ("ended 0 7 rA:1-73", 0, []), ("lost 7 rA:1-73", 0, []),
    ])
    func `a header names the turns that run`(words: String, last: UInt64, ids: [String]) throws {
        var inbound = KeptInbound(from: nil, lineLimit: 1000)
        inbound.begin(marker: "MARK")
        let header = try #require(try inbound.push(Array("MARK\n1.1 0 3 \(words)\n\n".utf8)).header)
        #expect(header.lastTurn == last && header.lastNumber == 3)
        #expect(header.turns.map(\.id) == ids.map { .text($0) })
    }

    @Test func `after a loss it goes on in the middle of the line`() throws {
        var inbound = KeptInbound(from: nil, lineLimit: 1000)
        inbound.begin(marker: "MARK")
        _ = try inbound.push(Array(Self.attachment.utf8))
        inbound.begin(marker: "AGAIN")
        #expect(try lines(inbound.push(Array("AGAIN\n17.4 13 3 ended 7\n\n2}\n".utf8)).frames) == ["{\"b\":2}"])
        #expect(inbound.header?.state == .ended(7))
        #expect(inbound.position == 16)
    }

    @Test func `what is not kept any more is an error, and so is another agent`() throws {
        let answers: [(String, ACPError.Code)] = [
            ("AGAIN\n17.4 99 3 running\n\n", .linesLost), ("AGAIN\n18.1 0 0 running\n\n", .agentExited),
            ("AGAIN\nnonsense\n\n", .unexpectedAnswer),
        ]
        for (answer, code) in answers {
            var inbound = KeptInbound(from: nil, lineLimit: 1000)
            inbound.begin(marker: "MARK")
            _ = try inbound.push(Array(Self.attachment.utf8))
            inbound.begin(marker: "AGAIN")
            #expect { _ = try inbound.push(Array(answer.utf8)) } throws: { ($0 as? ACPError)?.code == code }
        }
    }

    @Test func `half a line at the beginning of what is kept is left out`() throws {
        var inbound = KeptInbound(from: nil, lineLimit: 1000)
        inbound.begin(marker: "MARK")
        let taken = try inbound.push(Array("MARK\n1.1 500 0 running\n\nalf\":1}\n{\"whole\":1}\n".utf8))
        #expect(lines(taken.frames) == ["{\"whole\":1}"])
        #expect(inbound.position == 520)
        // A loss in that half: what was read of it is not asked for again.
        var cut = KeptInbound(from: nil, lineLimit: 1000)
        cut.begin(marker: "MARK")
        #expect(try cut.push(Array("MARK\n1.1 500 0 running\n\nal".utf8)).frames.isEmpty)
        // Nobody may begin there later: it is the middle of a line.
        #expect(cut.position == nil && cut.next == 502)
        cut.begin(marker: "MARK")
        #expect(try lines(cut.push(Array("MARK\n1.1 502 0 running\n\nf\":1}\n{}\n".utf8)).frames) == ["{}"])
        #expect(cut.position == 511)
    }
}

struct KeptOutboundTests {
    private func drain(_ outbound: inout KeptOutbound) -> [String] {
        var all: [String] = []
        while let bytes = outbound.next() { all.append(String(decoding: bytes, as: UTF8.self)) }
        return all
    }

    @Test func `what was not acknowledged is sent again, and nothing else`() {
        var outbound = KeptOutbound()
        outbound.attached(lastNumber: 0)
        outbound.add(Array("a\n".utf8), for: .message)
        outbound.add(Array("bb\n".utf8), for: .answer(key: "31"))
        outbound.add(Array("{}\n".utf8), for: .greeting)
        #expect(drain(&outbound) == ["1 2 -\na\n", "2 3 31\nbb\n", "3 3 hello\n{}\n"])
        outbound.acknowledged(1)
        #expect(drain(&outbound).isEmpty)
        // The host has handed over the second one, and the word of it was lost.
        outbound.attached(lastNumber: 2)
        #expect(drain(&outbound) == ["3 3 hello\n{}\n"])
        outbound.acknowledged(3)
        #expect(outbound.isEmpty)
        #expect(outbound.bytes == 0)
        outbound.add(Array("c\n".utf8), for: .message)
        #expect(drain(&outbound) == ["4 2 -\nc\n"])
    }

    @Test func `keys are texts that a file's name may hold`() {
        #expect(KeptOutbound.key(of: .number(12)) == "3132")
        #expect(KeptOutbound.key(of: .text("a/b")) == "22612f6222")
        #expect(KeptOutbound.key(of: .text(String(repeating: "x", count: 200))) == nil)
    }
}
