// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore
internal import RiffTransport

/// A command of a project's own, `/name arguments`: a Markdown file whose text becomes the prompt.
package struct SlashCommand: Sendable, Hashable, Identifiable {
    /// The name behind the slash: the file's, without `.md`.
    package let id: String
    /// The summary of the command.
    package let summary: String?
    /// The hint on its arguments, for those who type them.
    package let argumentHint: String?
    /// The model it asks for.
    package let model: String?
    /// Everything its front matter says.
    package let matter: JSONValue
    /// The text that becomes the prompt.
    package let template: String
    /// Why the file, which then has no template, or its front matter cannot be read.
    package let problem: DataError?
    /// The revision of its file; absent where it could not be read.
    package let revision: HostFile.Revision

    init(id: String, text: FrontMatterText, revision: HostFile.Revision) {
        self.id = id
        matter = text.matter
        summary = text.matter["description"]?.text
        argumentHint = text.matter["argumentHint"]?.text ?? text.matter["argument-hint"]?.text
        model = text.matter["model"]?.text
        template = text.body
        problem = text.problem
        self.revision = revision
    }

    /// Two listings have the same command in the same state.
    package static func == (left: SlashCommand, right: SlashCommand) -> Bool {
        left.id == right.id && left.revision == right.revision && left.problem?.code == right.problem?.code
    }

    /// Hashes which command in which state it is.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(revision)
    }

    /// The prompt for some arguments: `{{argument}}` and `$ARGUMENTS` become all of them, `$1` to `$9` one each, and
    /// `{{argument | default: "x"}}` is `x` where there are none. What the arguments say is not looked at again.
    package func prompt(_ arguments: String = "") -> String {
        let words = arguments.split(whereSeparator: \.isWhitespace).map(String.init)
        var prompt = ""
        var rest = template[...]
        while let place = rest.firstIndex(where: { $0 == "{" || $0 == "$" }) {
            prompt += rest[..<place]
            rest = rest[place...]
            if let (value, end) = Self.placeholder(rest, arguments, words) {
                prompt += value
                rest = rest[end...]
            } else {
                prompt.append(rest.removeFirst())
            }
        }
        return prompt + rest
    }

    private static func placeholder(
        _ text: Substring,
        _ arguments: String,
        _ words: [String]
    ) -> (String, Substring.Index)? {
        if text.hasPrefix("$ARGUMENTS") { return (arguments, text.index(text.startIndex, offsetBy: 10)) }
        if text.hasPrefix("$"), let digit = text.dropFirst().first?.wholeNumberValue, digit > 0, digit < 10 {
            return (words.count >= digit ? words[digit - 1] : "", text.index(text.startIndex, offsetBy: 2))
        }
        guard text.hasPrefix("{{"), let end = text.firstRange(of: "}}") else { return nil }
        let inner = text[text.index(text.startIndex, offsetBy: 2)..<end.lowerBound]
        let parts = inner.split(separator: "|", maxSplits: 1).map { $0.filter { $0 != "\n" } }
        guard let name = parts.first?.filter({ !$0.isWhitespace }), name == "argument" || name == "arguments" else {
            return nil
        }
        var value = arguments
        if value.isEmpty, parts.count == 2, let quote = parts[1].firstIndex(of: "\""),
            let close = parts[1].lastIndex(of: "\""), quote < close
        {
            value = String(parts[1][parts[1].index(after: quote)..<close])
        }
        return (value, end.upperBound)
    }
}

extension HermesHome {
    /// The commands of a project (`.scarf/slash-commands/NAME.md`), by name.
    ///
    /// - Throws: The host's own errors; `CancellationError`. A command that cannot be read is listed with its
    ///   problem.
    package func slashCommands(of project: ProjectRegistry.Project) async throws -> [SlashCommand] {
        let folder = "\(project.path)/.scarf/slash-commands"
        let entries: [DirectoryEntry]
        do {
            entries = try await host.list(folder)
        } catch let error as TransportError where error.code == .fileNotFound {
            return []
        }
        var commands: [SlashCommand] = []
        for entry in entries.sorted(by: { $0.name < $1.name }).prefix(500) where entry.name.hasSuffix(".md") {
            let id = String(entry.name.dropLast(3))
            guard Self.isCommandName(id) else { continue }
            let file = HostFile("\(folder)/\(entry.name)", on: host, limitBytes: 1 << 20)
            let (text, revision) = try await file.frontMatter(name: entry.name)
            commands.append(SlashCommand(id: id, text: text, revision: revision))
        }
        return commands
    }

    /// The file of a command, to write one.
    ///
    /// - Throws: ``DataError`` with `noSuchField` for a name that is not one of letters, digits, `-` and `_`.
    package func slashCommandFile(_ name: String, of project: ProjectRegistry.Project) throws(DataError) -> HostFile {
        guard Self.isCommandName(name) else { throw DataError(.noSuchField, "\"\(name)\" is no command's name.") }
        let path = "\(project.path)/.scarf/slash-commands/\(name).md"
        return HostFile(path, on: host, below: project.path, limitBytes: 1 << 20)
    }

    private static func isCommandName(_ name: String) -> Bool {
        (1...64).contains(name.count)
            && name.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
            }
    }
}
