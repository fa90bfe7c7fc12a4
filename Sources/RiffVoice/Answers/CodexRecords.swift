// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport
internal import Synchronization

/// Where Codex keeps the records of its conversations on a host: a folder for each day, a file for each conversation
/// from its first prompt on.
public struct CodexRecords: Sendable {
    package let host: any HostSession
    private let folder: String
    private let project: String?
    private let conversation: String?
    private let owners = Owners()

    /// How many days are looked through, the newest first: a conversation that is gone on with keeps its day.
    private static let days = 14
    /// How many files of them.
    private static let files = 200

    /// Records on a host.
    ///
    /// - Parameters:
    ///   - host: The host, or this machine.
    ///   - project: Only conversations that were started in this directory, an absolute path; `nil` for all of them.
    ///   - conversation: Only the conversation with this id; `nil` for the one that was written last.
    ///   - folder: Where they are, from the home folder on.
    public init(
        on host: any HostSession,
        project: String? = nil,
        conversation: String? = nil,
        folder: String = ".codex/sessions"
    ) {
        self.host = host
        self.folder = folder
        self.project = project
        self.conversation = conversation
    }
}

extension CodexRecords: AgentRecords {
    /// The record that was written last and is a person's conversation: titles and helpers have records of their own.
    package func newest() async throws -> String? {
        var found: [(path: String, time: Double)] = []
        for day in try await days() {
            for entry in try await entries(of: day) where entry.name.hasSuffix(bytes: ".jsonl") {
                guard conversation.map({ entry.name.hasSuffix(bytes: "-\($0).jsonl") }) ?? true else { continue }
                found.append(("\(day)/\(entry.name)", entry.status.modified ?? 0))
            }
            // A conversation has one file.
            if conversation != nil, !found.isEmpty { break }
            if found.count >= Self.files { break }
        }
        for candidate in found.sorted(by: { $0.time > $1.time }).prefix(Self.files)
        where try await isWanted(candidate.path) {
            return candidate.path
        }
        return nil
    }

    package func makeReader() -> any AgentTurnReading { CodexTurnReader() }

    /// The folders of days, the newest first; all of them where one conversation is looked for.
    private func days() async throws -> [String] {
        let limit = conversation == nil ? Self.days : Int.max
        var days: [String] = []
        for year in try await numbered(folder) {
            for month in try await numbered(year) {
                for day in try await numbered(month) {
                    days.append(day)
                    if days.count >= limit { return days }
                }
            }
        }
        return days
    }

    private func numbered(_ folder: String) async throws -> [String] {
        try await entries(of: folder).filter { $0.status.kind == .directory && Int($0.name) != nil }
            .map(\.name).sorted { Int($0) ?? 0 > Int($1) ?? 0 }.map { "\(folder)/\($0)" }
    }

    /// Whether the first line says that it is a person's, of the project.
    private func isWanted(_ path: String) async throws -> Bool {
        if let known = owners.isWanted(path) { return known }
        let bytes = try await read(path, from: 0, count: 256 * 1024)
        // It may be written in this moment.
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return false }
        let meta = (try? JSONValue(parsing: Array(bytes[..<end])))?["payload"]  // What cannot be read is nobody's.
        let isPersons = meta?["thread_source"]?.text.map { $0 == "user" } ?? (meta?["source"]?.text != nil)
        let isInProject = project.map { meta?["cwd"]?.text?.isSame(bytes: $0) ?? false } ?? true
        owners.note(path, isPersons && isInProject)
        return isPersons && isInProject
    }
}

/// What the first lines of files said, which stays.
private final class Owners: Sendable {
    private let known = Mutex<[ByteName: Bool]>([:])

    func isWanted(_ path: String) -> Bool? { known.withLock { $0[ByteName(path)] } }

    func note(_ path: String, _ isWanted: Bool) {
        known.withLock { known in
            if known.count >= 1000 { known = [:] }
            known[ByteName(path)] = isWanted
        }
    }
}
