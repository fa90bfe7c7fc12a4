// Riff
// SPDX-License-Identifier: Apache-2.0

/// One question to a host that lets us in: does its login shell run commands, and what does it find on its PATH.
///
/// It is one command, so that a slow line costs one round trip. Give ``ManagementCommand/line`` of ``command`` to the
/// host, and what came of it to ``findings(in:on:user:)``.
package struct HostSurvey: Sendable {
    /// The outcome of the command.
    package enum Run: Sendable {
        /// It ended; with all that it wrote.
        case ended(output: [UInt8], diagnostics: [UInt8])
        /// The time was over, and the host still answered otherwise; `shellAnswers` where the login shell ran another
        /// command in the same time, so that tmux must be what keeps us waiting.
        case outOfTime(Duration, shellAnswers: Bool)
        /// It wrote more than was taken.
        case endless
    }

    /// The command that asks the host.
    package let command: ManagementCommand
    /// The program that a new session starts; `nil` where the line is more than a program's name, so that only the
    /// person's shell can tell.
    package let program: String?

    /// Creates a survey for a harness and a tmux server.
    ///
    /// - Parameters:
    ///   - harness: What sessions will run.
    ///   - server: Whose sessions are listed.
    /// - Throws: ``CoreError`` with `nulInArgument` or `invalidVariableName`.
    package init(harness: Harness, server: TmuxServer = TmuxServer()) throws(CoreError) {
        program = harness.program
        var script = [
            // HOME may not be set at all.
            "(cd \"${HOME:-/riff: none}\" 2>/dev/null) || echo \"nohome ${HOME:-(HOME is not set)}\"",
            "[ -w \"$HOME\" ] || echo \"fixedhome $HOME\"",
            "tmux=$(command -v tmux) && echo \"tmux $tmux\" && echo \"version $(tmux -V 2>&1)\"",
        ]
        if let program {
            script.append("found=$(command -v \(try ShellQuoting.quote(program))) && echo \"harness $found\"")
        }
        script.append(TmuxConfigurationReview.printing)
        script.append(
            "list=$(\(try server.listSessions().line()) 2>&1); echo \"sessions $?\"; printf '%s\\n' \"$list\""
        )
        command = try ManagementCommand(script.joined(separator: "; "))
    }

    /// Returns the findings about the host in a run.
    ///
    /// - Parameters:
    ///   - run: What came of the command.
    ///   - host: The host's name, for messages.
    ///   - user: The account, for commands that mend it; `nil` where it is not known.
    /// - Returns: The login shell's check, and those of the programs where it ran the command.
    package func findings(in run: Run, on host: String, user: String?) -> [HostFinding] {
        switch run {
        case .outOfTime(let limit, shellAnswers: true):
            return [HostFinding(.loginShell), HostFinding(.tmux, failed: .tmuxHangs(host: host, limit: limit))]
        case .outOfTime(let limit, shellAnswers: false):
            return [HostFinding(.loginShell, failed: .loginShellHangs(host: host, limit: limit))]
        case .endless: return [HostFinding(.loginShell, failed: .loginShellHangs(host: host, limit: nil))]
        case .ended(let output, let diagnostics):
            var parser = ManagementOutputParser(command)
            parser.feed(output)
            switch parser.outcome(at: .closed) {
            case .output(let answer, _):
                let chatter = command.chatter(output: output, diagnostics: diagnostics)
                let answer = SurveyAnswer(answer)
                return [answer.homeFinding(host) ?? loginShell(afterChatter: chatter, on: host)]
                    + answer.findings(program: program, host: host)
            case .unsupportedShell(let shell): return [HostFinding(.loginShell, failed: shell.error(host: host))]
            case .closedEmpty, .closedEarly, .timeout, .connect, .outputTooLarge:
                return [ended(with: output + diagnostics, on: host, user: user)]
            }
        }
    }

    /// Whether the login shell ended without having run the question, and the account may log in: then a
    /// ``LoginShellDiagnosis`` can tell more.
    package func isUnanswered(in run: Run) -> Bool {
        guard case .ended(let output, let diagnostics) = run else { return false }
        var parser = ManagementOutputParser(command)
        parser.feed(output)
        switch parser.outcome(at: .closed) {
        case .output, .unsupportedShell: return false
        case .closedEmpty, .closedEarly, .timeout, .connect, .outputTooLarge:
            return !Self.isBarred(String(decoding: output + diagnostics, as: UTF8.self))
        }
    }

    private func loginShell(afterChatter chatter: String, on host: String) -> HostFinding {
        guard let line = Self.firstLine(of: chatter) else { return HostFinding(.loginShell) }
        // No line of a profile prints that.
        if line.contains("cannot change locale") {
            return HostFinding(.loginShell, warned: .localeMissing(line, host: host), detail: line)
        }
        return HostFinding(.loginShell, warned: .loginShellNoisy(host: host), detail: line)
    }

    /// The shell ended, and the command did not run to its end.
    private func ended(with words: [UInt8], on host: String, user: String?) -> HostFinding {
        let text = String(decoding: words, as: UTF8.self)
        // What sshd says where there is no terminal on which passwd(1) could ask, and PAM before it.
        let wantsPassword = ["password change required", "required to change your password", "password has expired"]
            .contains(where: text.lowercased().contains)
        let problem: CoreError =
            wantsPassword
            ? .passwordExpired(host: host, user: user)
            : Self.isBarred(text) ? .loginDisabled(host: host, user: user) : .loginShellExits(host: host)
        return HostFinding(.loginShell, failed: problem, detail: Self.firstLine(of: text))
    }

    /// Returns whether a text is the message of nologin(8) on Linux and the BSDs.
    static func isBarred(_ text: String) -> Bool { text.contains("account is currently not available") }

    /// The first line with something on it, short and inert, for a person to recognize.
    static func firstLine(of text: String) -> String? {
        let lines = text.split(whereSeparator: \.isNewline).lazy.map { InertText.line(String($0)) }
        return lines.first { !$0.isEmpty }.map { String($0.prefix(120)) }
    }
}

/// The finding of a survey about one check.
package struct HostFinding: Sendable {
    /// The kind of the check.
    package let kind: HostCheck.Kind
    /// The outcome of the check.
    package let outcome: HostCheck.Outcome
    /// The detail that was found, for a person.
    package let detail: String?

    init(_ kind: HostCheck.Kind, failed problem: CoreError, detail: String? = nil) {
        self.init(kind, .failed(problem), detail)
    }

    /// The same check, failed for a reason that was found later.
    package func failed(because problem: CoreError) -> HostFinding {
        HostFinding(kind, failed: problem, detail: detail)
    }

    init(_ kind: HostCheck.Kind, warned problem: CoreError, detail: String? = nil) {
        self.init(kind, .warned(problem), detail)
    }

    init(_ kind: HostCheck.Kind, detail: String? = nil) { self.init(kind, .passed, detail) }

    private init(_ kind: HostCheck.Kind, _ outcome: HostCheck.Outcome, _ detail: String?) {
        self.kind = kind
        self.outcome = outcome
        self.detail = detail.map { InertText.quote($0) }
    }
}
