// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension HostKitPart {
    /// The scripts for worktrees, which ``RiffCore/Worktrees`` needs.
    public static let worktrees: [HostKitPart] = [claude, worktreeRemove]
    /// The hook that notes an agent's events.
    public static let hook = HostKitPart("hook", version: 1, file: "bin/riff-hook.sh", text: KitScript.hookText)
    /// The tap of a pane's bytes, which ``PaneTap`` needs.
    public static let tap = HostKitPart("tap", version: 1, file: "bin/riff-tap.sh", text: KitScript.tapText)
    /// A settings file with the hooks, for `claude --settings FILE`: claude adds them to those that the user has, and
    /// the user's own file stays as it is. See ``HostKitStatus/claudeArguments``.
    public static let claudeSettings = HostKitPart(
        "claude-settings",
        version: 1,
        file: "claude/settings.json",
        mode: "600",
        text: settings
    )
    /// The script that removes the kit without a client: `riff-kit.sh remove`.
    package static let kit = HostKitPart("kit", version: 1, file: "bin/riff-kit.sh", text: KitScript.kitText)

    /// Where the kit was removed, an agent that still runs finds no hook, and that is no error.
    private static let settings: String = {
        let events = [
            "SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PermissionRequest",
            "Notification", "Stop", "StopFailure", "SubagentStart", "SubagentStop", "PreCompact",
        ]
        let script = "\(folderMark)/bin/riff-hook.sh"
        let hook =
            #"[{"hooks":[{"type":"command","command":"[ ! -x \#(script) ] || exec \#(script) claude","timeout":10}]}]"#
        return "{\"hooks\":{\n" + events.map { "\"\($0)\":\(hook)" }.joined(separator: ",\n") + "\n}}\n"
    }()
}
