// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

struct HostSurveyTests {
    private static let found = "tmux /usr/bin/tmux\nversion tmux 3.3a\nharness /bin/sh\nsessions 0\n$0:1:0:1:riff"

    /// What the survey's command writes, with what a profile may write before it.
    private static func run(
        _ survey: HostSurvey,
        _ answer: String = found,
        before: String = "",
        beforeErrors: String = ""
    ) -> HostSurvey.Run {
        let begin = "\n__RIFF_BOF__ \(survey.command.nonce)\n"
        let output = "\(before)\(begin)\(answer)\n\n__RIFF_EOF__ \(survey.command.nonce) 0\n"
        return .ended(output: Array(output.utf8), diagnostics: Array("\(beforeErrors)\(begin)".utf8))
    }

    private static func codes(_ findings: [HostFinding]) -> [String] {
        findings.map { finding in
            switch finding.outcome {
            case .notReached, .running: "?"
            case .passed: "\(finding.kind.rawValue)"
            case .warned(let problem): "\(finding.kind.rawValue) warned \(problem.stableCode)"
            case .failed(let problem): "\(finding.kind.rawValue) failed \(problem.stableCode)"
            }
        }
    }

    private static func findings(_ run: HostSurvey.Run, of survey: HostSurvey) -> [HostFinding] {
        survey.findings(in: run, on: "box", user: "me")
    }

    @Test func `a host with everything passes, and says what it has`() throws {
        let survey = try HostSurvey(harness: .custom("sh"))
        let findings = Self.findings(Self.run(survey), of: survey)
        #expect(Self.codes(findings) == ["loginShell", "tmux", "harness"])
        #expect(findings.map(\.detail) == [nil, "tmux 3.3a", "/bin/sh"])
    }

    @Test func `a tmux without a locale names it`() throws {
        let survey = try HostSurvey(harness: .custom("sh"))
        let words = "tmux: need UTF-8 locale (LC_CTYPE) but have ANSI_X3.4-1968"
        let answer = "tmux /usr/bin/tmux\nversion tmux 3.3a\nharness /bin/sh\nsessions 1\n\(words)"
        let findings = Self.findings(Self.run(survey, answer), of: survey)
        #expect(Self.codes(findings) == ["loginShell", "tmux failed core.tmuxUnusable", "harness"])
        guard case .failed(let problem)? = findings.dropFirst().first?.outcome else { return }
        #expect(problem.message.contains("LC_CTYPE") && problem.message.contains(words))
        #expect(problem.recovery == nil)
    }

    @Test func `a shell that misses its locale is told so, and not that its profile prints`() throws {
        let survey = try HostSurvey(harness: .custom("sh"))
        let words = "bash: warning: setlocale: LC_ALL: cannot change locale (en_US.ISO-8859-1)"
        let findings = Self.findings(Self.run(survey, beforeErrors: words), of: survey)
        #expect(Self.codes(findings) == ["loginShell warned core.localeMissing", "tmux", "harness"])
        #expect(findings.first?.detail == words)
    }

    @Test(arguments: [
        ("nohome /home/me\n", "loginShell failed core.homeMissing", "/home/me"),
        ("nohome /home/me\nfixedhome /home/me\n", "loginShell failed core.homeMissing", "missing"),
        ("fixedhome /home/me\n", "loginShell warned core.homeReadOnly", "/home/me"),
    ])
    func `a home folder that is missing or fixed counts more than what a profile prints`(
        _ answer: String,
        _ code: String,
        _ words: String
    ) throws {
        let survey = try HostSurvey(harness: .custom("sh"))
        let words = [words, "home folder"]
        let chatter = "Could not chdir to home directory /home/me: No such file or directory\n"
        let findings = Self.findings(Self.run(survey, answer + Self.found, beforeErrors: chatter), of: survey)
        #expect(Self.codes(findings) == [code, "tmux", "harness"])
        let problem: (any RiffError)? =
            switch findings.first?.outcome {
            case .warned(let problem), .failed(let problem): problem
            default: nil
            }
        for word in words { #expect(problem?.message.contains(word) == true) }
    }

    @Test(arguments: [
        ("harness /bin/sh\nsessions 127\nsh: 1: tmux: not found", "tmux failed core.tmuxMissing"),
        ("tmux /x\nversion tmux 1.8\nharness /bin/sh\nsessions 1\nfailed", "tmux failed core.tmuxTooOld"),
        ("tmux /x\nversion tmux 3.1c\nharness /bin/sh\nsessions 0\n", "tmux warned core.tmuxOutdated"),
        ("tmux /x\nversion tmux: libevent.so\nharness /bin/sh\nsessions 127\n", "tmux failed core.tmuxUnusable"),
        ("tmux /x\nversion\nharness /bin/sh\nsessions 0\n", "tmux failed core.tmuxUnusable"),
        (
            "tmux /x\nversion tmux 3.4\nharness /bin/sh\nsessions 1\nprotocol version mismatch",
            "tmux failed core.tmuxUnusable"
        ),
        (
            "tmux /x\nversion tmux 3.4\nharness /bin/sh\nsessions 1\nerror connecting to /tmp/t (Permission denied)",
            "tmux failed core.tmuxUnusable"
        ),
        (
            "tmux /x\nversion tmux 3.4\nharness /bin/sh\nsessions 1\nno server running on /tmp/t", "tmux"
        ),
        (
            "tmux /x\nversion tmux 3.4\nharness /bin/sh\nsessions 1\nerror connecting to /t (No such file or directory)",
            "tmux"
        ),
        // A session's name may look like one of the answers.
        ("tmux /x\nversion tmux 3.4\nharness /bin/sh\nsessions 0\nsessions 1\nversion tmux 1.0\n", "tmux"),
    ])
    func `tmux is judged by its version and its words`(answer: String, expected: String) throws {
        let survey = try HostSurvey(harness: .custom("sh"))
        #expect(Self.codes(Self.findings(Self.run(survey, answer), of: survey)) == ["loginShell", expected, "harness"])
    }

    @Test func `a harness that is not there is told beside tmux`() throws {
        let survey = try HostSurvey(harness: .claude)
        let findings = Self.findings(Self.run(survey, "sessions 127"), of: survey)
        #expect(
            Self.codes(findings) == [
                "loginShell", "tmux failed core.tmuxMissing", "harness failed core.harnessMissing",
            ]
        )
        #expect(findings.last.flatMap { problem(of: $0) }?.recovery == .installProgram("claude"))
    }

    @Test func `words before the command are a warning with their first line, made harmless`() throws {
        let survey = try HostSurvey(harness: .custom("sh"))
        for run in [
            Self.run(survey, before: "\n \u{1B}[1mWelcome\tto \u{202E}box\r\nsecond\n"),
            Self.run(survey, beforeErrors: "[1mWelcome to box\n"),
        ] {
            let findings = Self.findings(run, of: survey)
            #expect(Self.codes(findings) == ["loginShell warned core.loginShellNoisy", "tmux", "harness"])
            #expect(findings[0].detail == "[1mWelcome to box")
        }
        let long = Self.findings(Self.run(survey, before: String(repeating: "x", count: 9000)), of: survey)
        #expect(long[0].detail?.count == 120)
    }

    @Test func `a shell that does not come to the command is told by how it ended`() throws {
        let survey = try HostSurvey(harness: .claude)
        func ended(_ output: String, _ diagnostics: String = "") -> HostSurvey.Run {
            .ended(output: Array(output.utf8), diagnostics: Array(diagnostics.utf8))
        }
        let table: [(HostSurvey.Run, String, String?)] = [
            (ended(""), "core.loginShellExits", nil),
            (ended("", "bash: /x: line 3: syntax error\n"), "core.loginShellExits", "bash: /x: line 3: syntax error"),
            (
                ended("This account is currently not available.\n"), "core.loginDisabled",
                "This account is currently not available."
            ),
            (
                ended("", "WARNING: Your password has expired.\nPassword change required but no TTY available.\n"),
                "core.loginDisabled", "WARNING: Your password has expired."
            ),
            (ended("\n__RIFF_UNSUPPORTED_SHELL__ /bin/tcsh\n"), "core.unsupportedShell", nil),
            (.outOfTime(.seconds(9), shellAnswers: false), "core.loginShellHangs", nil),
            (.endless, "core.loginShellHangs", nil),
        ]
        for (run, code, detail) in table {
            let findings = Self.findings(run, of: survey)
            #expect(Self.codes(findings) == ["loginShell failed \(code)"])
            #expect(findings.map(\.detail) == [detail])
        }
    }

    @Test func `a shell that answers lets tmux be what hangs, and the harness stays unknown`() throws {
        let survey = try HostSurvey(harness: .claude)
        let findings = Self.findings(.outOfTime(.seconds(9), shellAnswers: true), of: survey)
        #expect(Self.codes(findings) == ["loginShell", "tmux failed core.tmuxHangs"])
    }

    @Test func `every answer has words of its own, and a recovery`() throws {
        let survey = try HostSurvey(harness: .custom("sh"))
        let runs: [HostSurvey.Run] = [
            .outOfTime(.seconds(9), shellAnswers: false), .outOfTime(.seconds(9), shellAnswers: true),
            .ended(output: [], diagnostics: []),
            .ended(output: Array("account is currently not available".utf8), diagnostics: []),
            .ended(output: Array("\n__RIFF_UNSUPPORTED_SHELL__ /bin/csh\n".utf8), diagnostics: []),
            Self.run(survey, "sessions 127", before: "hello"),
            Self.run(survey, "tmux /x\nversion tmux 1.8\nsessions 0"),
            Self.run(survey, "tmux /x\nversion tmux 3.1\nsessions 0"),
            Self.run(survey, "tmux /x\nversion what\nsessions 0"),
        ]
        let problems = runs.flatMap { Self.findings($0, of: survey) }.compactMap { problem(of: $0) }
        let unique = Dictionary(grouping: problems, by: \.stableCode).mapValues { Set($0.map(\.message)) }
        #expect(unique.count == 11)
        #expect(unique.values.allSatisfy { $0.count == 1 })
        #expect(Set(unique.values.flatMap { $0 }).count == 11)
        #expect(problems.allSatisfy { $0.recovery != nil && $0.message.contains("box") })
    }

    @Test(arguments: [
        ("claude", "claude"), ("", "claude"), ("codex", "codex"), ("aider --model x", "aider"),
        ("/usr/local/bin/codex", "/usr/local/bin/codex"), ("FOO=1 BAR=a/b codex", "codex"), ("exec bash", "bash"),
        ("$SHELL", nil), ("~/bin/x", nil), ("env -u X claude", nil), ("'my agent'", nil), ("a;b", nil), ("-x", nil),
        ("FOO='a b' codex", nil), ("FOO=1", nil), ("cd /x && codex", nil), ("(codex)", nil), ("`codex`", nil),
    ])
    func `the program of a harness is known where its line is plain`(line: String, program: String?) {
        #expect(Harness(line).program == program)
    }
}

/// The problem of a finding, if it has one.
private func problem(of finding: HostFinding) -> (any RiffError)? {
    switch finding.outcome {
    case .warned(let problem), .failed(let problem): problem
    case .notReached, .running, .passed: nil
    }
}

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct HostSurveyCommandTests {
        @Test(.enabled(if: ShellProgram.tmux != nil, "needs tmux"), arguments: ShellProgram.shells)
        func `every shell answers it`(shell: ShellProgram) async throws {
            try await withTemporaryHome { home in
                let tmux = TmuxServer(.path(home.path + "/socket"))
                for harness in [Harness.custom("sh"), .custom("riff-no-such-agent"), .custom("$SHELL")] {
                    let survey = try HostSurvey(harness: harness, server: tmux)
                    let result = try await shell.run(["-c", survey.command.line], in: home)
                    let run = HostSurvey.Run.ended(output: result.output, diagnostics: result.diagnostics)
                    let findings = survey.findings(in: run, on: "box", user: "me")
                    #expect(findings.map(\.kind) == [.loginShell, .tmux, .harness])
                    #expect(findings[1].detail?.hasPrefix("tmux ") == true)
                    let problems = findings.compactMap { problem(of: $0)?.stableCode }
                    #expect(problems == (survey.program == "riff-no-such-agent" ? ["core.harnessMissing"] : []))
                }
            }
        }
    }
}
