// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension HostKitPart {
    /// The scripts for worktrees, which ``RiffCore/Worktrees`` needs.
    public static let worktrees: [HostKitPart] = [claude, worktreeRemove]
    /// The hook that notes an agent's events, and waits at Claude Code's questions for an answer.
    public static let hook = HostKitPart("hook", version: 2, file: "bin/riff-hook.sh", text: KitScript.hookText)
    /// The tap of a pane's bytes, which ``PaneTap`` needs.
    public static let tap = HostKitPart("tap", version: 2, file: "bin/riff-tap.sh", text: KitScript.tapText)
    /// A settings file with the hooks, for `claude --settings FILE`: claude adds them to those that the user has, and
    /// the user's own file stays as it is. See ``HostKitStatus/claudeArguments``.
    public static let claudeSettings = HostKitPart(
        "claude-settings",
        version: 2,
        file: "claude/settings.json",
        mode: "600",
        text: settings
    )
    /// The script that removes the kit without a client: `riff-kit.sh remove`.
    package static let kit = HostKitPart("kit", version: 2, file: "bin/riff-kit.sh", text: KitScript.kitText)

    /// The settings of the kit: if the kit was removed, an agent that still runs finds no hook, and that is no error.
    private static let settings: String = {
        let events = [
            "SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PermissionRequest",
            "Notification", "Stop", "StopFailure", "SubagentStart", "SubagentStop", "PreCompact",
        ]
        let script = "\(folderMark)/bin/riff-hook.sh"
        let command = "[ ! -x \(script) ] || exec \(script) claude"
        let hooks = events.map { event in
            // At a question the hook waits for the answer, for less than this.
            let limit = event == "PermissionRequest" ? 600 : 10
            return #""\#(event)":[{"hooks":[{"type":"command","command":"\#(command)","timeout":\#(limit)}]}]"#
        }
        return "{\"hooks\":{\n" + hooks.joined(separator: ",\n") + "\n}}\n"
    }()
}
