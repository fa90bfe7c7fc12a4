// Riff
// SPDX-License-Identifier: Apache-2.0

extension ChatReply {
    /// Whether the reply reads like an error of the host that came as an answer: `Error: …`, whole, and ended properly.
    /// It may also be what the model said; a front end can only ask whether to try again.
    package var suspectedError: Bool {
        guard let choice = choices.first, choice.finishReason == .stop, choice.toolCalls.isEmpty else { return false }
        return choice.content.hasPrefix("Error: ")
    }
}
