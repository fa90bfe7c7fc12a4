// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffAgents
public import RiffTransport
public import RiffVoice

extension AgentAdapter {
    /// A feed of what the agent says, out of its own records; for a ``Narrator``.
    ///
    /// What it says in threads of titles and of helpers is not among it. A turn that failed is told with its reason.
    ///
    /// - Parameters:
    ///   - host: The host that it runs on.
    ///   - directory: Only conversations that were started in this directory, an absolute path; `nil` for all.
    ///   - conversation: Only this conversation, as ``AgentLaunch/conversation`` and ``AgentListing/conversation`` name
    ///     it; `nil` for the one that was written last.
    ///   - prose: What of an answer is worth hearing.
    ///   - clock: Measures the time between two looks.
    /// - Returns: The feed; `nil` for an agent whose records are not known.
    public func answers(
        on host: any HostSession,
        directory: String? = nil,
        conversation: String? = nil,
        prose: SpokenProse = SpokenProse(),
        clock: any Clock<Duration> = ContinuousClock()
    ) -> (any AgentAnswerFeed)? {
        switch kind {
        case .claude:
            let transcripts = ClaudeTranscripts(on: host, project: directory, conversation: conversation)
            return ClaudeAnswerFeed(transcripts, prose: prose, clock: clock)
        case .codex:
            let records = CodexRecords(on: host, project: directory, conversation: conversation)
            return CodexAnswerFeed(records, prose: prose, clock: clock)
        default: return nil
        }
    }
}
