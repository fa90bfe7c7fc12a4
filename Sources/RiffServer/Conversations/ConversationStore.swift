// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A seam: where a server keeps conversations.
///
/// To the implementer: a message that ``append(_:to:)`` returned for is not lost by a process that is killed, and
/// messages of many callers come one after the other, each whole.
public protocol ConversationStore: Sendable {
    /// Adds a message to a conversation, which begins with its first one.
    func append(_ message: ConversationMessage, to conversation: RiffIdentifier) async throws

    /// The newest messages of a conversation, oldest first; none where it has not begun.
    func last(_ count: Int, of conversation: RiffIdentifier) async throws -> [ConversationMessage]
}

/// Conversations in a folder of this machine: `NAME.jsonl` for each, one line a message, only ever added to.
///
/// Any number of processes may add at a time. A line that a killed process left half written is closed by the next one
/// and skipped by readers. The folder is made with mode 0700, its files with 0600.
package actor ConversationFolder: ConversationStore {
    /// The folder.
    package nonisolated let path: String

    private nonisolated let executor = BlockingExecutor(label: "riff.conversations")
    /// A queue of its own, because files block.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Conversations in a folder, which is made with the first message.
    package init(path: String) { self.path = path }

    /// Adds a message; it is on the disk when this returns.
    ///
    /// - Throws: ``CoreError`` with `storeFailed`, `permissionsTooOpen` or `storeBusy`; `CancellationError` when
    ///   cancelled before the lock was taken. Nothing was added then.
    package func append(_ message: ConversationMessage, to conversation: RiffIdentifier) async throws {
        try log(of: conversation).append(message.json.bytes())
    }

    /// The newest messages of a conversation, oldest first. Lines that are no messages are skipped.
    ///
    /// - Throws: ``CoreError`` with `storeFailed` or `permissionsTooOpen`.
    package func last(_ count: Int, of conversation: RiffIdentifier) async throws -> [ConversationMessage] {
        try log(of: conversation).last(count) { line in
            // A line that cannot be read is what a killed process left; see the type.
            (try? JSONValue(parsing: line)).flatMap(ConversationMessage.init(json:))
        }
    }

    private func log(of conversation: RiffIdentifier) -> LineLog {
        LineLog(folder: path, name: "\(conversation).jsonl")
    }
}

/// Conversations that end with the process.
package actor InMemoryConversationStore: ConversationStore {
    private var conversations: [RiffIdentifier: [ConversationMessage]] = [:]

    /// No conversation.
    package init() {}

    /// Adds a message.
    package func append(_ message: ConversationMessage, to conversation: RiffIdentifier) async {
        conversations[conversation, default: []].append(message)
    }

    /// The newest messages of a conversation, oldest first.
    package func last(_ count: Int, of conversation: RiffIdentifier) async -> [ConversationMessage] {
        conversations[conversation]?.suffix(count) ?? []
    }
}
