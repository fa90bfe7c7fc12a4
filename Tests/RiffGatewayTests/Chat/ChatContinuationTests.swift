// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffGateway
import Testing

/// Rule 12 of design/streaming.md, section 1.3: what was cut off is gone on with, and nothing is lost or said twice.
@Suite struct ChatContinuationTests {
    /// Both parts of a text put together, the second in pieces of so many characters.
    private static func join(_ first: String, _ second: String, by size: Int = 4) -> String {
        var continuation = ChatContinuation(of: first)
        var text = continuation.text
        var rest = second.unicodeScalars[...]
        while !rest.isEmpty {
            text += continuation.append(String(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return text + continuation.finish()
    }

    private static let answer = """
        A pseudo-terminal is a pair of devices. The **master** end belongs to the program that shows the terminal, the \
        **slave** end to the program that runs in it:

        - what is typed goes in at the master, and comes out at the slave \u{1F600};
        - what is printed goes the other way, \u{65E5}\u{672C}\u{8A9E} included.

        ```swift
        let terminal = try LocalPTYTerminal(command)
            .resized(to: TerminalSize(columns: 80, rows: 24))
        ```

        Nothing is lost: the kernel keeps what nobody reads, up to 4096 bytes, and then the writer waits.
        """

    /// The answer as a stream, some words a chunk, its emoji in two halves.
    private static let stream: String = {
        var chunks: [String] = []
        var rest = answer.unicodeScalars[...]
        while !rest.isEmpty {
            let piece = String(rest.prefix(7))
            let json = JSONValue.string(piece).description
            let halves = json.split(separator: "\u{1F600}", omittingEmptySubsequences: false)
            chunks.append(String(halves[0]) + (halves.count > 1 ? #"\ud83d""# : ""))
            if halves.count > 1 { chunks.append(#""\ude00"# + halves[1]) }
            rest = rest.dropFirst(7)
        }
        return chunks.map {
            #"data: {"choices":[{"index":0,"delta":{"content":\#($0)},"finish_reason":null}]}"# + "\n\n"
        }
        .joined() + #"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"# + "\n\ndata: [DONE]\n\n"
    }()

    @Test func `a stream cut at any byte keeps what came, and goes on without losing or repeating a character`() throws
    {
        let bytes = Array(Self.stream.utf8)
        let whole = Array(Self.answer.unicodeScalars)
        var reader = ChatReplyReader(ChatReading.head())
        var deltas: [ChatDelta] = []
        var ends: Set<String> = []
        for (place, byte) in bytes.enumerated() {
            // A cut before this byte.
            var cut = reader
            let outcome = cut.end(ChatReading.lost, into: &deltas)
            let first = outcome.reply.content
            let isFinished = outcome.reply.finishReason != nil
            if case .complete = outcome { #expect(isFinished) } else { #expect(outcome.error?.code == .chatTruncated) }
            #expect(Self.answer.unicodeScalars.starts(with: first.unicodeScalars))
            // All that had come whole is there.
            if bytes[..<place].suffix(2) == [10, 10] { #expect(first == reader.partial.content) }
            defer { reader.feed([byte], into: &deltas) }
            if !isFinished, ends.insert(first).inserted {
                let rest = String(String.UnicodeScalarView(whole[first.unicodeScalars.count...]))
                let continuation = ChatContinuation(of: first)
                let anchor = continuation.anchor
                guard !continuation.text.isEmpty else {
                    // Too short to be found again: all of it is asked for.
                    #expect(first.count < 42 && anchor.isEmpty)
                    #expect(Self.join(first, Self.answer) == Self.answer)
                    continue
                }
                #expect(continuation.text == first && first.hasSuffix(anchor))
                // The model does as it was asked, or only goes on, or repeats more, or copies the marks.
                #expect(Self.join(first, anchor + rest) == Self.answer)
                #expect(Self.join(first, rest) == Self.answer)
                #expect(Self.join(first, "\n <<<\(anchor)>>>\(rest)", by: 3) == Self.answer)
                for overlap in [77, 120, 200]
                where (anchor.unicodeScalars.count...first.unicodeScalars.count).contains(overlap) {
                    let repeated = String(String.UnicodeScalarView(first.unicodeScalars.suffix(overlap)))
                    #expect(Self.join(first, repeated + rest, by: overlap % 9 + 1) == Self.answer)
                }
            }
        }
        #expect(ends.count > 50)
        #expect(reader.partial.content == Self.answer)
    }

    /// What came in all of these cases, but for the white space at its end.
    private static let long = "Both machines run the tests, and it is the second change that works."

    @Test(arguments: [
        // As it was asked.
        ("", "[] on", " on"), ("", "[]on", "on"), ("\n\n", "[]\n\nNext", "Next"), ("\n", "[]\n\nNext", "\nNext"),
        // The white space that the first part ended with is trimmed, is less, is other, or stands in front.
        ("\n\n", "[]Next", "Next"), ("\n\n", "[]\nNext", "Next"), ("\n\n", "[] Next", " Next"),
        ("\n\n", "\n[]\n\nNext", "Next"), ("", " \n[] on", " on"), (" ", "[]\non", "\non"),
        // The marks are copied.
        ("", "<<<[]>>> on", " on"), ("\n\n", "<<<[]>>>\n\nNext", "Next"), ("\n\n", "<<<[]\n\n>>>Next", "Next"),
        ("\n\n", " <<<\n[]\n>>>\nNext", "Next"), ("", "<<<[] on", " on"), ("", "[]>>> on", ">>> on"),
        // It only goes on.
        ("", " on", " on"), ("\n", "Next", "Next"), ("", "<<< on", "<<< on"), ("", "<", "<"), ("\n", "\n", "\n"),
        // Nothing, the same and no more, half of the repetition and then the end.
        ("", "", ""), ("", "[]", ""), ("\n\n", "[]", ""), ("\n", "[]\n", ""),
        ("", "the second change", "the second change"),
    ])
    func `the seam is found`(blank: String, second: String, expected: String) {
        let anchor = ChatContinuation(of: Self.long).anchor
        #expect(ChatContinuation(of: Self.long + blank).anchor == anchor + blank)
        let words = second.split(separator: "[]", omittingEmptySubsequences: false).joined(separator: anchor)
        for size in [1, 2, 3, 7, 500] {
            #expect(Self.join(Self.long + blank, words, by: size) == Self.long + blank + expected)
        }
    }

    @Test(arguments: [
        ("second change that works. Then", " Then"), ("change that works.", ""), ("the second change that works.", ""),
        (" is the second change that works.\n\nNext", "\n\nNext"), ("<<<second change that works.>>> Then", " Then"),
    ])
    func `a part of the words that were asked for is found by its own end`(second: String, expected: String) {
        for size in [1, 2, 3, 7, 500] { #expect(Self.join(Self.long, second, by: size) == Self.long + expected) }
    }

    @Test(
        arguments: [
            // The end of the words, too short to be certain; their beginning, and then something else.
            ("that works. Then", "that works."), ("tests, and it is the second machine", "tests, and it is the second"),
            ("tests, and it", "tests, and it"),
            // Nothing that is the same, or one word.
            ("Then it", nil), ("works. Then", nil), ("and so", nil), (" on", nil), ("the second change", nil),
        ] as [(String, String?)]
    )
    func `what may stand twice is kept, and told`(second: String, doubt: String?) {
        for size in [1, 3, 500] {
            var continuation = ChatContinuation(of: Self.long)
            #expect(continuation.anchor.hasPrefix("tests, and it is the second change"))
            #expect(continuation.doubt == nil)
            var text = ""
            var rest = second.unicodeScalars[...]
            while !rest.isEmpty {
                text += continuation.append(String(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            text += continuation.finish()
            #expect(text == second)
            #expect(continuation.doubt?.trimmed == doubt)
        }
    }

    @Test(arguments: [
        "            }\n", "| a row | of a table | \n", "        }\n    }\n", "very ", "bon", "- - - - - - - - -\n",
    ])
    func `a line that follows itself is no repetition, where the model only goes on`(line: String) {
        let first = "\(Self.long)\n\(line)"
        for size in [1, 5, 100] { #expect(Self.join(first, "\(line)end", by: size) == "\(first)\(line)end") }
    }

    @Test(arguments: ["", "ha", "bon", "   \n", "It was a quick bro", String(repeating: "-", count: 39)])
    func `of what is too short to be found again, all is asked for anew`(first: String) {
        let continuation = ChatContinuation(of: first)
        #expect(continuation.text.isEmpty && continuation.anchor.isEmpty)
        #expect(Self.join(first, "ha!") == "ha!" && Self.join(first, first) == first)
        let request = ChatRequest(model: "m", messages: [.user("?")])
        #expect(continuation.request(after: request) == request)
    }

    @Test func `white space without an end is not held for ever`() {
        var continuation = ChatContinuation(of: Self.long)
        let given = (0..<300).map { _ in continuation.append(" ") }.joined()
        #expect(given.count == 300)
    }

    @Test func `in a text that repeats itself exactly the anchor is dropped`() {
        let first = String(repeating: "ha ", count: 50)
        let anchor = ChatContinuation(of: first).anchor
        #expect(Self.join(first, anchor + "ha ha ha!") == first + "ha ha ha!")
        let dashes = String(repeating: "-", count: 300)
        let other = ChatContinuation(of: dashes).anchor
        #expect(Self.join(dashes, other + "----|") == dashes + "----|")
    }

    @Test func `a repetition of more than two hundred characters is none`() {
        let first = (0..<100).map { "word\($0)" }.joined(separator: " ")
        let suffix = String(first.suffix(201))
        #expect(Self.join(first, suffix + "!") == first + suffix + "!")
        #expect(Self.join(first, String(first.suffix(200)) + "!") == first + "!")
    }

    @Test func `what cannot be a repetition is given at once, and nothing is held for ever`() {
        var continuation = ChatContinuation(of: Self.long)
        #expect(continuation.append("Over") == "Over")
        #expect(continuation.append(" it") == " it")
        #expect(continuation.finish() == "")
        var held = ChatContinuation(of: String(repeating: "a", count: 1000))
        let given = (0..<300).map { _ in held.append("a") }.joined()
        #expect(given.count == 300 - held.anchor.count)
    }

    @Test func `the request shows what came and names its last words`() {
        var original = ChatRequest(model: "m", messages: [.user("Explain.")])
        original.temperature = 0.5
        let first = String(repeating: "All that was said. ", count: 20)
        let continuation = ChatContinuation(of: first)
        #expect(continuation.anchor.count >= 40 && continuation.anchor.count <= 80)
        #expect(first.hasSuffix(continuation.anchor) && !continuation.anchor.hasPrefix(" "))
        let request = continuation.request(after: original, instruction: "Go on.")
        #expect(request.messages.map(\.role) == [.user, .assistant, .user])
        #expect(request.messages[1] == .assistant(first))
        #expect(request.messages[2] == .user("Go on.\n<<<\(continuation.anchor)>>>"))
        #expect(request.temperature == 0.5)
        #expect(ChatContinuation(of: "").request(after: original) == original)
    }
}

extension String {
    /// Without white space at its end.
    fileprivate var trimmed: String {
        var text = self
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
