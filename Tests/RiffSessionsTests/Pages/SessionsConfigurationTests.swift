// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import Synchronization
import Testing

struct SessionsConfigurationTests {
    @Test func `what was chosen about claude counts from the next session on, and for its removal`() throws {
        let choice = Mutex(ClaudeArguments(effort: "low"))
        let configuration = SessionsConfiguration(claude: { choice.withLock { $0 } })
        let name = try SessionName("riff-2")
        let size = TerminalSize.standard
        #expect(try configuration.newSession(name, nil, size).line().contains(#" claude --effort low \; "#))
        #expect(try configuration.baseSession().line().contains(#" claude --effort low \; "#))
        #expect(configuration.cleanup(name) == nil)

        choice.withLock { $0.worktrees = Worktrees() }
        #expect(try configuration.newSession(name, nil, size).line().contains(" -e 'RIFF_SESSION=riff-2' "))
        #expect(try configuration.baseSession().line().contains(" -e 'RIFF_SESSION=riff' "))
        #expect(try configuration.cleanup(name) == WorktreeRemoval.line(for: name, in: Worktrees()))
    }
}
