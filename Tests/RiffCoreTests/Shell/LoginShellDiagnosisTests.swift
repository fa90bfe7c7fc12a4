// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTransport
import TestSupport
import Testing

struct LoginShellDiagnosisTests {
    /// The mark that the question's answers begin with.
    private static func mark(of question: LoginShellDiagnosis) throws -> String {
        let begin = try #require(question.line.firstRange(of: "m=")).upperBound
        return String(question.line[begin...].prefix { $0 != ";" })
    }

    /// What is found in an answer, in which `@` stands for the mark.
    private static func problem(in answer: String) throws -> CoreError? {
        let question = LoginShellDiagnosis()
        let text = answer.replacingOccurrences(of: "@", with: try mark(of: question))
        return question.problem(in: Array(text.utf8), on: "box", user: "me")
    }

    @Test func `every shell can read the line`() throws {
        let line = LoginShellDiagnosis().line
        #expect(line.hasPrefix("sh -c '") && line.hasSuffix("'"))
        #expect(line.count { $0 == "'" } == 2)
        #expect(!line.utf8.contains { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\n") })
        #expect(try Self.mark(of: LoginShellDiagnosis()) != Self.mark(of: LoginShellDiagnosis()))
    }

    @Test(
        arguments: [
            ("", "commandReplaced", ["ForceCommand", "command="]),
            ("only backups here\n", "commandReplaced", ["ForceCommand", "only backups here"]),
            ("This account is currently not available.\n", "loginDisabled", ["nologin"]),
            ("@ shell /bin/bash\n@ end", "loginShellExits", ["~/.profile", "exit"]),
            ("@ shell /bin/bash\n@ now /bin/bash\n@ called bash\n@ end", "loginShellHangs", ["~/.profile", "waits"]),
            ("@ shell /bin/bash\n@ now /usr/bin/sleep\n@ called sleep\n@ end", "loginShellHangs", ["waits"]),
            (
                "@ shell /bin/bash\n@ now /bin/bash\n@ called bash\n\n@ now /usr/bin/fish\n@ called fish\nRIFF_LOGIN=@\n@ end",
                "loginShellReplaced", ["/bin/bash", "/usr/bin/fish", "~/.bash_profile", "exec fish", "interactive"]
            ),
            // A script, which another program runs.
            (
                "@ shell /bin/zsh\n@ now /usr/bin/python3.11\n@ called xonsh\nRIFF_LOGIN=@\n@ end",
                "loginShellReplaced", ["/bin/zsh", "xonsh"]
            ),
            // One that has not come to read.
            ("@ shell /bin/bash\n@ now /usr/bin/nu\n@ called nu\n@ end", "loginShellReplaced", ["/usr/bin/nu"]),
            // One that was gone before anybody looked.
            ("@ shell /bin/bash\nRIFF_LOGIN=@\n@ end", "loginShellReplaced", ["another shell"]),
            ("@ shell /opt/bin/xonsh\n\n@ runs\n@ end", "unsupportedShell", ["/opt/bin/xonsh", "chsh"]),
            ("@ shell /usr/bin/nu\n@ end", "unsupportedShell", ["/usr/bin/nu"]),
            ("@ shell /bin/bash\n@ nohome /home/me\n\n@ runs\n@ end", "homeMissing", ["/home/me", "missing"]),
            ("@ shell /bin/bash\n\n@ runs\n@ end", nil, []), ("@ shell /usr/bin/fish\n\n@ runs\n@ end", nil, []),
        ] as [(String, String?, [String])]
    )
    func `an answer names the cause`(_ answer: String, _ code: String?, _ words: [String]) throws {
        let problem = try Self.problem(in: answer)
        #expect(problem?.code.rawValue == code)
        for word in words { #expect(problem?.message.contains(word) == true, "\(problem?.message ?? "")") }
    }

    @Test func `nothing that the host says paints the screen`() throws {
        let answers = [
            "\u{1B}]52;c;aGk=\u{7}\u{9B}31m", "@ shell /bin/ba\u{1B}[31msh\n@ end",
            "@ shell /bin/bash\n@ nohome /h\u{9D}0;x\u{9C}\n",
            "@ shell /bin/bash\n@ now /x/\u{1B}cfish\nRIFF_LOGIN=@\n",
        ]
        for answer in answers {
            let message = try #require(try Self.problem(in: answer)).message
            #expect(
                !message.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) },
                "\(message)"
            )
            #expect(message.count < 1000)
        }
    }
}

extension InTurn {
    /// The question, asked of real shells.
    @Suite(.timeLimit(.minutes(2))) struct LoginShellAnswerTests {
        @Test(
            .enabled(if: ["bash", "zsh", "fish", "dash"].allSatisfy { ShellProgram.find($0) != nil }, "needs shells"),
            arguments: [
                ("bash", ".bash_profile", "exec fish", "loginShellReplaced"),
                ("bash", ".bash_profile", "exec zsh -f", "loginShellReplaced"),
                ("bash", ".bash_profile", "exit 3", "loginShellExits"),
                ("dash", ".profile", "exec sleep 30", "loginShellHangs"), ("bash", ".bash_profile", "true", nil),
                ("zsh", ".zprofile", "echo hello", nil), ("fish", ".config/fish/config.fish", "echo hello", nil),
            ] as [(String, String, String, String?)]
        )
        func `a login shell tells`(_ name: String, _ file: String, _ profile: String, _ code: String?) async throws {
            let shell = try #require(ShellProgram.find(name))
            try await withTemporaryHome { home in
                let path = home.appendingPathComponent(file)
                try FileManager.default.createDirectory(
                    at: path.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try "\(profile)\n".write(to: path, atomically: true, encoding: .utf8)
                let question = LoginShellDiagnosis()
                let result = try await shell.run(["-c", question.line], in: home)
                let problem = question.problem(in: result.output, on: "box", user: "me")
                #expect(problem?.code.rawValue == code, "\(String(decoding: result.output, as: UTF8.self))")
            }
        }
    }
}
