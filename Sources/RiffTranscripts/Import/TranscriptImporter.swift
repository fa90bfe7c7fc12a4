// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// One import: lines in, saved batches out.
struct TranscriptImporter {
    private static let batchLength = 500
    private static let batchBytes = 4 * 1024 * 1024

    private let store: TranscriptStore
    private let source: ImportSource
    private let session: TranscriptSession
    private var decoder: (any TranscriptLineDecoder)?
    private var report = TranscriptImport()
    private var lines: ImportLines
    /// The facts that the file gave about its sessions.
    private var headers: [TranscriptSession.ID: TranscriptSession] = [:]
    private var batch: [ChatEntry] = []
    private var batchSession: TranscriptSession.ID?
    private var batchSizeBytes = 0
    private var identities = MessageIdentities()

    init(
        store: TranscriptStore,
        path: String,
        origin: TranscriptImport.Origin?,
        session: TranscriptSession?
    ) async throws {
        self.store = store
        source = try await onBlockingThread { try ImportSource(path: path) }
        lines = ImportLines(file: source.file)
        self.session = session ?? source.session
        if let session {
            headers[session.id] = session
        } else if source.isDescribed {
            headers[self.session.id] = self.session
        }
        guard let origin else { return }
        guard let decoder = Self.decoder(origin, for: self.session) else {
            throw DataError(
                .importFormatUnknown,
                "Transcripts of \"\(InertText.line(origin.rawValue))\" cannot be imported."
            )
        }
        begin(origin, decoder)
    }

    private static func decoder(
        _ origin: TranscriptImport.Origin,
        for session: TranscriptSession
    ) -> (any TranscriptLineDecoder)? {
        switch origin {
        case .export: ExportLineDecoder(session: session.id)
        case .remoteClaw: RemoteClawLineDecoder(session: session.id)
        case .riffConversation: RiffLineDecoder(session: session.id)
        case .acp: ACPLineDecoder(session: session.id)
        case .claude: ClaudeLineDecoder(session: session.id)
        default: nil
        }
    }

    private mutating func begin(_ origin: TranscriptImport.Origin, _ decoder: any TranscriptLineDecoder) {
        self.decoder = decoder
        report.origin = origin
    }

    /// The next line. Where the file cannot be read any further, what was read is saved first.
    mutating func nextLine() async throws -> ImportLines.Line? {
        do {
            return try await lines.next()
        } catch let error as DataError {
            try await saveTaken()
            throw error
        }
    }

    /// Saves all that was taken, where the import ends before the file does.
    mutating func saveTaken() async throws {
        for item in decoder?.rest() ?? [] { try await take(item, []) }
        try await flush()
    }

    /// Takes a line; says what is wrong with it.
    mutating func take(_ line: ImportLines.Line) async throws -> TranscriptImport.Rejection? {
        guard !line.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { return nil }
        do {
            guard !line.isCut else { throw LineProblem("it is longer than 64 MiB") }
            let json: JSONValue
            do { json = try JSONValue(parsing: line.bytes) } catch { throw LineProblem("it is not JSON", cause: error) }
            if decoder == nil {
                guard let origin = TranscriptImport.Origin(firstLine: json) else {
                    throw LineProblem("it is of no format that is known")
                }
                if let decoder = Self.decoder(origin, for: session) { begin(origin, decoder) }
            }
            let items = try decoder?.items(json) ?? []
            if items.isEmpty { report.skippedLines += 1 }
            for item in items { try await take(item, line.bytes) }
            return nil
        } catch let problem as LineProblem {
            report.rejectedLines += 1
            let message = "Line \(line.number) of \(source.path) cannot be imported: \(problem.words)."
            let rejection = TranscriptImport.Rejection(
                line: line.number,
                bytes: Array(line.bytes.prefix(64 * 1024)),
                error: DataError(.importLineInvalid, message, cause: problem.cause)
            )
            if report.rejections.count < TranscriptImport.listedRejections { report.rejections.append(rejection) }
            return rejection
        }
    }

    mutating func finish() async throws -> TranscriptImport {
        try await saveTaken()
        guard report.origin != nil || report.rejectedLines == 0 else {
            throw DataError(
                .importFormatUnknown,
                "\(source.path) holds no transcript of a format that is known: "
                    + "an export of Riff's, Agent Client Protocol messages, or Claude Code's own."
            )
        }
        // A session without messages.
        for header in headers.values where !report.sessions.contains(header.id) { try await save(header, []) }
        return report
    }

    private mutating func take(_ item: ImportItem, _ line: ArraySlice<UInt8>) async throws {
        switch item {
        case .session(let session):
            try await flush()
            headers[session.id] = session
        case .message(var message, let session):
            if batchSession != session { try await flush() }
            switch identities.identity(of: message.id, in: session, line) {
            case .new: break
            case .again:
                report.messages.unchanged += 1
                return
            case .collision(let count): message = message.renamed("\(message.id)#\(count)")
            }
            batchSession = session
            batch.append(message)
            batchSizeBytes += message.text.utf8.count + line.count
            if batch.count >= Self.batchLength || batchSizeBytes >= Self.batchBytes { try await flush() }
        }
    }

    private mutating func flush() async throws {
        guard let id = batchSession, !batch.isEmpty else { return }
        let messages = batch
        (batch, batchSession, batchSizeBytes) = ([], nil, 0)
        if let header = headers[id] {
            try await save(header, messages)
        } else {
            var header = TranscriptSession(id: id, source: session.source)
            if id == session.id { header = session }
            header.source = decoder?.source ?? header.source
            header.createdAt = header.createdAt ?? messages.first?.time ?? source.modifiedAt
            header.updatedAt = header.updatedAt ?? messages.last?.time
            // What the store knows of a session is not replaced by a guess.
            if let known = try await store.session(id) { header = TranscriptSession(id: id, source: known.source) }
            headers[id] = header
            try await save(header, messages)
        }
    }

    private mutating func save(_ header: TranscriptSession, _ messages: [ChatEntry]) async throws {
        let change = try await store.save(
            header,
            messages,
            keepsDetails: true,
            onlyGrowing: true,
            now: source.modifiedAt
        )
        report.sessions.insert(header.id)
        report.messages.added += change.added
        report.messages.updated += change.updated
        report.messages.unchanged += change.unchanged
    }
}

/// What is wrong with a line.
struct LineProblem: Error {
    let words: String
    let cause: (any Error)?

    init(_ words: String, cause: (any Error)? = nil) { (self.words, self.cause) = (words, cause) }
}

/// The content of a line.
enum ImportItem {
    case session(TranscriptSession)
    case message(ChatEntry, in: TranscriptSession.ID)
}

/// Reads the lines of one format.
protocol TranscriptLineDecoder {
    /// The kind of place where its sessions were held.
    var source: ChatSource { get }
    /// Reads a line; returns nothing if it is about something else.
    mutating func items(_ line: JSONValue) throws(LineProblem) -> [ImportItem]
    /// What is whole only at the end.
    mutating func rest() -> [ImportItem]
}

extension TranscriptLineDecoder {
    mutating func rest() -> [ImportItem] { [] }
}

/// Tells messages apart that a file gives one name: some programs make names out of the time.
private struct MessageIdentities {
    enum Identity {
        case new, again
        case collision(Int)
    }

    private struct Name: Hashable {
        let session: TranscriptSession.ID
        let message: ChatEntry.ID
    }

    /// The lines of each name, by their hashes.
    private var lines: [Name: Set<Int>] = [:]

    mutating func identity(of message: String, in session: String, _ line: ArraySlice<UInt8>) -> Identity {
        guard !line.isEmpty else { return .new }
        let name = Name(session: session, message: message)
        let hash = line.hashValue
        guard lines[name, default: []].insert(hash).inserted else { return .again }
        let count = lines[name]?.count ?? 1
        return count == 1 ? .new : .collision(count)
    }
}

extension ChatEntry {
    fileprivate func renamed(_ id: String) -> ChatEntry {
        ChatEntry(
            id: id,
            role: role,
            text: text,
            time: time,
            model: model,
            toolCalls: toolCalls,
            attachments: attachments,
            extra: extra
        )
    }
}
