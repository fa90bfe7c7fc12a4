// Riff
// SPDX-License-Identifier: Apache-2.0

/// Whether a server does with the safe keys what they are for, by its own words.
package struct SafeKeyCheck: Sendable, Hashable {
    /// What is not as it must be; empty where the keys may be sent.
    package let faults: [String]
    /// The bytes of the session's prefix keys: what follows one is tmux's.
    package let prefixes: Set<UInt8>
    /// The session's own identifier; `nil` if the server did not tell it.
    package let sessionID: TmuxSessionID?
    /// Which session it is, among all that had or will have its name; `nil` if the server did not tell it.
    package let identity: SessionIdentity?

    /// Whether the keys may be sent.
    package var isPassed: Bool { faults.isEmpty }

    /// Reads what ``TmuxServer/installSafeKeys(for:)`` wrote.
    ///
    /// - Parameters:
    ///   - output: Its standard output.
    ///   - server: The server.
    package init(output: String, server: TmuxServer) {
        let bindings = SafeKeyBindings(server)
        var bound: [SafeKeyBindings.Key: [String]] = [:]
        var options: [String] = []
        for line in output.split(byte: "\n").map(String.init) {
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
        for (key, command) in bindings.commands(in: bindings.root) where bound[key] != command {
            faults.append("\(key.name) in \(key.table)")
        }
        let session = options.count > 1 ? TmuxSessionID(options[1]) : nil
        if let session {
            let key = SafeKeyBindings.Key(table: bindings.root, name: String(SafeKey.placeCharacter(session)))
            if bound[key] != SafeKeyBindings.place(session) { faults.append("the key of session \(session.rawValue)") }
        }
        prefixes = Set(options.dropFirst(5).compactMap(Self.byte))
        if options.count < 7 || session == nil {
            faults.append("the session's options")
        } else {
            if options[3] != "0" { faults.append("assume-paste-time \(options[3])") }
            if options[4] != bindings.root { faults.append("key-table \(options[4])") }
            // The safe keys hold a Ctrl-C, and a prefix key is looked up before every binding.
            if prefixes.contains(3) { faults.append("prefix C-c") }
            for prefix in options[5...] where prefix.hasSuffix("F11") || prefix.hasSuffix("F12") {
                faults.append("prefix \(prefix)")
            }
        }
        self.faults = faults.sorted()
        sessionID = session
        identity = session.flatMap { id in
            Int(options[2]).map { SessionIdentity(id: id.rawValue, created: $0) }
        }
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
