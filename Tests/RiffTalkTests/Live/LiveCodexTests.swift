// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTalk
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing

extension InTurn {
    /// What a person says to the real Codex, while it waits at its prompt and while it asks for permission.
    @Suite(
        .enabled(if: CodexLab.isPossible, "scripts/fetch-codex was not run, or sshd and tmux are missing"),
        .timeLimit(.minutes(5))
    )
    struct LiveCodexTests {
        @Test func `words said into its question approve nothing and deny nothing, and at its prompt they arrive`()
            async throws
        {
            try await CodexLab.with { lab in
                try await lab.wait { if case .atPrompt(.codex) = $0 { true } else { false } }
                try await lab.session.typeSpoken("hello there", submit: true)
                try await lab.waitUntilAsked("asked hello there")
                try await lab.wait { if case .atPrompt(.codex) = $0 { true } else { false } }
                try await lab.session.type("%run touch approved.txt", submit: true)
                try await lab.wait { if case .question = $0 { true } else { false } }
                let before = lab.asked
                for words in ["why is that", "what is that", "yes please", "no"] {
                    for submit in [true, false] {
                        let error = await #expect(throws: VoiceError.self) {
                            try await lab.session.typeSpoken(words, submit: submit)
                        }
                        #expect(error?.code == .questionAsked)
                    }
                    guard case .question = try await lab.reading() else {
                        Issue.record("the question is gone after \(words)")
                        return
                    }
                }
                #expect(lab.asked == before)
                #expect(!FileManager.default.fileExists(atPath: "\(lab.folder)/proj/approved.txt"))
                // By hand it is still the person's to answer.
                try await lab.session.write(Array("y".utf8))
                try await lab.waitUntilAsked("answered %run touch approved.txt")
                #expect(FileManager.default.fileExists(atPath: "\(lab.folder)/proj/approved.txt"))
            }
        }
    }
}
