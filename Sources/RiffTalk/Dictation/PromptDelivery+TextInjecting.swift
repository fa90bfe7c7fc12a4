// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffShare

/// A delivery takes dictation and conversations: what is said is kept first, and handed over when the agent takes it.
extension PromptDelivery: TextInjecting {
    /// Keeps the words as a prompt of the agent; as a draft if they are not to be submitted. It returns when they are
    /// on disk, which is before the agent has them.
    ///
    /// - Throws: `CoreError` as `PromptOutbox.add`; nothing was kept then.
    public nonisolated func type(_ text: String, submit: Bool) async throws {
        let words = InertText.line(text)
        guard !words.isEmpty else { return }
        try await outbox.add(words, to: agent, isDraft: !submit)
        if submit { await wake() }
    }
}
