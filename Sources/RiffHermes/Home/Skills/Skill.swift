// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A text with YAML in front of it between two lines `---`, as skills and commands are written.
package struct FrontMatterText: Sendable, Hashable {
    /// What is in front; `null` where nothing is.
    package let matter: JSONValue
    /// The text that follows.
    package let body: String
    /// Why the front cannot be read; the body is then the whole text.
    package let problem: DataError?

    /// Reads a text.
    package init(_ text: String, name: String) async {
        let plain = text.replacing("\r\n", with: "\n")
        let start = plain.hasPrefix("\u{FEFF}") ? plain.dropFirst() : plain[...]
        guard start.hasPrefix(bytes: "---\n"),
            let end = start.dropFirst(4).firstRange(of: "\n---") ?? Self.emptyEnd(start)
        else {
            (matter, body, problem) = (.null, String(start), nil)
            return
        }
        let front = String(
            start[
                start.index(
                    start.startIndex,
                    offsetBy: 4
                )..<max(end.lowerBound, start.index(start.startIndex, offsetBy: 4))
            ]
        )
        let behind = start[end.upperBound...]
        let rest = behind.firstIndex(byte: "\n").map { behind[behind.utf8.index(after: $0)...] } ?? ""
        do throws(DataError) {
            matter = try await YAMLText.value(of: front, from: name)
            body = String(rest)
            problem = nil
        } catch  where error.code == .fileMalformed {
            // As Hermes itself reads a front that is no YAML, such as `description: A: b`.
            let lines = Self.lines(of: front)
            matter = lines.isEmpty ? .null : .object(lines)
            body = String(lines.isEmpty ? start : rest)
            problem = lines.isEmpty ? error : nil
        } catch {
            matter = .null
            body = String(start)
            problem = error
        }
    }

    /// Returns the front as `key: value` lines; of a duplicate key the last counts, and lines of another kind are
    /// passed over. Empty where a list or a map begins and does not end: that is no line, and something is missing.
    private static func lines(of front: String) -> JSONObject {
        let lines = JSONObject(
            front.byteLines.compactMap { line in
                guard let colon = line.firstIndex(byte: ":") else { return nil }
                let key = String(line[..<colon]).trimmingBlanks
                guard !key.isEmpty else { return nil }
                return (key, .string(String(line[line.utf8.index(after: colon)...]).trimmingBlanks))
            }
        )
        let isOpen = lines.contains { member in
            let value = member.value.text ?? ""
            return [("[", "]"), ("{", "}")].contains { value.hasPrefix(bytes: $0) && !value.hasSuffix(bytes: $1) }
        }
        return isOpen ? [:] : lines
    }

    /// A text that could not be read.
    init(problem: DataError) { (matter, body, self.problem) = (.null, "", problem) }

    private static func emptyEnd(_ text: Substring) -> Range<Substring.Index>? {
        guard text.hasPrefix(bytes: "---\n---") else { return nil }
        return text.index(text.startIndex, offsetBy: 3)..<text.index(text.startIndex, offsetBy: 7)
    }

    /// Two texts say the same.
    package static func == (left: Self, right: Self) -> Bool {
        left.matter == right.matter && left.body == right.body && left.problem?.code == right.problem?.code
    }

    /// Hashes what they say.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(matter)
        hasher.combine(body)
    }
}

extension String {
    /// The text without spaces and tabs around it.
    fileprivate var trimmingBlanks: String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        guard let first = utf8.firstIndex(where: { !isBlank($0) }), let last = utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(self[first..<utf8.index(after: last)])
    }
}

extension SkillFolder {
    /// A skill of a home: a folder with a `SKILL.md`.
    public struct Skill: Sendable, Hashable, Identifiable {
        /// The folder's path below `skills`: `greet-user`, or `creative/ascii-art` in a category.
        public let id: String
        /// The name that its front matter has; the folder's where it has none.
        public let name: String
        /// The purpose of the skill.
        public let summary: String?
        /// The folder it is in: a category; `nil` for one that is in none.
        public let category: String?
        /// Everything its front matter says.
        public let matter: JSONValue
        /// The reason why the file or its front matter cannot be read; `nil` if it can.
        public let problem: Problem?
        /// The revision of its file when it was listed; absent if it could not be read.
        package let revision: HostFile.Revision

        /// A skill as its file has it.
        init(id: String, text: FrontMatterText, revision: HostFile.Revision) {
            self.id = id
            let parts = id.split(byte: "/")
            category = parts.count > 1 ? parts.dropLast().joined(separator: "/") : nil
            name = text.matter["name"]?.text ?? parts.last.map(String.init) ?? id
            summary = text.matter["description"]?.text
            matter = text.matter
            problem = text.problem.map { Problem($0) }
            self.revision = revision
        }
    }
}

/// The difference of two listings of skills: "2 new, 4 updated".
package struct SkillDifference: Sendable, Hashable {
    /// Ids that are only in the newer one.
    package let added: [String]
    /// Ids whose file changed.
    package let updated: [String]
    /// Ids that are only in the older one.
    package let removed: [String]

    /// Compares two listings.
    package init(from old: [SkillFolder.Skill], to new: [SkillFolder.Skill]) {
        let before = Dictionary(old.map { (ByteName($0.id), $0.revision) }) { first, _ in first }
        let after = Set(new.map { ByteName($0.id) })
        added = new.map(\.id).filter { before[ByteName($0)] == nil }
        updated = new.filter { skill in before[ByteName(skill.id)].map { $0 != skill.revision } ?? false }.map(\.id)
        removed = old.map(\.id).filter { !after.contains(ByteName($0)) }
    }

    /// The difference in words; `nil` where there is none.
    package var words: String? {
        let parts = [(added, "new"), (updated, "updated"), (removed, "removed")].filter { !$0.0.isEmpty }
        return parts.isEmpty ? nil : parts.map { "\($0.0.count) \($0.1)" }.joined(separator: ", ")
    }
}
