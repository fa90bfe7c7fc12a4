// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension AgentFacts {
    /// The facts that are built in for a kind of agent; those of the generic one for every kind without.
    ///
    /// - Parameter agent: The kind.
    /// - Returns: The facts.
    public static func builtIn(_ agent: AgentKind) -> AgentFacts {
        switch agent {
        case .claude: claude
        case .codex: codex
        default: generic
        }
    }

    private static let claude = read(claudeText)
    private static let codex = read(codexText)
    private static let generic = read(genericText)

    /// The texts are this package's own, and a test reads each.
    private static func read(_ text: String) -> AgentFacts {
        do throws(CoreError) {
            return try AgentFacts(parsing: Array(text.utf8))
        } catch {
            preconditionFailure("the built-in facts cannot be read: \(error.message)")
        }
    }

    /// Bytes, screen and process of any program, and the reports of the Program Status Protocol (spec 0.2).
    static let genericText = """
        {
          "format": 1, "agent": "generic", "seenVersion": "",
          "launch": {"interrupt": "ctrl-c"},
          "programStatusApp": "",
          "programStatus": {
            "idle": "idle", "working": "working", "blocked": "waiting", "done": "done", "error": "failed", "clear": "gone"
          }
        }
        """
}
