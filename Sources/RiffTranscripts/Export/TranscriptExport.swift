// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The formats that transcripts are written in.
public enum TranscriptFormat: Sendable, Hashable, CaseIterable {
    /// To be read: who said what and when, without tools.
    case text
    /// To be shown: headings, and tools with what they were given and returned.
    case markdown
    /// To be read by programs: a JSON object a line, with everything that the store has. What
    /// ``TranscriptStore/importTranscripts(at:as:into:isStrict:onRejection:)`` reads gives the same store again.
    case jsonLines

    /// The extension of its files; with `.gz` after it they are compressed.
    package var fileExtension: String {
        switch self {
        case .text: "txt"
        case .markdown: "md"
        case .jsonLines: "jsonl"
        }
    }
}

extension TranscriptStore {
    /// Sessions written out, in pieces of UTF-8: never more than a page of messages is held.
    ///
    /// Each piece shows the store as it is when it is read; a session that is removed meanwhile ends there.
    ///
    /// - Parameters:
    ///   - ids: Which sessions, in this order; `nil` for all that are there when the first piece is read, the last used
    ///     first. Of those, one that is removed before its turn is left out.
    ///   - format: How.
    /// - Returns: The pieces; each time it is read, they are made anew.
    public func export(_ ids: [TranscriptSession.ID]? = nil, as format: TranscriptFormat) -> TranscriptExport {
        TranscriptExport(store: self, ids: ids, format: format)
    }
}

/// Sessions written out; see ``TranscriptStore/export(_:as:)``.
public struct TranscriptExport: AsyncSequence, Sendable {
    let store: TranscriptStore
    let ids: [TranscriptSession.ID]?
    let format: TranscriptFormat

    /// Reads the pieces.
    public struct Iterator: AsyncIteratorProtocol {
        private static let pageLength = 100

        private let store: TranscriptStore
        private let writer: TranscriptTextWriter
        /// The sessions that come next, the last one first.
        private var waiting: [TranscriptSession.ID] = []
        private let exportsAll: Bool
        private var isListed: Bool
        private var session: TranscriptSession.ID?
        private var place: TranscriptCursor?

        fileprivate init(_ export: TranscriptExport) {
            store = export.store
            writer = TranscriptTextWriter(format: export.format, exportedAt: export.store.configuration.now())
            exportsAll = export.ids == nil
            isListed = !exportsAll
            waiting = (export.ids ?? []).reversed()
        }

        /// The next piece; `nil` at the end.
        ///
        /// - Throws: ``DataError`` with `sessionNotFound` for a session that was named and is not there, or a database
        ///   code; `CancellationError`.
        public mutating func next() async throws -> [UInt8]? {
            while true {
                if let session {
                    let page = try await store.messages(
                        of: session,
                        place.map { .after($0) } ?? .oldest,
                        limit: Self.pageLength
                    )
                    place = page.later
                    if !page.isBehindEnd { self.session = nil }
                    if !page.messages.isEmpty { return writer.bytes(page.messages, of: session) }
                } else if let id = waiting.popLast() {
                    guard let found = try await store.session(id) else {
                        if exportsAll { continue }
                        throw DataError.noSession
                    }
                    (session, place) = (id, nil)
                    return writer.bytes(found)
                } else if !isListed {
                    // All at once: between two pages a session that is in use would move in front of the second one.
                    waiting = try await store.sessionIDs().reversed()
                    isListed = true
                } else {
                    return nil
                }
            }
        }
    }

    /// Starts to write.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}
