// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample: support: String, conversation: RiffIdentifier, id: RiffIdentifier, text: String, now: Double
/// The conversations that a client shows, kept on the device: `NAME.json` of one folder for each.
///
/// A file is replaced in one step, so that a process that dies while it writes leaves the old one. The folder is made
/// with mode 0700, files with 0600; a folder or a file that others may read or change is refused. A damaged file is
/// put aside as `NAME.json.damaged`, in place of an earlier one, and ``problem(of:)`` says so: the conversation begins
/// empty and comes again from the server. On a disk that ignores case, conversations whose names differ only in it are
/// one.
///
/// One store has a folder at a time. What it was sending when its process ended has failed in the next one, and may
/// have arrived.
///
/// ```swift
/// let store = MessageStore(directory: "\(support)/messages")
/// try await store.handle(.sending(text, id: id, time: now), in: conversation)
/// for await thread in try await store.updates(of: conversation) { show(thread.entries) }
/// ```
public actor MessageStore {
    private struct Kept {
        let source: StateSource<MessageThread>
        var problem: CoreError?
        /// Whether the disk has what the source has.
        var isWritten = true
    }

    /// The path of the folder.
    package nonisolated let directory: String
    private nonisolated let empty: MessageThread
    private nonisolated let fileLimitBytes: Int

    private nonisolated let executor = BlockingExecutor(label: "riff.messages")
    /// A queue of its own, because files and locks block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private var threads: [RiffIdentifier: Kept] = [:]

    /// A store in a folder, which is made with the first message.
    ///
    /// - Parameters:
    ///   - directory: The folder; nothing else lies in it.
    ///   - empty: How a conversation begins: how many messages are kept of it.
    public init(directory: String, beginning empty: MessageThread = MessageThread()) {
        // Half of what is read here.
        self.init(directory: directory, beginning: empty, fileLimitBytes: 8 * 1024 * 1024)
    }

    /// The same with another limit on a file's size: the oldest messages make room.
    package init(directory: String, beginning empty: MessageThread = MessageThread(), fileLimitBytes: Int) {
        self.directory = directory
        self.empty = empty
        self.fileLimitBytes = fileLimitBytes
    }

    /// A conversation as it is shown; without messages where none are kept.
    ///
    /// - Throws: ``CoreError`` with `storeFailed`, `permissionsTooOpen` or `storeBusy`; `CancellationError` when
    ///   cancelled while another process has the folder.
    public func thread(of conversation: RiffIdentifier) throws -> MessageThread {
        try kept(conversation).source.current
    }

    /// A conversation as it is, then each change.
    ///
    /// - Throws: As ``thread(of:)``.
    public func updates(of conversation: RiffIdentifier) throws -> AsyncStream<MessageThread> {
        try kept(conversation).source.updates()
    }

    /// Why nothing is shown of what was kept of a conversation; `nil` where nothing was damaged. Its code is
    /// `messagesDamaged`.
    ///
    /// - Throws: As ``thread(of:)``.
    public func problem(of conversation: RiffIdentifier) throws -> CoreError? { try kept(conversation).problem }

    /// Takes what happened in a conversation. It is shown at once, and on the disk when this returns.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - conversation: Where.
    /// - Returns: The conversation after it.
    /// - Throws: As ``thread(of:)``. Where the conversation could be read but not written, it is shown all the same,
    ///   and the next event, whatever it is, writes both.
    @discardableResult
    public func handle(_ event: MessageThread.Event, in conversation: RiffIdentifier) throws -> MessageThread {
        var kept = try kept(conversation)
        var thread = kept.source.current
        thread.handle(event)
        if thread != kept.source.current {
            kept.isWritten = false
            threads[conversation] = kept
            kept.source.update(thread)
        }
        guard !kept.isWritten else { return thread }
        try MessageFile(directory: directory, conversation).write(thread.file(limitBytes: fileLimitBytes))
        threads[conversation]?.isWritten = true
        return thread
    }

    /// Forgets a conversation on this device, what was damaged of it as well. The server keeps it.
    ///
    /// - Throws: As ``thread(of:)``; it is then still there.
    public func remove(_ conversation: RiffIdentifier) throws {
        try MessageFile(directory: directory, conversation).remove()
        if let source = threads[conversation]?.source {
            source.update(empty)
            threads[conversation] = Kept(source: source)
        }
    }

    private func kept(_ conversation: RiffIdentifier) throws -> Kept {
        if let kept = threads[conversation] { return kept }
        let file = MessageFile(directory: directory, conversation)
        var (thread, problem) = (empty, CoreError?.none)
        if let bytes = try file.read() {
            do throws(CoreError) {
                try thread.read(file: bytes)
                thread.handle(.interrupted(reason: "The app was closed before an answer came."))
            } catch {
                try file.putAside(bytes)
                problem = CoreError(
                    .messagesDamaged,
                    "\(file.path) could not be read and was put aside as \(file.damagedPath). The server still has "
                        + "what it had; what was not sent yet is in that file.",
                    cause: error
                )
            }
        }
        let kept = Kept(source: StateSource(thread), problem: problem)
        threads[conversation] = kept
        return kept
    }
}

extension CoreErrorCode {
    /// The stored conversation on this device cannot be read; it was put aside.
    public static let messagesDamaged = CoreError.Code(rawValue: "messagesDamaged")
}
