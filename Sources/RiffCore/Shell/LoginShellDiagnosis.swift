// Riff
// SPDX-License-Identifier: Apache-2.0

/// One question to a host whose login shell did not run a command: what runs in the command's place.
///
/// It is given to the account's shell as sshd starts it, which is no login shell, and starts a login shell of its own
/// to look at. Every shell understands the line, also those that ``LoginShellCommand`` cannot use: two plain words, and
/// a text between single quotes that holds neither a quote nor a backslash nor a line's end.
package struct LoginShellDiagnosis: Sendable {
    /// What is sent as an `exec` request; it ends after some seconds by itself.
    package let line: String
    private let mark: String

    /// A question with a number from the system's generator.
    package init() {
        mark = "RIFF" + String(UInt64.random(in: .min ... .max), radix: 16)
        // A shell that stands in the login shell's place reads its commands from standard input: it runs `env`, which
        // shows the mark. What keeps the command waiting has the same process, so that its program tells what it is.
        line =
            "sh -c 'm=\(mark); echo; echo \"$m shell $SHELL\"; [ -d \"$HOME\" ] || echo \"$m nohome $HOME\"; "
            + "RIFF_LOGIN=$m; export RIFF_LOGIN; "
            + "( echo env; sleep 4 ) 2>/dev/null | \"$SHELL\" -l -c \"echo; echo $m runs\" 2>&1 & p=$!; "
            + "for i in 1 2 3; do sleep 1; kill -0 $p 2>/dev/null || break; "
            + "e=$(readlink /proc/$p/exe 2>/dev/null) || e=$(ps -o comm= -p $p); "
            + "echo; echo \"$m now $e\"; echo \"$m called $(ps -o comm= -p $p)\"; done; "
            + "kill -0 $p 2>/dev/null && sleep 2; kill $p 2>/dev/null; echo; echo \"$m end\"'"
    }

    /// Reads the answer.
    ///
    /// - Parameters:
    ///   - output: All that the command wrote.
    ///   - host: The host's name, for messages.
    ///   - user: The account, for commands that mend it.
    /// - Returns: What is wrong; `nil` where a login shell runs a command now.
    package func problem(in output: [UInt8], on host: String, user: String) -> CoreError? {
        let text = String(decoding: output, as: UTF8.self)
        let lines = text.split(byte: "\n").map { $0.droppingLast(byte: "\r") }
        guard let shell = value(of: "shell", in: lines).last else {
            if HostSurvey.isBarred(text) { return .loginDisabled(host: host, user: user) }
            return .commandReplaced(host: host, words: text)
        }
        if let home = value(of: "nohome", in: lines).last { return .homeMissing(home, host: host) }
        let runs = lines.contains { $0 == "\(mark) runs" }
        if !Self.usable.contains(Self.name(of: shell)) { return UnsupportedShell(path: shell).error(host: host) }
        if runs { return nil }
        let isShell = lines.contains { $0 == "RIFF_LOGIN=\(mark)" }
        let (path, name) = (value(of: "now", in: lines).last, value(of: "called", in: lines).last)
        let other = Self.program(path, name)
        if isShell
            || other.map({ Self.shells.contains(Self.name(of: $0)) && Self.name(of: $0) != Self.name(of: shell) })
                == true
        {
            let isOther = other.map { Self.name(of: $0) != Self.name(of: shell) } == true
            return .loginShellReplaced(shell, by: isOther ? other : nil, host: host)
        }
        return path == nil ? .loginShellExits(host: host) : .loginShellHangs(host: host, limit: nil)
    }

    /// Returns the texts that follow a word after the mark, made harmless.
    private func value(of word: String, in lines: [Substring]) -> [String] {
        let prefix = "\(mark) \(word) "
        return lines.compactMap { line in
            guard line.hasPrefix(prefix) else { return nil }
            let value = InertText.line(String(line.dropFirst(prefix.count).prefix(300)))
            return value.isEmpty ? nil : value
        }
    }

    /// The program by its path, or by its name where it is a script that another program runs.
    private static func program(_ path: String?, _ name: String?) -> String? {
        guard let name else { return path }
        // A process's name is cut after 15 bytes.
        guard let path, Self.name(of: path).hasPrefix(Self.name(of: name)) else { return name }
        return path
    }

    /// The last part of a path, without the `-` of a login shell.
    private static func name(of path: String) -> String {
        let name = path.split(byte: "/").last.map(String.init) ?? path
        return name.dropping(prefix: "-").map(String.init) ?? name
    }

    /// Shells that run what ``LoginShellCommand`` makes.
    private static let usable: Set<String> = [
        "sh", "ash", "bash", "rbash", "busybox", "dash", "fish", "ksh", "ksh93", "mksh", "loksh", "oksh", "osh", "yash",
        "zsh",
    ]

    private static let shells = usable.union(["csh", "elvish", "nu", "nushell", "pwsh", "tcsh", "xonsh"])
}
