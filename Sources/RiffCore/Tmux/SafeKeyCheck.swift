// Riff
// SPDX-License-Identifier: Apache-2.0

/// Whether a server does with the safe keys what they are for, by its own words.
package struct SafeKeyCheck: Sendable, Hashable {
    /// What is not as it must be; empty where the keys may be sent.
    package let faults: [String]
    /// The bytes of the session's prefix keys: what follows one is tmux's.
    package let prefixes: Set<UInt8>
    /// The session's own identifier; `nil` where the server did not tell it.
    package let sessionID: TmuxSessionID?

    /// Whether the keys may be sent.
    package var isPassed: Bool { faults.isEmpty }

    /// Reads what ``TmuxServer/installSafeKeys(for:)`` wrote.
    package init(output: String) {
        var bound: [SafeKeyBindings.Key: [String]] = [:]
        var options: [String] = []
        for line in output.split(separator: "\n").map(String.init) {
            if line.hasPrefix(SafeKeyBindings.optionsMark) {
                options = line.split(separator: " ").map(String.init)
                continue
            }
            let words = Self.words(of: line)
            if words.first == "bind-key", let table = words.firstIndex(of: "-T"), table + 3 < words.count {
                bound[SafeKeyBindings.Key(table: words[table + 1], name: words[table + 2])] = Array(
                    words[(table + 3)...]
                )
            }
        }
        var faults: [String] = []
        for (key, command) in SafeKeyBindings.commands where bound[key] != command {
            faults.append("\(key.name) in \(key.table)")
        }
        if options.count < 6 {
            faults.append("the session's options")
        } else {
            if options[2] != "0" { faults.append("assume-paste-time \(options[2])") }
            if options[3] != "root" { faults.append("key-table \(options[3])") }
        }
        self.faults = faults.sorted()
        sessionID = options.count > 1 ? TmuxSessionID(options[1]) : nil
        prefixes = Set(options.dropFirst(4).compactMap(Self.byte))
    }

    /// The byte of a key, where one byte is all that it sends.
    private static func byte(_ name: String) -> UInt8? {
        if name == "C-Space" || name == "C-@" { return 0 }
        let bytes = Array(name.utf8)
        if bytes.count == 1 { return bytes[0] }
        guard bytes.count == 3, bytes.starts(with: "C-".utf8), (0x40...0x7E).contains(bytes[2]) else { return nil }
        return bytes[2] & 0x1F
    }

    /// The words of a line as tmux writes commands: with double quotes around what is not plain, and a backslash before
    /// what means something between them.
    private static func words(of line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        var isEscaped = false
        for character in line {
            switch character {
            case _ where isEscaped:
                word = (word ?? "") + String(character)
                isEscaped = false
            case "\\": isEscaped = true
            case "\"":
                isQuoted.toggle()
                word = word ?? ""
            case " " where !isQuoted:
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return words
    }
}
