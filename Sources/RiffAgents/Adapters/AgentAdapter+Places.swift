// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension AgentAdapter {
    /// The file with the state of a process, from the home folder on; `nil` if the agent has none.
    package func statusFile(pid: Int) -> String? {
        guard !facts.places.status.isEmpty else { return nil }
        return facts.places.status.replacing("{pid}", with: String(pid))
    }

    /// The record of a conversation, from the home folder on.
    ///
    /// - Parameters:
    ///   - conversation: Its id.
    ///   - directory: The absolute path of the directory that the agent was started in.
    /// - Returns: The path; `nil` if it cannot be told from the id, or the id is no plain one.
    package func transcript(of conversation: String, in directory: String) -> String? {
        guard !facts.places.transcript.isEmpty, ConversationID.isPlain(conversation) else { return nil }
        return facts.places.transcript
            .replacing("{project}", with: ClaudeProjectFolder.name(of: directory))
            .replacing("{id}", with: conversation)
    }
}
