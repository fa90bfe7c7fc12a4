// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

struct ClaudeArgumentsTests {
    private static let window = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"

    @Test(arguments: [
        (ClaudeArguments(), ["--effort", "max"], [window: "200000"]),
        (ClaudeArguments(skipsPermissions: true, effort: ""), ["--dangerously-skip-permissions"], [window: "200000"]),
        (ClaudeArguments(effort: " \n", compactWindow: nil), [], [:]),
        (ClaudeArguments(effort: " very high\u{1B}\n", compactWindow: 1), ["--effort", "very high"], [window: "1"]),
        (ClaudeArguments(effort: "--x", compactWindow: 0), ["--effort", "--x"], [:]),
        (ClaudeArguments(effort: "low", compactWindow: -5), ["--effort", "low"], [:]),
    ])
    func `the choice becomes arguments and variables`(
        _ choice: ClaudeArguments,
        _ arguments: [String],
        _ environment: [String: String]
    ) {
        #expect(choice.arguments == arguments)
        #expect(choice.environment == environment)
        #expect(choice.launch == ClaudeLaunch(arguments: arguments, environment: environment))
    }

    @Test func `settings are a choice, and none of them is the default`() throws {
        #expect(ClaudeArguments(SettingsSnapshot()) == ClaudeArguments())
        let texts = [
            "riff.claude.skipPermissions": "true", "riff.claude.effort": "low", "riff.claude.contextTokens": "",
            "riff.claude.worktree": "true",
        ]
        let root = try StartDirectory("/srv")
        let choice = ClaudeArguments(SettingsSnapshot(texts: texts), root: root)
        let expected = ClaudeArguments(
            skipsPermissions: true,
            effort: "low",
            compactWindow: nil,
            worktrees: Worktrees(root: root)
        )
        #expect(choice == expected)
    }

    @Test func `worktrees are off unless they are asked for`() throws {
        #expect(ClaudeArguments().worktrees == nil && ClaudeArguments().launch.worktrees == nil)
        let worktrees = Worktrees(root: try StartDirectory("/srv"))
        #expect(ClaudeArguments(worktrees: worktrees).launch.worktrees == worktrees)
    }
}
