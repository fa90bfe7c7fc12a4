// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Reads and writes files of this machine for an agent, below some folders only. Links are followed, but not out of
/// them.
///
/// Changes that an editor has not saved are not seen: a front end that is one answers `fs/read_text_file` itself.
public actor ACPLocalFiles {
    private let files: RootedFiles
    private nonisolated let executor = BlockingExecutor(label: "riff.acp.files")
    /// A queue of its own, because files block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Files below folders.
    ///
    /// - Parameter roots: Absolute paths of the folders, which must exist.
    /// - Throws: `CoreError` with `storeFailed`.
    public init(roots: [String]) throws { files = try RootedFiles(roots: roots) }

    /// Adds reading and writing to a client's handlers.
    public nonisolated func install(in handlers: inout ACPClient.Handlers) {
        handlers.readTextFile = { try await self.read($0) }
        handlers.writeTextFile = { try await self.write($0) }
    }

    /// Reads a file as UTF-8, all of it or some lines.
    package func read(_ request: ACP.ReadTextFileRequest) throws -> ACP.ReadTextFileResponse {
        guard let bytes = try answering({ () throws(CoreError) in try files.contents(of: request.path) }) else {
            throw ACP.RPCError.resourceNotFound(InertText.line(request.path))
        }
        let part = Self.lines(of: bytes, from: request.line ?? 1, limit: request.limit)
        return ACP.ReadTextFileResponse(content: String(decoding: part, as: UTF8.self))
    }

    /// Writes a file; one that is not there is made, and the folders above it.
    package func write(_ request: ACP.WriteTextFileRequest) throws -> ACP.WriteTextFileResponse {
        try answering { () throws(CoreError) in try files.replace(request.path, with: Array(request.content.utf8)) }
        return ACP.WriteTextFileResponse()
    }

    private func answering<Result>(_ work: () throws(CoreError) -> Result) throws -> Result {
        do { return try work() } catch {
            throw error.code == .outsideRoots
                ? ACP.RPCError.invalidParams(error.message) : .internalError(error.message)
        }
    }

    /// The lines from `first` (the first is 1) with their ends, at most `limit` of them.
    private static func lines(of bytes: [UInt8], from first: Int, limit: Int?) -> ArraySlice<UInt8> {
        var start = bytes.startIndex
        for _ in 1..<max(1, first) {
            guard let end = bytes[start...].firstIndex(of: 0x0A) else { return [] }
            start = end + 1
        }
        guard let limit else { return bytes[start...] }
        var end = start
        for _ in 0..<max(0, limit) {
            guard let next = bytes[end...].firstIndex(of: 0x0A) else { return bytes[start...] }
            end = next + 1
        }
        return bytes[start..<end]
    }
}
