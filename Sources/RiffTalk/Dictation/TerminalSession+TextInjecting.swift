// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffSessions

/// A terminal session takes dictation while its program waits at a prompt.
extension TerminalSession: TextInjecting {
    /// Types words that a person spoke, if Claude Code, Codex or a shell waits at its prompt: the screen is looked at
    /// on the host before the words and again before Return.
    ///
    /// - Throws: ``VoiceError`` with `notAtPrompt` or `questionAsked`, whose message says whether words were typed; as
    ///   `TerminalSession.type(_:submit:)`.
    public nonisolated func typeSpoken(_ text: String, submit: Bool) async throws {
        try await typeSpoken(text, submit: submit) { try SpokenTextGuard.allow($0, $1) }
    }

    /// Words that could answer a question on the screen are refused.
    public nonisolated var guardsQuestions: Bool { true }

    /// The session's name.
    public nonisolated func destination() async -> String? { name }

    /// The session as a sink for words that may go into any program, also into its questions: on purpose, such as for
    /// an agent whose prompt Riff does not know. `Dictation(..., sink: session.typingAnywhere)`.
    public nonisolated var typingAnywhere: any TextInjecting { TypingAnywhere(sink: self) }
}
