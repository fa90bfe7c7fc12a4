// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import TestSupport
import Testing

/// Whatever a peer says: no error's message has a control character, and none is long. Every error of every library is
/// a ``DomainError`` (scripts/lint sees to it), so what holds for one code holds for each.
@Suite struct PeerWordsInErrorsTests {
    struct NewCode: ErrorCode {
        typealias Details = Int
        static let domain = "new"
        let rawValue: String
    }

    struct Foreign: RiffError {
        let stableCode = "app.own"
        let message: String
        let recovery: Recovery? = nil
    }

    @Test(arguments: PeerWords.hostile.indices) func `a message is one harmless line`(index: Int) {
        let words = PeerWords.hostile[index]
        let errors: [any RiffError] = [
            CoreError(.foreign, "The host says: \(words). Try again."), DataError(.databaseFailed, words),
            DomainError<NewCode>(NewCode(rawValue: "a"), words, recovery: .retry, cause: nil, details: 1),
            DomainError<NewCode>(NewCode(rawValue: "b"), words), UnsupportedShell(path: words).error(host: words),
        ]
        for error in errors {
            for text in [error.message, error.description, error.errorDescription ?? ""] {
                #expect(PeerWords.fault(in: text) == nil, "\(error.stableCode)")
            }
        }
        let problems = [
            Problem(Foreign(message: words)), Problem(code: "a", message: words), Problem(errors[0]),
        ]
        for problem in problems { #expect(PeerWords.fault(in: problem.message) == nil) }
    }

    @Test(arguments: PeerWords.hostile.indices) func `what a host's shell and tmux say is quoted harmlessly`(index: Int)
    {
        let words = PeerWords.hostile[index]
        let lines = [
            "sh: 1: \(words): not found", "zsh:1: command not found: \(words)", "fish: Unknown command: \(words)",
        ]
        for line in lines {
            guard let program = MissingProgram(status: 127, diagnostics: line) else { continue }
            #expect(PeerWords.fault(in: program.name) == nil && !program.name.isEmpty)
            let problem = ConnectionProblem.programMissing(program, host: words)
            #expect(PeerWords.fault(in: problem.message) == nil)
            #expect(PeerWords.fault(in: problem.recovery?.detail ?? "") == nil)
        }
        if let shell = UnsupportedShell(in: "__RIFF_UNSUPPORTED_SHELL__ \(words)") {
            #expect(PeerWords.fault(in: shell.path) == nil)
        }
    }

    @Test func `a message keeps its beginning and its end`() {
        let long = String(repeating: "\u{1F468} ", count: 10_000)
        let message = CoreError(.foreign, "The host says: \(long). Try again.").message
        #expect(message.hasPrefix("The host says: \u{1F468}") && message.hasSuffix(". Try again."))
        #expect(message.contains("\u{2026}") && !message.contains("\u{FFFD}"))
        #expect((3_900...4_000).contains(message.utf8.count))
        // A plain sentence is left as it is, and so is one in another language.
        for sentence in ["It is there.", "Das geht so nicht: \u{00E9}\u{0301}", "\u{9375}\u{304C}\u{9055}\u{3046}"] {
            #expect(CoreError(.foreign, sentence).message == sentence)
        }
    }
}
