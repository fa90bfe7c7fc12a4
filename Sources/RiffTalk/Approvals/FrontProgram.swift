// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The kind of program in the foreground of a terminal, by its name.
enum FrontProgram: Sendable, Hashable {
    case claude
    case codex
    /// A runtime under whose name both run.
    case runtime
    /// It is not known which.
    case untold
    /// A shell: at its prompt, or running a script in its own name.
    case shell
    case other

    init(_ name: String?) {
        guard let name, !name.isEmpty else {
            self = .untold
            return
        }
        // A login shell's name begins with a hyphen.
        let plain = name.split(byte: "/").last.map(String.init) ?? name
        let program = plain.hasPrefix("-") ? String(plain.dropFirst()) : plain
        switch program {
        case "claude": self = .claude
        case "codex": self = .codex
        case "node", "bun", "deno": self = .runtime
        case _ where FrontProgram.shells.contains(program): self = .shell
        // Claude's own installer names the program by its version, which some systems report.
        case _ where FrontProgram.isVersion(program): self = .claude
        default: self = .other
        }
    }

    /// Whether the prompt of this agent can be this program's. Not a shell's: what an agent that died left on the
    /// screen is still there when its shell is back, whose prompt may stand in the agent's.
    func mayBe(_ agent: ScreenLook.KnownProgram) -> Bool {
        switch self {
        case .claude: agent == .claude
        case .codex: agent == .codex
        case .runtime, .untold: true
        case .shell, .other: false
        }
    }

    /// Why nothing was recognized, for a person.
    func reason(_ name: String?) -> String {
        let name = String(InertText.line(name ?? "").prefix(40))
        return switch self {
        case .claude: "Claude Code shows no prompt that is known."
        case .codex: "Codex shows no prompt that is known."
        case .runtime, .untold: "No prompt that is known is on the screen."
        case .shell: "\(name) is in front, and is not at its prompt."
        case .other: "\(name) is in front, and its prompt is not known."
        }
    }

    static let shells: Set<String> = [
        "sh", "bash", "zsh", "fish", "dash", "ash", "ksh", "ksh93", "mksh", "oksh", "tcsh", "csh", "nu", "xonsh",
        "pwsh",
        "elvish", "rc", "yash", "osh", "ysh", "murex", "ion", "busybox",
    ]

    private static func isVersion(_ name: String) -> Bool {
        let parts = name.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "_" }
        return parts.count >= 3 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }
}
