// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
package import RiffTransport

/// The files in which a kind of agent keeps its conversations on a host.
package protocol AgentRecords: Sendable {
    /// The host.
    var host: any HostSession { get }

    /// The file that was written last.
    ///
    /// - Returns: Its path; `nil` where there is none yet.
    /// - Throws: A `RiffError` where the host cannot be asked; `CancellationError`.
    func newest() async throws -> String?

    /// A reader at the beginning of a line of such a file.
    func makeReader() -> any AgentTurnReading
}

extension AgentRecords {
    /// When a file was written last, in seconds since 1970 by the host's clock; `nil` where it is gone.
    func modified(_ path: String) async throws -> Double? { try await host.status(of: path)?.modified }

    /// The length of a file; `nil` where it is gone.
    func size(of path: String) async throws -> UInt64? { try await host.status(of: path)?.sizeBytes }

    /// The next bytes of a file.
    func read(_ path: String, from offset: UInt64, count: Int) async throws -> [UInt8] {
        do {
            return try await host.read(path, from: offset, count: count)
        } catch let error as TransportError where error.code == .fileNotFound {
            return []
        }
    }

    /// A folder that is not there yet is empty: it is made with the first conversation.
    func entries(of folder: String) async throws -> [DirectoryEntry] {
        do {
            return try await host.list(folder)
        } catch let error as TransportError where error.code == .fileNotFound {
            return []
        }
    }
}
