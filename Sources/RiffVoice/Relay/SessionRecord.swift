// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension RiffClient {
    /// A turn that a server served: what was asked and what was answered.
    public struct SessionRecord: Sendable, Hashable, Identifiable {
        /// Its name; later records follow it in lists that begin behind it.
        public let id: RiffIdentifier
        /// The conversation that it belongs to, if any.
        public let conversation: RiffIdentifier?
        /// The words that were asked; empty if speech could not be recognized.
        public let transcript: String
        /// The answer; empty if speech could not be recognized.
        public let reply: String
        /// When it was answered, in seconds since 1970.
        public let time: Double
        /// Why there is neither a question nor an answer, in the server's few words, such as `transcription failed`;
        /// `nil` for a turn that was answered.
        public let error: String?

        /// Creates a record.
        package init(
            id: RiffIdentifier,
            conversation: RiffIdentifier?,
            transcript: String,
            reply: String,
            time: Double,
            error: String? = nil
        ) {
            (self.id, self.conversation, self.transcript, self.reply) = (id, conversation, transcript, reply)
            self.time = time
            self.error = error
        }

        /// As it is on the wire and in a file: `{"id", "conversation_id", "transcript", "reply", "ts", "error"}`, the
        /// second and the last only where there is one.
        package var json: JSONValue {
            var members: JSONObject = ["id": .string(id.text)]
            members["conversation_id"] = conversation.map { .string($0.text) }
            members["transcript"] = .string(transcript)
            members["reply"] = .string(reply)
            members["ts"] = .number(time)
            members["error"] = error.map { .string($0) }
            return .object(members)
        }

        /// Reads a record; `nil` where it is none.
        package init?(json: JSONValue) {
            guard let id = json["id"]?.text.flatMap({ try? RiffIdentifier($0) }),
                let transcript = json["transcript"]?.text,
                let reply = json["reply"]?.text, let time = json["ts"]?.double
            else { return nil }
            let conversation = json["conversation_id"]?.text.flatMap { try? RiffIdentifier($0) }
            self.init(
                id: id,
                conversation: conversation,
                transcript: transcript,
                reply: reply,
                time: time,
                error: json["error"]?.text.map { InertText.line($0) }
            )
        }
    }
}

/// The turns that a server served, in a file `_index.jsonl` that is only ever added to.
package actor SessionIndex {
    /// The most records that are looked through for the one that a list begins behind.
    private static let depth = 10_000

    private let log: LineLog
    private nonisolated let executor = BlockingExecutor(label: "riff.session-index")
    /// A queue of its own, because files block.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The index in a folder, which is made with the first record.
    package init(folder: String) { log = LineLog(folder: folder, name: "_index.jsonl") }

    /// Adds a record; it is on the disk when this returns.
    ///
    /// - Throws: ``CoreError`` with `storeFailed`, `permissionsTooOpen` or `storeBusy`; `CancellationError` when
    ///   cancelled before the lock was taken.
    package func append(_ record: RiffClient.SessionRecord) async throws { try log.append(record.json.bytes()) }

    /// Records in their order.
    ///
    /// - Parameters:
    ///   - id: Those behind this one; the newest without one, or where it is not known (any more).
    ///   - limit: How many at most.
    /// - Returns: The records, oldest first.
    /// - Throws: ``CoreError`` with `storeFailed` or `permissionsTooOpen`.
    package func records(after id: RiffIdentifier? = nil, limit: Int = 200) async throws -> [RiffClient.SessionRecord] {
        let newest = try log.last(id == nil ? limit : Self.depth) { line in
            // Half a line of a killed process is none.
            (try? JSONValue(parsing: line)).flatMap(RiffClient.SessionRecord.init(json:))
        }
        guard let id, let place = newest.lastIndex(where: { $0.id == id }) else { return newest.suffix(limit) }
        return Array(newest[(place + 1)...].prefix(limit))
    }
}
