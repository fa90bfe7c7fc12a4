// Riff
// SPDX-License-Identifier: Apache-2.0

extension HostSetup {
    /// A folder of programs that has every shell, and no tmux.
    private static let withoutTmux = [
        "sh", "bash", "zsh", "env", "sed", "head", "cat", "id", "printf", "readlink", "ps", "sleep",
    ]

    /// Login shells, and what their profiles do.
    static let shells: [HostSetup] = [
        HostSetup(name: "shell: dash", shell: "dash", files: [".profile": "export EDITOR=vi"]),
        HostSetup(
            name: "shell: bash, with a profile that sources another file",
            files: [
                ".bash_profile": "[ -f ~/.bashrc ] && . ~/.bashrc", ".bashrc": "case $- in *i*) ;; *) return;; esac",
            ]
        ),
        HostSetup(
            name: "shell: zsh",
            shell: "zsh",
            files: [".zprofile": "path=($HOME/bin $path)", ".zshrc": "setopt extended_glob no_nomatch"]
        ),
        HostSetup(
            name: "shell: fish",
            shell: "fish",
            files: [".config/fish/config.fish": "set -gx EDITOR vi\nif status is-interactive\n  echo hello\nend"]
        ),
        HostSetup(
            name: "shell: csh",
            shell: "csh",
            outcome: .says(preflight: ["csh, which cannot be used", "chsh"], page: ["csh, which cannot be used"])
        ),
        HostSetup(
            name: "shell: one of another kind",
            ownShell: "xonsh",
            files: ["xonsh": PreflightCase.otherShell],
            outcome: .says(preflight: ["/xonsh, which cannot be used"], page: ["/xonsh, which cannot be used"])
        ),
        HostSetup(
            name: "shell: bash that its profile replaces with fish",
            files: [".bash_profile": "exec fish"],
            outcome: .says(
                preflight: ["/bash, is replaced by", "/fish", "~/.bash_profile"],
                page: ["/bash, is replaced by", "/fish", "~/.bash_profile"]
            )
        ),
        HostSetup(
            name: "shell: bash that its profile replaces where somebody sits",
            files: [".bash_profile": "case $- in *i*) exec fish ;; esac"]
        ),
        HostSetup(
            name: "shell: one that prints",
            files: [".bash_profile": "echo Welcome to this host; echo careful >&2"],
            outcome: .works(warning: ["prints text", "[ -t 1 ]"])
        ),
        HostSetup(
            name: "shell: one that ends",
            files: [".bash_profile": "cd /nowhere 2>/dev/null || exit 1"],
            outcome: .says(preflight: ["~/.bash_profile", "exit"], page: ["~/.bash_profile", "exit"])
        ),
        HostSetup(
            name: "shell: one that waits for an answer",
            files: [".bash_profile": "read -r answer"],
            outcome: .says(preflight: [], page: ["~/.bash_profile", "wait for an answer"])
        ),
        HostSetup(
            name: "shell: one that starts tmux by itself",
            files: [".bash_profile": "[ -n \"$TMUX\" ] || exec tmux new-session -A -s main"],
            variables: ["TMUX_TMPDIR": "@HOME@"],
            opensFirst: true,
            outcome: .says(preflight: ["~/.bash_profile", "\"exec\""], page: ["~/.bash_profile", "\"exec\""])
        ),
        HostSetup(
            name: "PATH: tmux is found by the profile alone",
            files: [".bash_profile": "PATH=/usr/local/bin:/usr/bin:/bin:$PATH; export PATH"],
            variables: ["PATH": "@HOME@/bin"],
            programs: withoutTmux
        ),
        HostSetup(
            name: "PATH: tmux is found in terminals alone",
            shell: "zsh",
            files: [".zprofile": "PATH=$HOME/bin", ".zshrc": "PATH=/usr/bin:/bin"],
            programs: withoutTmux,
            outcome: .says(preflight: ["tmux was not found", "PATH", "login profile"], page: ["tmux", "PATH"])
        ),
    ]
}
