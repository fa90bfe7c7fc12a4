// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions

extension KitHome {
    private static let foreignHooks = #"""
        mkdir .claude && cat >.claude/settings.json <<'END'
        {"hooks": {"Stop": [{"matcher": "", "hooks": [{"type": "command", "command": "/opt/theirs/hook --done"}]}]}}
        END
        """#

    /// What people have in their homes, by what is reported of tools that install hooks.
    static let all: [KitHome] = [
        KitHome(name: "an empty home"),
        KitHome(name: "a .local", fill: "mkdir .local && chmod 755 .local"),
        KitHome(
            name: "a .local/share with something of somebody's",
            fill: "mkdir -p .local/share/app && echo x >.local/share/app/x"
        ),
        KitHome(
            name: "worktrees that were made before",
            fill:
                "mkdir -p .local/share/riff/worktrees/work/riff-2 && echo draft >.local/share/riff/worktrees/work/riff-2/d"
        ),
        KitHome(
            name: "settings with comments and a comma too many",
            fill:
                "mkdir .claude && printf '// mine\\n{\"model\": \"opus\", /* why */ \"env\": {},}\\n' >.claude/settings.json"
        ),
        KitHome(
            name: "settings that are a link into dotfiles",
            fill:
                "mkdir -p .claude dotfiles && echo '{}' >dotfiles/claude.json && ln -s ../dotfiles/claude.json .claude/settings.json"
        ),
        KitHome(
            name: "settings that are a link into a read-only store",
            fill:
                "mkdir .claude && echo '{}' >$OUT/s && chmod 444 $OUT/s && ln -s $OUT/s .claude/settings.json && chmod 555 .claude"
        ),
        KitHome(
            name: "settings that are a link to nothing",
            fill: "mkdir .claude && ln -s /nowhere/at/all .claude/settings.json"
        ),
        KitHome(
            name: "settings that cannot be written",
            fill: "mkdir .claude && echo '{}' >.claude/settings.json && chmod 444 .claude/settings.json"
        ),
        KitHome(name: "hooks of somebody else's", fill: foreignHooks),
        KitHome(
            name: "settings with keys that nobody knows",
            fill:
                "mkdir .claude && echo '{\"zzz\": [1, 1e400, \"\\ud800\"], \"hooks\": null, \"hooks\": {}}' >.claude/settings.json"
        ),
        KitHome(
            name: "settings that are broken",
            fill: "mkdir .claude && printf '{\"model\": ' >.claude/settings.json"
        ),
        KitHome(
            name: "settings that are empty, with CRLF beside",
            fill: "mkdir .claude && : >.claude/settings.json && printf '{}\\r\\n' >.claude/settings.local.json"
        ),
        KitHome(
            name: "a config of codex with comments and a notify of somebody's",
            fill:
                "mkdir .codex && printf '# mine\\nnotify = [\"bash\", \"-lc\", \"say done\"]  # loud\\n\\n[features]\\nx = true\\n' >.codex/config.toml"
        ),
        KitHome(
            name: "hooks of codex in a file of their own",
            fill: "mkdir .codex && echo '{\"hooks\":{}}' >.codex/hooks.json"
        ),
        KitHome(name: "a .local that is a link", fill: "mkdir $OUT/local && ln -s $OUT/local .local"),
        KitHome(name: "a share that is a link", fill: "mkdir -p .local dot/share && ln -s ../dot/share .local/share"),
        KitHome(
            name: "data kept elsewhere",
            fill: "mkdir $OUT/data && echo x >$OUT/data/x",
            variables: ["XDG_DATA_HOME": "@OUT@/data"]
        ),
        KitHome(name: "data kept where nothing is yet", variables: ["XDG_DATA_HOME": "@HOME@/.data/a/b"]),
        KitHome(name: "a relative folder for data, which is invalid", variables: ["XDG_DATA_HOME": "data"]),
        KitHome(name: "a name with everything in it", folder: "ho me'\"#(x)%H$y\\z*日"),
        KitHome(name: "a name like an option", folder: "-n"),
        KitHome(
            name: "scripts of an earlier Riff",
            fill: "mkdir -p .local/bin && printf '#!/bin/sh\\n# Riff host script\\nold\\n' >.local/bin/riff-claude.sh"
        ),
        KitHome(
            name: "a keeper of an earlier Riff with an agent of its own",
            fill:
                "mkdir -p .local/state/riff/agents/notes && printf '#!/bin/sh\\n# Riff host script\\n' >.local/state/riff/riff-keeper-1.sh && echo 1 >.local/state/riff/agents/notes/generation"
        ),
        KitHome(
            name: "a folder of somebody else's in its place",
            fill: "mkdir -p .local/share/riff/kit && echo x >.local/share/riff/kit/x",
            refusal: .foreignFolder
        ),
        KitHome(
            name: "a file in its place",
            fill: "mkdir -p .local/share/riff && : >.local/share/riff/kit",
            refusal: .foreignFolder
        ),
        KitHome(
            name: "a link in its place",
            fill: "mkdir -p .local/share/riff $OUT/kit && ln -s $OUT/kit .local/share/riff/kit",
            refusal: .foreignFolder
        ),
        KitHome(
            name: "a manifest that is none",
            fill: "mkdir -p .local/share/riff/kit && echo 'riff-kit x' >.local/share/riff/kit/manifest",
            refusal: .foreignFolder
        ),
        KitHome(
            name: "a kit of a newer kind",
            fill: "mkdir -p .local/share/riff/kit && echo 'riff-kit 7 installed' >.local/share/riff/kit/manifest",
            refusal: .newerKit
        ),
        KitHome(name: "a file in the way", fill: ": >.local", refusal: .notWritable),
        KitHome(name: "a link to nothing in the way", fill: "ln -s /nowhere/at/all .local", refusal: .notWritable),
        KitHome(
            name: "the first moment of an installation",
            leftover: "mkdir -p -m 700 .local/share/riff/kit && echo x >.local/share/riff/kit/.manifest.77",
            keeps: ["home/.local", "home/.local/share", "home/.local/share/riff"]
        ),
        KitHome(
            name: "half of an installation",
            fill: "mkdir -p .local/share",
            leftover: #"""
                umask 077 && mkdir -p .local/share/riff/kit/bin && cd .local/share/riff && mkdir .kit-lock
                printf 'riff-kit 1 installing\nmade %s\npart hook 1 5 5 700 bin/riff-hook.sh\n' "$PWD" >kit/manifest
                echo hal >kit/bin/riff-hook.sh && echo x >kit/bin/riff-tap.sh.new.999999
                mkdir .kit-lock/999999@$(uname -n)
                """#
        ),
        KitHome(
            name: "a login profile that talks",
            fill: "echo 'echo motd; echo folder /evil; echo state foreign; echo oops >&2' >.profile"
        ),
        KitHome(
            name: "a fish that is asked for",
            fill: "mkdir -p .config/fish && echo 'echo hi' >.config/fish/config.fish && fish -lc true >$OUT/hi",
            shell: "fish"
        ),
        KitHome(name: "a read-only home", mount: .readOnly, refusal: .notWritable),
        KitHome(name: "a full disk", mount: .full, refusal: .notWritable),
    ]
}
