// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// The conversation between a server and the person while one connection is being made.
final class SSHLoginTalk: Sendable {
    /// The time that the person has.
    let personLimit: Duration

    private let host: HostPin
    private let user: String
    private let conversation: (any SSHConversation)?
    private let state = Mutex(State())

    private struct State {
        /// Shows the words so far, one after another. As many tasks as the engine lets words through
        /// (``SSHLoginLimits``).
        var showing: Task<Void, Never>?
        /// The beginning of the words that no one was there to be shown.
        var unshown = ""
    }

    init(_ plan: SSHConnection.Plan) {
        personLimit = plan.personLimit
        host = plan.pin
        user = plan.user
        conversation = plan.conversation
    }

    /// Shows words.
    ///
    /// - Returns: Whether the person has something to do because of them: there is a link in them.
    func tell(_ words: SSHEngineWords) -> Bool {
        let text = InertText.paragraph(words.text, limitBytes: SSHServerWords.longestTextBytes)
        let shown = SSHServerWords(host: host, user: user, text: text, isVerified: words.isEncrypted)
        guard let conversation else {
            if words.isEncrypted {
                state.withLock { if $0.unshown.utf8.count < 1_024 { $0.unshown += text } }
            }
            return false
        }
        state.withLock { state in
            let before = state.showing
            state.showing = Task {
                await before?.value
                await conversation.show(shown)
            }
        }
        return words.isEncrypted && !shown.links.isEmpty
    }

    /// Shows what a round of questions says above them.
    func tell(_ prompts: SSHPrompts) {
        let text = [prompts.name, prompts.instruction].filter { !$0.isEmpty }.joined(separator: "\n")
        if !text.isEmpty { _ = tell(SSHEngineWords(text: text, isEncrypted: true)) }
    }

    /// Returns when everything so far is on its way to the screen.
    func everythingShown() async { await state.withLock(\.showing)?.value }

    /// The server's words that were shown to no one, for an error.
    var unshownWords: String? {
        let words = InertText.quote(state.withLock(\.unshown))
        return words.isEmpty ? nil : words
    }
}
