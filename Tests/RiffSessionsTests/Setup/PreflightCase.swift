// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import Testing

/// A host on which one thing is not as it should be.
struct PreflightCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var check: HostCheck.Kind
    /// The code and the recovery that answer it.
    let code: String
    let recovery: Recovery?
    /// A word or two that only this answer has.
    let words: String
    var isWarning = false
    var detail: String?
    var account = HostLab.Account()
    var harness = Harness.custom("sh")
    var timeout = Duration.seconds(60)

    /// A shell that runs simple commands, and knows neither `||` nor `exec`, as xonsh and nushell.
    static let otherShell = """
        #!/bin/sh
        [ "$1" = -l ] && shift
        case $2 in
            sh\\ -c*|echo*) exec /bin/sh -c "$2" ;;
            *) echo 'SyntaxError: code: test' >&2; exit 1 ;;
        esac
        """

    static let repair = Recovery.repairLoginProfile
    static let update = Recovery.updateProgram("tmux")
    static let realTmux = "exec \(SystemProgram.path("tmux") ?? "tmux") \"$@\""
    static func tmux(_ version: String) -> [String: String] {
        ["tmux": "if [ \"$1\" = -V ]; then echo 'tmux \(version)'; else \(realTmux); fi"]
    }

    /// What may be wrong with the account, once its owner is let in.
    static let accounts: [PreflightCase] = [
        PreflightCase(
            testDescription: "no tmux on the PATH",
            check: .tmux,
            code: "core.tmuxMissing",
            recovery: .installProgram("tmux"),
            words: "tmux was not found",
            account: .init(bin: [:])
        ),
        PreflightCase(
            testDescription: "a very old tmux",
            check: .tmux,
            code: "core.tmuxTooOld",
            recovery: update,
            words: "too old",
            detail: "tmux 1.8",
            account: .init(bin: tmux("1.8"))
        ),
        PreflightCase(
            testDescription: "an old tmux",
            check: .tmux,
            code: "core.tmuxOutdated",
            recovery: update,
            words: "works, but",
            isWarning: true,
            detail: "tmux 2.8",
            account: .init(bin: tmux("2.8"))
        ),
        PreflightCase(
            testDescription: "a tmux that does not start",
            check: .tmux,
            code: "core.tmuxUnusable",
            recovery: update,
            words: "libevent.so",
            account: .init(bin: ["tmux": "echo 'tmux: libevent.so: no such library' >&2; exit 127"])
        ),
        PreflightCase(
            testDescription: "a tmux whose server speaks another protocol",
            check: .tmux,
            code: "core.tmuxUnusable",
            recovery: update,
            words: "protocol version mismatch",
            detail: "tmux 3.4",
            account: .init(bin: [
                "tmux": """
                if [ "$1" = -V ]; then echo 'tmux 3.4'
                else echo 'protocol version mismatch (client 8, server 7)' >&2; exit 1; fi
                """
            ])
        ),
        PreflightCase(
            testDescription: "a tmux whose server is stuck",
            check: .tmux,
            code: "core.tmuxHangs",
            recovery: .retry,
            words: "did not answer within 15 seconds",
            account: .init(bin: ["tmux": "if [ \"$1\" = -V ]; then echo 'tmux 3.4'; else exec sleep 1000; fi"]),
            // The login shell has it, too.
            timeout: .seconds(15)
        ),
        PreflightCase(
            testDescription: "a harness that is not there",
            check: .harness,
            code: "core.harnessMissing",
            recovery: .installProgram("riff-no-such-agent"),
            words: "riff-no-such-agent was not found",
            harness: .custom("FOO=1 riff-no-such-agent --fast")
        ),
        PreflightCase(
            testDescription: "a profile that exits",
            check: .loginShell,
            code: "core.loginShellExits",
            recovery: repair,
            words: "ends before it runs",
            detail: "no luck",
            account: .init(profile: "echo no luck >&2; exit 3")
        ),
        PreflightCase(
            testDescription: "a profile of zsh that exits",
            check: .loginShell,
            code: "core.loginShellExits",
            recovery: repair,
            words: "ends before it runs",
            account: .init(shell: "/bin/zsh", profile: "exit 0")
        ),
        PreflightCase(
            testDescription: "a profile of sh that exits",
            check: .loginShell,
            code: "core.loginShellExits",
            recovery: repair,
            words: "ends before it runs",
            account: .init(shell: "/bin/dash", profile: "exit 0")
        ),
        PreflightCase(
            testDescription: "a profile that puts fish in the shell's place",
            check: .loginShell,
            code: "core.loginShellReplaced",
            recovery: repair,
            words: "/bin/bash, is replaced by \(SystemProgram.path("fish") ?? "fish")",
            account: .init(profile: "exec fish")
        ),
        PreflightCase(
            testDescription: "a shell of another kind",
            check: .loginShell,
            code: "core.unsupportedShell",
            recovery: .changeLoginShell(command: "chsh -s /bin/bash"),
            words: "/xonsh, which cannot be used",
            detail: "SyntaxError: code: test",
            account: .init(ownShell: ("xonsh", otherShell))
        ),
        PreflightCase(
            testDescription: "no home folder",
            check: .loginShell,
            code: "core.homeMissing",
            recovery: nil,
            words: "/tmp/riff-no-such-home, is missing",
            account: .init(home: "/tmp/riff-no-such-home")
        ),
        PreflightCase(
            testDescription: "a profile that waits",
            check: .loginShell,
            code: "core.loginShellHangs",
            recovery: repair,
            words: "within 2 seconds",
            account: .init(profile: "echo $$ >~/waiting; exec sleep 1000"),
            timeout: .seconds(2)
        ),
        PreflightCase(
            testDescription: "a profile that writes without end",
            check: .loginShell,
            code: "core.loginShellHangs",
            recovery: repair,
            words: "writes without end",
            account: .init(profile: "while :; do echo again and again; done")
        ),
        PreflightCase(
            testDescription: "a profile that prints",
            check: .loginShell,
            code: "core.loginShellNoisy",
            recovery: repair,
            words: "prints text",
            isWarning: true,
            detail: "Welcome!",
            account: .init(profile: "echo; echo '  Welcome!'; echo to this host")
        ),
        PreflightCase(
            testDescription: "a profile that prints to standard error",
            check: .loginShell,
            code: "core.loginShellNoisy",
            recovery: repair,
            words: "prints text",
            isWarning: true,
            detail: "a warning",
            account: .init(profile: "echo a warning >&2")
        ),
        PreflightCase(
            testDescription: "a profile of fish that prints",
            check: .loginShell,
            code: "core.loginShellNoisy",
            recovery: repair,
            words: "prints text",
            isWarning: true,
            detail: "hello",
            account: .init(shell: "/usr/bin/fish", profile: "echo hello")
        ),
        PreflightCase(
            testDescription: "csh",
            check: .loginShell,
            code: "core.unsupportedShell",
            recovery: .changeLoginShell(command: "chsh -s /bin/bash"),
            words: "csh, which cannot be used",
            account: .init(shell: "/bin/csh")
        ),
        PreflightCase(
            testDescription: "an account that may not log in",
            check: .loginShell,
            code: "core.loginDisabled",
            recovery: .changeLoginShell(command: "sudo chsh -s /bin/bash \(NSUserName())"),
            words: "nologin",
            detail: "This account is currently not available.",
            account: .init(shell: "/usr/sbin/nologin")
        ),
    ]
}
