// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension TranscriptImport {
    /// The program that wrote the lines that are imported.
    public struct Origin: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        public let rawValue: String

        /// An origin; those below can be imported.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An export of this store (``TranscriptFormat/jsonLines``).
        public static let export = TranscriptImport.Origin(rawValue: "export")
        /// RemoteClaw's `transcript.jsonl`: `{"id", "role", "content", "timestamp", "model"?}`.
        package static let remoteClaw = TranscriptImport.Origin(rawValue: "remoteclaw")
        /// A conversation of a Riff server: `{"id", "role", "text", "attachments", "ts"}`.
        package static let riffConversation = TranscriptImport.Origin(rawValue: "riff")
        /// Messages of the Agent Client Protocol, both directions or the agent's updates alone: whole JSON-RPC
        /// messages, parameters of `session/update`, or either inside of `{"dir", "msg"}`.
        public static let acp = TranscriptImport.Origin(rawValue: "acp")
        /// Claude Code's own transcripts, `~/.claude/projects/<folder>/<session>.jsonl`.
        package static let claude = TranscriptImport.Origin(rawValue: "claude")
    }
}

extension TranscriptImport {
    /// A line that could not be imported.
    public struct Rejection: Sendable {
        /// Its number in the file, from 1.
        public let line: Int
        /// The line, at most its first 64 KiB.
        public let bytes: [UInt8]
        /// The error that caused the rejection.
        public let error: DataError
    }
}

/// The result of an import.
public struct TranscriptImport: Sendable {
    /// The number of rejections that are listed.
    static let listedRejections = 100

    /// The program that wrote the lines; `nil` if there are none.
    public internal(set) var origin: TranscriptImport.Origin?
    /// The sessions that the lines belong to.
    public internal(set) var sessions: Set<TranscriptSession.ID> = []
    /// The change to the messages.
    public internal(set) var messages = TranscriptChange()
    /// The number of lines that are not part of a conversation, such as requests of the protocol.
    public internal(set) var skippedLines = 0
    /// The number of lines that could not be imported.
    public internal(set) var rejectedLines = 0
    /// The first 100 of them.
    public internal(set) var rejections: [TranscriptImport.Rejection] = []
}

extension DataErrorCode {
    /// A line of an import is none of its format; the message names it by its number.
    public static let importLineInvalid = DataError.Code(rawValue: "importLineInvalid")
    /// The file to import is in none of the formats.
    public static let importFormatUnknown = DataError.Code(rawValue: "importFormatUnknown")
    /// A file of an import cannot be read.
    public static let importFailed = DataError.Code(rawValue: "importFailed")
}

extension TranscriptStore {
    /// Imports a file of lines. What the store has of it already stays, so that the same file can be imported again,
    /// also when it has grown: a message that the store has is replaced only where it is a beginning of the file's. A
    /// title that a person gave a session stays, and so does where it was put.
    ///
    /// A line that is none of the format is handed to `onRejection`, and the others are imported; the file is only
    /// read. Lines come in batches: after an error those before it are in the store, and another import goes on. A file
    /// that is compressed (`.gz`) is decompressed while it is read.
    ///
    /// - Parameters:
    ///   - path: A file, or a folder that holds RemoteClaw's `metadata.json` and `transcript.jsonl`.
    ///   - origin: What wrote it; `nil` to find out by its first line.
    ///   - session: The session that lines which name none belong to; `nil` for one with the file's name.
    ///   - isStrict: Whether the first line that is none of the format ends the import with an error.
    ///   - onRejection: Is given every line that is none of the format.
    /// - Returns: What became of it.
    /// - Throws: ``DataError`` with `importFailed`, `importFormatUnknown`, `importLineInvalid` (strict) or a database
    ///   code; `CancellationError`.
    @discardableResult
    public func importTranscripts(
        at path: String,
        as origin: TranscriptImport.Origin? = nil,
        into session: TranscriptSession? = nil,
        isStrict: Bool = false,
        onRejection: (TranscriptImport.Rejection) -> Void = { _ in }
    ) async throws -> TranscriptImport {
        var importer = try await TranscriptImporter(store: self, path: path, origin: origin, session: session)
        while let line = try await importer.nextLine() {
            guard let rejection = try await importer.take(line) else { continue }
            if isStrict {
                try await importer.saveTaken()
                throw rejection.error
            }
            onRejection(rejection)
        }
        return try await importer.finish()
    }
}
