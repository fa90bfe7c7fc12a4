// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore
public import RiffTransport

/// The skills of a home: listed, read and edited here, installed by the host's own command.
public struct SkillFolder: Sendable {
    let home: HermesHome
    private static let depth = 4
    private static let most = 2000
    private static let atOnce = 8
    private static let fileBytes = 1 << 20

    /// Lists the skills by id. A folder is a skill if it has a `SKILL.md`, and else a category.
    ///
    /// - Throws: The host's own errors; `CancellationError`. A skill that cannot be read is listed with its problem;
    ///   what is in a folder that may not be listed is left out.
    public func list() async throws -> [SkillFolder.Skill] {
        try await inTurn(try await ids()) { id in
            let (text, revision) = try await file(id).frontMatter(name: id)
            return SkillFolder.Skill(id: id, text: text, revision: revision)
        }
    }

    /// Reads the text of a skill's `SKILL.md`.
    ///
    /// - Throws: The host's own errors; ``DataError`` with `fileTooLarge`.
    public func text(of skill: Skill) async throws -> String { try await file(skill.id).read().text }

    /// Replaces the text of a skill's `SKILL.md` if it is still as it was listed.
    ///
    /// - Throws: ``DataError`` with `fileChanged` if another program changed it; the host's own errors.
    public func replaceText(of skill: Skill, with text: String) async throws {
        try await file(skill.id).replace(with: Array(text.utf8), expecting: skill.revision)
    }

    /// The file of a skill, to read and to edit: `replace(with:expecting:)` with the revision that was read.
    ///
    /// - Throws: ``DataError`` with `noSuchField` for an id that is no path below the folder.
    package func file(of id: String) throws(DataError) -> HostFile {
        let parts = id.split(byte: "/", omittingEmptySubsequences: false)
        guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." || $0.utf8.contains(0) }) else {
            throw DataError(.noSuchField, "\"\(id)\" is no skill's id.")
        }
        return file(id)
    }

    /// Installs a skill by `hermes skills install`; the host's own checks decide.
    ///
    /// - Parameters:
    ///   - identifier: `owner/repository/path`, or the address of a `SKILL.md`.
    ///   - category: The category to install into.
    /// - Returns: What the command wrote.
    /// - Throws: ``DataError`` with `invalidValue` for a category that leads out of the folder; as
    ///   ``HermesProgram/run(_:operands:input:secrets:timeout:)``; `TransportError` with `commandFailed` and the
    ///   command's last words where no skill came, as for one that its checks block or that is installed already.
    @discardableResult
    public func install(_ identifier: String, category: String? = nil) async throws -> CommandResult {
        if let category {
            for part in category.split(byte: "/", omittingEmptySubsequences: false) {
                if let refusal = HermesHome.refusal(of: String(part)) { throw refusal }
            }
        }
        let options = category.map { ["--category=\($0)"] } ?? []
        return try await changing("install") {
            try await home.hermes.run(
                ["skills", "install", "--yes"] + options,
                operands: [identifier],
                timeout: .seconds(300)
            )
        }
    }

    /// Removes a skill that was installed, by `hermes skills uninstall`.
    ///
    /// - Returns: What the command wrote.
    /// - Throws: As ``install(_:category:)``, where no skill went.
    @discardableResult
    public func uninstall(_ name: String) async throws -> CommandResult {
        try await changing("uninstall") {
            try await home.hermes.run(["skills", "uninstall"], operands: [name], input: "y\n")
        }
    }

    /// Searches the registries, and returns what `hermes skills search` shows.
    public func search(_ query: String) async throws -> String {
        try await home.hermes.run(["skills", "search"], operands: [query]).text
    }

    /// Runs a command that must change which skills there are: `hermes` ends with status 0 also where it refused.
    private func changing(
        _ command: String,
        _ work: () async throws -> CommandResult
    ) async throws -> CommandResult {
        let before = try await ids()
        let result = try await work()
        guard try await ids() == before else { return result }
        let words = InertText.line(String("\(result.text) \(result.diagnosticText)".suffix(1000)))
            .split(separator: " ").joined(separator: " ").suffix(400)
        let end = words.isEmpty ? "it changed no skill, and said nothing." : String(words)
        throw TransportError(.commandFailed, "hermes skills \(command): \(end)")
    }

    /// The ids of all skills, in order.
    private func ids() async throws -> [String] {
        var found: [String] = []
        var level = [""]
        for _ in 0..<Self.depth where !level.isEmpty && found.count < Self.most {
            let looked = try await inTurn(level) { try await look(into: $0) }
            found += looked.flatMap(\.skills)
            level = looked.flatMap(\.folders)
        }
        return found.sorted()
    }

    private func file(_ id: String) -> HostFile {
        home.file("skills/\(id)/SKILL.md", limitBytes: Self.fileBytes)
    }

    private func look(into folder: String) async throws -> (skills: [String], folders: [String]) {
        let path = folder.isEmpty ? "skills" : "skills/\(folder)"
        let entries: [DirectoryEntry]
        do {
            entries = try await home.host.list("\(home.path)/\(path)")
        } catch let error as TransportError where error.code == .fileNotFound || error.code == .fileFailed {
            // Not there, or a link to something that is no folder.
            return ([], [])
        } catch let error as TransportError where error.code == .permissionDenied && !folder.isEmpty {
            // Somebody else's folder; the others are of use without it.
            return ([], [])
        }
        if !folder.isEmpty, entries.contains(where: { $0.name == "SKILL.md" }) { return ([folder], []) }
        let below = entries.filter { entry in
            !entry.name.hasPrefix(".") && (entry.status.kind == .directory || entry.status.kind == .symbolicLink)
        }
        return ([], below.map { folder.isEmpty ? $0.name : "\(folder)/\($0.name)" })
    }

    /// A few at a time, since each is a way to the host and back; the results in order.
    private func inTurn<Input: Sendable, Output: Sendable>(
        _ inputs: [Input],
        _ work: @escaping @Sendable (Input) async throws -> Output
    ) async throws -> [Output] {
        try await withThrowingTaskGroup(of: (Int, Output).self) { group in
            var results: [Int: Output] = [:]
            for (place, input) in inputs.enumerated() {
                if place >= Self.atOnce, let (done, output) = try await group.next() { results[done] = output }
                group.addTask { (place, try await work(input)) }
            }
            for try await (done, output) in group { results[done] = output }
            return inputs.indices.compactMap { results[$0] }
        }
    }
}

extension HermesHome {
    /// The folder of skills.
    public var skills: SkillFolder { SkillFolder(home: self) }
}
