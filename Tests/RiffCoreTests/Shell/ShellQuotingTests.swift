// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import TestSupport
import Testing

extension InTurn {
    @Suite
    struct ShellQuotingTests {
        @Test(arguments: [
            ("plain-word_1.2/3:4@5,6+7", "plain-word_1.2/3:4@5,6+7"),
            ("", "''"),
            ("two words", "'two words'"),
            ("it's", #"'it'\''s'"#),
            ("'", #"\'"#),
            (#"a\b"#, #"'a'\\'b'"#),
            (#"\'"#, #"\\\'"#),
            ("$HOME `id` !x *", "'$HOME `id` !x *'"),
            ("a\nb", "'a\nb'"),
            ("~", "'~'"),
            ("=ls", "'=ls'"),
            ("é", "'é'"),
        ])
        func `quotes and backslashes stand outside of quotes`(_ text: String, _ expected: String) throws {
            #expect(try ShellQuoting.quote(text) == expected)
        }

        @Test func `words are joined with spaces`() throws {
            #expect(try ShellQuoting.join(["printf", "%s\\0", "", "a b"]) == #"printf '%s'\\'0' '' 'a b'"#)
            #expect(try ShellQuoting.join([]) == "")
        }

        @Test func `a NUL is refused`() {
            let error = #expect(throws: CoreError.self) { try ShellQuoting.quote("a\0b") }
            #expect(error?.code == .nulInArgument)
            #expect(throws: CoreError.self) { try ShellQuoting.join(["a", "\0"]) }
            #expect(throws: CoreError.self) { try LoginShellCommand("a\0") }
            #expect(throws: CoreError.self) { try ManagementCommand("a\0") }
        }

        // Else tests with a case for each shell would do less, and nothing would say so.
        @Test(.enabled(if: ShellProgram.shells.count == 4, "needs dash, bash, zsh and fish"))
        func `each shell is asked`() { #expect(ShellProgram.shells.map(\.name) == ["dash", "bash", "zsh", "fish"]) }

        @Test(.timeLimit(.minutes(5)), arguments: ShellProgram.shells)
        func `ten thousand hostile texts pass a login shell unchanged`(_ shell: ShellProgram) async throws {
            var generator = HostileTexts(seed: 20_240_229)
            let texts = (0..<10_000).map { _ in generator.next() }
            try await withTemporaryHome { home in
                for start in stride(from: 0, to: texts.count, by: 500) {
                    let batch = Array(texts[start..<(start + 500)])
                    let inner = try ShellQuoting.join(["/usr/bin/printf", "%s\\0"] + batch)
                    let result = try await shell.run(["-c", try LoginShellCommand(inner).line], in: home)
                    let expected = Array(batch.map { $0 + "\0" }.joined().utf8)
                    #expect(result.status == 0)
                    if result.output != expected {
                        let got = result.output.split(separator: 0, omittingEmptySubsequences: false)
                        let index = zip(batch, got).enumerated().first { Array($1.0.utf8) != Array($1.1) }?.offset
                        Issue.record(
                            "\(shell.name), text \(start + (index ?? 0)): \(batch[index ?? 0].debugDescription)"
                        )
                        return
                    }
                }
            }
        }
    }
}

/// Texts rich in what shells read as something else, the same for the same seed.
struct HostileTexts {
    private var state: UInt64
    private static let pieces =
        [
            "\\", "'", "\"", "$", "!", "\n", "`", " ", "*", "?", "[", "]", "{", "}", "~", "#", "&", ";", "|", "<", ">",
            "(",
        ]
        + [")", "=", "%", "^", "\t", "\r", "\u{1B}", "\u{7F}", "\\'", "\\\\", "'\\''", "$HOME", "$(id)", "${x}", "!!"]
        + ["a", "b", "Z", "0", "-", "--", "/", "é", "日本", "👩‍👩‍👧", "e\u{301}", "\u{202E}", "\u{F600}", "\u{E000}", "\u{1}"]

    init(seed: UInt64) { state = seed }

    /// SplitMix64.
    private mutating func random(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ (z >> 31)) % UInt64(bound))
    }

    mutating func next() -> String {
        (0..<random(below: 14)).map { _ in Self.pieces[random(below: Self.pieces.count)] }.joined()
    }
}
