// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport

/// Where Claude Code keeps the transcripts of its sessions on a host: a folder for each directory it was started in, a
/// file for each session.
public struct ClaudeTranscripts: Sendable {
    private let host: any HostSession
    private let folder: String
    private let project: String?

    /// Transcripts on a host.
    ///
    /// - Parameters:
    ///   - host: The host, or this machine.
    ///   - project: Only sessions that were started in this directory, an absolute path; `nil` for all of them.
    ///   - folder: Where they are, from the home folder on.
    public init(on host: any HostSession, project: String? = nil, folder: String = ".claude/projects") {
        (self.host, self.folder) = (host, folder)
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
            for entry in try await entries(of: "\(folder)/\(project)") where entry.name.hasSuffix(".jsonl") {
                let time = entry.status.modified ?? 0
                if time > newest?.time ?? -1 { newest = ("\(folder)/\(project)/\(entry.name)", time) }
            }
        }
        return newest?.path
    }

    /// When a transcript was written last, in seconds since 1970 by the host's clock; `nil` where it is gone.
    func modified(_ path: String) async throws -> Double? { try await host.status(of: path)?.modified }

    /// The length of a transcript; `nil` where it is gone.
    func size(of path: String) async throws -> UInt64? { try await host.status(of: path)?.sizeBytes }

    /// The next bytes of a transcript.
    func read(_ path: String, from offset: UInt64, count: Int) async throws -> [UInt8] {
        do {
            return try await host.read(path, from: offset, count: count)
        } catch let error as TransportError where error.code == .fileNotFound {
            return []
        }
    }

    private func projects() async throws -> [String] {
        if let project { return [project] }
        return try await entries(of: folder).filter { $0.status.kind == .directory }.map(\.name)
    }

    /// A folder that is not there yet is empty: Claude makes it with its first session.
    private func entries(of folder: String) async throws -> [DirectoryEntry] {
        do {
            return try await host.list(folder)
        } catch let error as TransportError where error.code == .fileNotFound {
            return []
        }
    }
}
