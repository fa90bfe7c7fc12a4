// Riff
// SPDX-License-Identifier: Apache-2.0

extension CoreErrorCode {
    /// The account's login shell ends before it runs a command.
    public static let loginShellExits = CoreError.Code(rawValue: "loginShellExits")
    /// The account's login shell does not come to run a command.
    public static let loginShellHangs = CoreError.Code(rawValue: "loginShellHangs")
    /// A file that the account's login shell reads puts another shell in its place.
    public static let loginShellReplaced = CoreError.Code(rawValue: "loginShellReplaced")
    /// The host runs something else than the command that was asked for, such as by a ForceCommand.
    public static let commandReplaced = CoreError.Code(rawValue: "commandReplaced")
    /// The account's home folder is missing, or cannot be entered.
    public static let homeMissing = CoreError.Code(rawValue: "homeMissing")
    /// The account's home folder cannot be written to; a warning.
    public static let homeReadOnly = CoreError.Code(rawValue: "homeReadOnly")
    /// The account's locale is not installed on the host, which its shell complains of; a warning.
    public static let localeMissing = CoreError.Code(rawValue: "localeMissing")
    /// The account's login profile prints; a warning.
    public static let loginShellNoisy = CoreError.Code(rawValue: "loginShellNoisy")
    /// The account may not log in: it has no login shell (nologin), or its password has expired.
    public static let loginDisabled = CoreError.Code(rawValue: "loginDisabled")
    /// tmux is not on the login shell's PATH.
    public static let tmuxMissing = CoreError.Code(rawValue: "tmuxMissing")
    /// What is called tmux does not start, is something else, or cannot list its sessions.
    public static let tmuxUnusable = CoreError.Code(rawValue: "tmuxUnusable")
    /// tmux does not answer.
    public static let tmuxHangs = CoreError.Code(rawValue: "tmuxHangs")
    /// tmux is older than sessions need.
    public static let tmuxTooOld = CoreError.Code(rawValue: "tmuxTooOld")
    /// tmux is older than some features need; a warning.
    public static let tmuxOutdated = CoreError.Code(rawValue: "tmuxOutdated")
    /// A line of the person's tmux configuration can end or move sessions, and Riff cannot override it.
    public static let tmuxConfiguration = CoreError.Code(rawValue: "tmuxConfiguration")
    /// The program that sessions start is not on the login shell's PATH.
    public static let harnessMissing = CoreError.Code(rawValue: "harnessMissing")
}

extension CoreError {
    static func loginShellExits(host: String) -> CoreError {
        let message =
            "The login shell on \(host) ends before it runs a command. A file that it reads at login, such as "
            + "~/.profile, ~/.bash_profile or ~/.zprofile, has an \"exit\" or an \"exec\" in it, or an error."
        return CoreError(.loginShellExits, message, recovery: .repairLoginProfile)
    }

    static func loginShellHangs(host: String, limit: Duration?) -> CoreError {
        let time = limit.map { " within \($0.components.seconds) seconds" } ?? ""
        let message =
            "The login shell on \(host) does not come to run a command\(time). A file that it reads at login, such as "
            + "~/.profile, ~/.bash_profile or ~/.zprofile, waits for something or writes without end."
        return CoreError(.loginShellHangs, message, recovery: .repairLoginProfile)
    }

    static func loginShellReplaced(_ shell: String, by other: String?, host: String) -> CoreError {
        let name = other ?? "another shell"
        let word = other?.split(byte: "/").last.map(String.init) ?? "..."
        let message =
            "The login shell on \(host), \(shell), is replaced by \(name) before it runs a command: a file that it reads at "
            + "login, such as ~/.profile, ~/.bash_profile or ~/.zprofile, has an \"exec\" in it. Do that where the shell is "
            + "interactive only: case $- in *i*) exec \(word);; esac. If it is fish or zsh, it may as well be the account's "
            + "own shell."
        return CoreError(.loginShellReplaced, message, recovery: .repairLoginProfile)
    }

    static func commandReplaced(host: String, words: String) -> CoreError {
        let said = HostSurvey.firstLine(of: words).map { " It wrote: \($0)" } ?? ""
        let message =
            "\(host) lets the key in, and runs something else than the command that was asked for: look for ForceCommand in "
            + "its sshd_config, for command= before the key in ~/.ssh/authorized_keys, and for an \"exit\" in a file that "
            + "every shell reads (~/.bashrc, ~/.zshenv, ~/.config/fish/config.fish).\(said)"
        return CoreError(.commandReplaced, message)
    }

    static func homeMissing(_ home: String, host: String) -> CoreError {
        let message =
            "The home folder of this account, \(InertText.line(home)), is missing on \(host), or cannot be entered. Sessions "
            + "start there, and programs keep their settings in it: create it, and give it to the account."
        return CoreError(.homeMissing, message)
    }

    static func homeReadOnly(_ home: String, host: String) -> CoreError {
        let message =
            "The home folder of this account, \(InertText.line(home)), cannot be written to on \(host). Sessions run, but "
            + "what they start cannot keep its settings there."
        return CoreError(.homeReadOnly, message)
    }

    static func loginShellNoisy(host: String) -> CoreError {
        let message =
            "The login shell on \(host) prints text whenever it starts. Sessions work, but programs that copy files "
            + "over SSH stumble over it. Print only to a terminal: put \"[ -t 1 ] &&\" before the line that prints."
        return CoreError(.loginShellNoisy, message, recovery: .repairLoginProfile)
    }

    static func passwordExpired(host: String, user: String?) -> CoreError {
        let account = user.map { InertText.line($0) } ?? "the account"
        let message =
            "The host lets us in, but \(host) wants \(account) to change the password first: it has expired. Log in "
            + "there once in a terminal, with ssh, choose a new one, and try again."
        return CoreError(.loginDisabled, message)
    }

    static func localeMissing(_ line: String, host: String) -> CoreError {
        let message =
            "The locale that LANG or LC_ALL names is not installed on \(host), and its shell says so whenever it starts: "
            + "\(line). Generate it there (locale-gen), or set LANG=C.UTF-8 in your shell's login profile."
        return CoreError(.localeMissing, message, recovery: .repairLoginProfile)
    }

    static func loginDisabled(host: String, user: String?) -> CoreError {
        let account = user.map { "the account \(InertText.line($0))" } ?? "the account"
        let message =
            "The host lets us in, but \(account) on \(host) has no login shell (nologin). Use "
            + "another account, or give this one a shell."
        // A user name with a NUL cannot have logged in.
        let word = user.flatMap { try? ShellQuoting.quote($0) } ?? "USER"
        return CoreError(
            .loginDisabled,
            message,
            recovery: .changeLoginShell(command: "sudo chsh -s /bin/bash \(word)")
        )
    }

    static func tmuxMissing(host: String) -> CoreError {
        let message =
            "tmux was not found on \(host). Install it there, or add its folder to the PATH in your shell's login profile."
        return CoreError(.tmuxMissing, message, recovery: .installProgram("tmux"))
    }

    static func tmuxUnusable(host: String, words: String) -> CoreError {
        let said = HostSurvey.firstLine(of: words).map { ": \($0)" } ?? "."
        if words.contains("UTF-8 locale") {
            let message =
                "tmux on \(host) does not run without a UTF-8 locale, and there is none: install one (C.UTF-8 or "
                + "en_US.UTF-8), or set LC_CTYPE to one that is there. It said\(said)"
            return CoreError(.tmuxUnusable, message)
        }
        return CoreError(
            .tmuxUnusable,
            "tmux is on \(host) but cannot be used. Install it anew, or end its server. It said\(said)",
            recovery: .updateProgram("tmux")
        )
    }

    static func tmuxHangs(host: String, limit: Duration) -> CoreError {
        let message =
            "tmux on \(host) did not answer within \(limit.components.seconds) seconds. Its server may be stuck: end it "
            + "there (tmux -L riff kill-server ends its sessions), and try again."
        return CoreError(.tmuxHangs, message, recovery: .retry)
    }

    static func tmuxTooOld(_ version: TmuxVersion, host: String) -> CoreError {
        let message =
            "\(version) on \(host) is too old: sessions need at least \(TmuxVersion.oldestUsable.text), and "
            + "\(TmuxVersion.recommended.text) or later is better. Update it there."
        return CoreError(.tmuxTooOld, message, recovery: .updateProgram("tmux"))
    }

    static func tmuxOutdated(_ version: TmuxVersion, host: String) -> CoreError {
        let message =
            "\(version) on \(host) works, but learns of changes late and cannot keep two screens from fighting over a "
            + "session's size. Update it to \(TmuxVersion.recommended.text) or later."
        return CoreError(.tmuxOutdated, message, recovery: .updateProgram("tmux"))
    }

    static func tmuxConfiguration(_ review: TmuxConfigurationReview, host: String) -> CoreError {
        let named = review.problems.prefix(3).map { problem in
            "\(InertText.line(problem.file)), line \(problem.line), \(InertText.line(problem.reason))"
        }
        let more = review.problems.count > 3 ? " and \(review.problems.count - 3) more" : ""
        let message =
            "tmux's configuration on \(host) can disturb sessions, and Riff cannot override it: \(named.joined(separator: "; "))"
            + "\(more). Change it, or keep it from Riff's server."
        return CoreError(.tmuxConfiguration, message)
    }

    static func harnessMissing(_ program: String, host: String) -> CoreError {
        let message =
            "\(program) was not found on \(host). Install it there, add its folder to the PATH in your shell's login "
            + "profile, or choose another harness."
        return CoreError(.harnessMissing, message, recovery: .installProgram(program))
    }
}
