// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffSessions

/// The sessions of a host take dictation into the active page, while its program waits at a prompt.
extension SessionManager: TextInjecting {
    /// Types words that a person spoke into the active page, if Claude Code, Codex or a shell waits at its prompt
    /// there.
    ///
    /// - Throws: As `TerminalSession.typeSpoken(_:submit:)`.
    public func typeSpoken(_ text: String, submit: Bool) async throws {
        try await typeSpoken(text, submit: submit) { try SpokenTextGuard.allow($0, $1) }
    }

    /// Words that could answer a question on the screen are refused.
    public nonisolated var guardsQuestions: Bool { true }

    /// The name of the active session.
    public nonisolated func destination() async -> String? {
        let sessions = current
        guard sessions.pages.indices.contains(sessions.activeIndex) else { return nil }
        return sessions.pages[sessions.activeIndex].name.rawValue
    }

    /// The sessions as a sink for words that may go into any program, also into its questions: on purpose, such as for
    /// an agent whose prompt Riff does not know.
    public nonisolated var typingAnywhere: any TextInjecting { TypingAnywhere(sink: self) }
}

/// Types what a person spoke as any other text.
struct TypingAnywhere: TextInjecting {
    let sink: any TextInjecting

    func type(_ text: String, submit: Bool) async throws { try await sink.type(text, submit: submit) }

    func destination() async -> String? { await sink.destination() }
}
