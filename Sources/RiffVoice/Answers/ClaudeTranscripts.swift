// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport

/// The location of the transcripts of Claude Code's sessions on a host: a folder for each directory it was started in,
/// a file for each session.
public struct ClaudeTranscripts: Sendable {
    package let host: any HostSession
    private let folder: String
    private let project: String?
    private let conversation: String?

    /// Transcripts on a host.
    ///
    /// - Parameters:
    ///   - host: The host, or this machine.
    ///   - project: Only sessions that were started in this directory, an absolute path; `nil` for all of them.
    ///   - conversation: Only the session with this id; `nil` for the one that was written last.
    ///   - folder: Where they are, from the home folder on.
    public init(
        on host: any HostSession,
        project: String? = nil,
        conversation: String? = nil,
        folder: String = ".claude/projects"
    ) {
        self.host = host
        self.folder = folder
        self.conversation = conversation
        self.project = project.map(ClaudeProjectFolder.name(of:))
    }

    /// The name of a directory's folder.
    package static func folderName(of directory: String) -> String { ClaudeProjectFolder.name(of: directory) }

    /// The transcript that was written last.
    ///
    /// - Returns: Its path; `nil` where there is none yet.
    /// - Throws: A `RiffError` where the host cannot be asked; `CancellationError`.
    public func newest() async throws -> String? {
        var newest: (path: String, time: Double)?
        for project in try await projects() {
            for entry in try await entries(of: "\(folder)/\(project)") where entry.name.hasSuffix(bytes: ".jsonl") {
                guard conversation.map({ entry.name.isSame(bytes: "\($0).jsonl") }) ?? true else { continue }
                let time = entry.status.modified ?? 0
                if time > newest?.time ?? -1 { newest = ("\(folder)/\(project)/\(entry.name)", time) }
            }
        }
        return newest?.path
    }

    package func makeReader() -> any AgentTurnReading { ClaudeTurnReader() }

    private func projects() async throws -> [String] {
        if let project { return [project] }
        return try await entries(of: folder).filter { $0.status.kind == .directory }.map(\.name)
    }
}

extension ClaudeTranscripts: AgentRecords {}
