// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PaneReaderTests {
    private static func chunk(_ text: String, gap: PaneChunk.Gap? = nil, offset: UInt64 = 0) -> PaneChunk {
        PaneChunk(bytes: Array(text.utf8), gap: gap, offset: offset, receivedAt: 0)
    }

    @Test func `chunks come in order, and then the end`() async throws {
        let reader = PaneReader(limitBytes: 100) {}
        for text in ["a", "b", "c"] { reader.add(Self.chunk(text)) }
        reader.finish(.success(()))
        reader.add(Self.chunk("late"))
        for text in ["a", "b", "c"] { #expect(try await reader.next() == Self.chunk(text)) }
        #expect(try await reader.next() == nil)
        #expect(try await reader.next() == nil)
    }

    @Test func `the oldest go beyond the limit, and are counted with the gaps that they had`() async throws {
        let reader = PaneReader(limitBytes: 10) {}
        reader.add(Self.chunk("12345", gap: .bytes(7)))
        reader.add(Self.chunk("67890"))
        reader.add(Self.chunk("abcde", gap: .bytes(2)))
        #expect(try await reader.next() == Self.chunk("67890", gap: .bytes(12)))
        #expect(try await reader.next() == Self.chunk("abcde", gap: .bytes(2)))
        reader.add(Self.chunk("1", gap: .unknown))
        reader.add(Self.chunk("0123456789"))
        #expect(try await reader.next() == Self.chunk("0123456789", gap: .unknown))
    }

    @Test func `one chunk is kept, however long`() async throws {
        let reader = PaneReader(limitBytes: 3) {}
        reader.add(Self.chunk("too long"))
        #expect(try await reader.next() == Self.chunk("too long"))
    }

    @Test func `a waiting task gets what comes, and a cancelled one loses nothing`() async throws {
        let reader = PaneReader(limitBytes: 100) {}
        let waiting = Task { try await reader.next() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        reader.add(Self.chunk("a"))
        #expect(try await reader.next() == Self.chunk("a"))
        let next = Task { try await reader.next() }
        reader.add(Self.chunk("b"))
        #expect(try await next.value == Self.chunk("b"))
    }

    @Test func `an end with an error comes after what is held`() async throws {
        let reader = PaneReader(limitBytes: 100) {}
        reader.add(Self.chunk("a"))
        reader.finish(.failure(KitError(.paneTaken, "It is taken.")))
        #expect(try await reader.next() == Self.chunk("a"))
        await #expect(throws: KitError.self) { try await reader.next() }
    }

    @Test func `who lets go of a reader, or closes it, leaves`() {
        let count = Mutex(0)
        do { _ = PaneReader(limitBytes: 1) { count.withLock { $0 += 1 } } }
        #expect(count.withLock(\.self) == 1)
        let reader = PaneReader(limitBytes: 1) { count.withLock { $0 += 1 } }
        reader.close()
        #expect(count.withLock(\.self) == 2)
    }
}

struct TapHeaderTests {
    @Test(arguments: [
        ("live 12-34-%5.678 90", TapHeader.bytes(.live, tap: "12-34-%5.678", from: 90)),
        ("ended t 0", .bytes(.ended, tap: "t", from: 0)),
        ("broken t 18446744073709551615", .bytes(.broken, tap: "t", from: .max)),
        ("refused no pane", .refused("no pane")), ("refused", .refused("")),
    ])
    func `a header is found after what a profile says, at any split`(line: String, header: TapHeader) throws {
        let text = Array("motd\nMARK not\n\nMARK\n\(line)\n\u{1B}[0m\nrest".utf8)
        for place in 0...text.count {
            var parser = TapHeaderParser(marker: "MARK")
            var found: TapHeader?
            var rest: [UInt8] = []
            for part in [text[..<place], text[place...]] {
                var bytes = part
                if found == nil { found = try parser.next(in: &bytes) }
                if found != nil { rest += bytes }
            }
            #expect(found == header && rest == Array("\u{1B}[0m\nrest".utf8), "split at \(place)")
        }
    }

    @Test(arguments: ["live t", "live t -1", "live t 18446744073709551616", "dead t 1", "", "live  t 1 2"])
    func `what is no header is an error`(line: String) {
        var parser = TapHeaderParser(marker: "M")
        var bytes = Array("M\n\(line)\n".utf8)[...]
        #expect(throws: KitError.self) { _ = try parser.next(in: &bytes) }
    }

    @Test func `chatter without an end is not kept`() throws {
        var parser = TapHeaderParser(marker: "M")
        for _ in 0..<100 {
            var bytes = [UInt8](repeating: 0x61, count: 65536)[...]
            #expect(try parser.next(in: &bytes) == nil)
        }
        var bytes = Array("\nM\nlive t 1\n".utf8)[...]
        #expect(try parser.next(in: &bytes) == .bytes(.live, tap: "t", from: 1))
    }
}
