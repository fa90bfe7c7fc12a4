// Riff
// SPDX-License-Identifier: Apache-2.0

/// The output of a ``HostSurvey``'s command, read line by line; lines that are not understood are passed over.
struct SurveyAnswer {
    /// The home folder, where it is missing.
    var missingHome: String?
    /// The home folder, where it cannot be written to.
    var fixedHome: String?
    /// The path of tmux.
    var tmux: String?
    /// The output of `tmux -V`.
    var version = ""
    /// The path of the harness.
    var harness: String?
    /// The exit status of the listing of sessions; its output, or its complaint.
    var listStatus: Int?
    var list: [Substring] = []
    /// The review of the person's tmux configuration: the settings in it that nothing can override.
    let review: TmuxConfigurationReview

    init(_ output: [UInt8]) {
        var configuration: [Substring] = []
        for line in String(decoding: output, as: UTF8.self).byteLines {
            if listStatus != nil {
                list.append(line)
            } else if line.hasPrefix("conf ") || line.hasPrefix("file ") {
                configuration.append(line)
            } else if let value = line.value(of: "nohome") {
                missingHome = value
            } else if let value = line.value(of: "fixedhome") {
                fixedHome = value
            } else if let value = line.value(of: "tmux") {
                tmux = value
            } else if let value = line.value(of: "version") {
                version = value
            } else if let value = line.value(of: "harness") {
                harness = value
            } else if let value = line.value(of: "sessions") {
                listStatus = Int(value)
            }
        }
        review = TmuxConfigurationReview(printed: configuration)
    }

    /// The checks of tmux and of the harness.
    func findings(program: String?, host: String) -> [HostFinding] {
        [tmuxFinding(host), harnessFinding(program, host)]
    }

    /// What is wrong with the home folder, which counts more than what a profile prints; `nil` where nothing is.
    func homeFinding(_ host: String) -> HostFinding? {
        if let home = missingHome { return HostFinding(.loginShell, failed: .homeMissing(home, host: host)) }
        return fixedHome.map { HostFinding(.loginShell, warned: .homeReadOnly($0, host: host)) }
    }

    private func tmuxFinding(_ host: String) -> HostFinding {
        guard tmux != nil else { return HostFinding(.tmux, failed: .tmuxMissing(host: host)) }
        guard let found = TmuxVersion(line: version) else {
            return HostFinding(.tmux, failed: .tmuxUnusable(host: host, words: version))
        }
        guard found.isAtLeast(.oldestUsable) else {
            return HostFinding(.tmux, failed: .tmuxTooOld(found, host: host), detail: "\(found)")
        }
        let words = list.joined(separator: "\n")
        // Without a server there are no sessions, which is well.
        if listStatus != 0, TmuxFailure(diagnostics: words)?.kind != .noServer {
            return HostFinding(.tmux, failed: .tmuxUnusable(host: host, words: words), detail: "\(found)")
        }
        guard found.isAtLeast(.recommended) else {
            return HostFinding(.tmux, warned: .tmuxOutdated(found, host: host), detail: "\(found)")
        }
        guard review.problems.isEmpty else {
            return HostFinding(.tmux, warned: .tmuxConfiguration(review, host: host), detail: "\(found)")
        }
        return HostFinding(.tmux, detail: "\(found)")
    }

    private func harnessFinding(_ program: String?, _ host: String) -> HostFinding {
        guard let program else { return HostFinding(.harness) }
        guard let harness else { return HostFinding(.harness, failed: .harnessMissing(program, host: host)) }
        return HostFinding(.harness, detail: harness)
    }
}

extension Substring {
    /// Returns the rest of a line that begins with a word.
    fileprivate func value(of name: String) -> String? {
        hasPrefix(name + " ") ? String(dropFirst(name.count + 1)) : nil
    }
}

extension Harness {
    /// The program that is started, where the line tells it: its first word after assignments and `exec`, if that is
    /// plain. A word that a shell would expand, or an option of some other starter, tells nothing.
    public var program: String? {
        guard case .custom(let line) = self else { return "claude" }
        let words = line.split(whereSeparator: \.isWhitespace).drop { $0 == "exec" || Self.isAssignment($0) }
        guard let word = words.first, !Self.starters.contains(String(word)), word.first != "-",
            word.utf8.allSatisfy({ Self.isPlain($0) })
        else { return nil }
        return String(word)
    }

    private static func isAssignment(_ word: Substring) -> Bool {
        guard let equals = word.firstIndex(of: "="), let first = word.utf8.first else { return false }
        let name = word[..<equals].utf8
        // An opened quote goes on into the next word, so that the line is not taken apart rightly here.
        return !name.isEmpty && !("0"..."9").contains(Character(Unicode.Scalar(first)))
            && name.allSatisfy { isPlain($0) && !"./-+:@,".utf8.contains($0) }
            && word[equals...].utf8.dropFirst().allSatisfy { isPlain($0) }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "_./-+:@,".utf8.contains(byte)
        }
    }

    /// Words that start something else, which then matters.
    private static let starters: Set<String> = ["env", "command", "nohup", "time", "sudo", "nice", "cd", "."]
}
