// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample: container: String
/// Prompts that wait to be handed to agents: files of one folder, which an app and its extensions share, and which
/// survive the end of every process at any moment.
///
/// A prompt can be changed until it is handed over. Its state says how far it came; what is uncertain is never sent
/// again by itself. The folder is made with mode 0700, files with 0600; one that others may read or change is refused.
/// A process holds the folder's lock while it writes a file, never longer.
///
/// ```swift
/// let outbox = PromptOutbox(directory: "\(container)/outbox")
/// let prompt = try await outbox.add("Fix the build.", to: "work/riff")
/// print(prompt.state.name)
/// ```
public actor PromptOutbox {
    /// The limits of an outbox.
    public struct Limits: Sendable, Hashable {
        /// The most prompts, those that are over included; the oldest of these make room.
        public var prompts = 1000
        /// The most bytes of all attachments, and of one.
        public var attachmentBytes: Int64 = 100 * 1_048_576
        /// The most bytes of one prompt's text.
        public var textBytes = 256 * 1024
        /// The most attachments of one prompt.
        public var attachments = 20

        /// Creates limits: 1,000 prompts of at most 256 KiB, with 20 attachments each, and 100 MiB of attachments.
        public init() {}
    }

    /// The state of an outbox, for a front end to show.
    public struct State: Sendable, Hashable {
        /// The prompts, those of each agent in the order in which they are handed over.
        public var prompts: [Prompt] = []
        /// Files that could not be read. They stay as they are.
        public var problems: [Problem] = []
    }

    /// The path of the folder.
    public nonisolated let directory: String
    /// The limits of the outbox.
    nonisolated let limits: Limits
    /// The files of the attachments.
    package nonisolated let attachments: SharedMediaInbox

    nonisolated let executor = BlockingExecutor(label: "riff.outbox")
    /// A queue of its own, because files and locks block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated let source = StateSource(State())
    let wallClock: @Sendable () -> Double

    /// Creates an outbox in a folder, which is made at the first use. Nothing is read before the first call.
    ///
    /// - Parameters:
    ///   - directory: The folder; nothing else lies in it.
    ///   - limits: How much it takes.
    ///   - wallClock: The time in seconds since 1970; the system's clock by default.
    public init(directory: String, limits: Limits = Limits(), wallClock: (@Sendable () -> Double)? = nil) {
        self.directory = directory
        self.limits = limits
        let wallClock = wallClock ?? WallClock.now
        self.wallClock = wallClock
        attachments = SharedMediaInbox(
            directory: "\(directory)/attachments",
            cap: SharedMediaInbox.UploadCap(bytes: limits.attachmentBytes),
            wallClock: wallClock
        )
    }

    /// The prompts as this process knows them: as of its last change or ``refresh()``.
    public nonisolated var current: State { source.current }

    /// The prompts as they are known now, then each change that this process makes or finds.
    public nonisolated func updates() -> AsyncStream<State> { source.updates() }

    /// Reads what is there, such as after an extension added a prompt. Call it when the app comes to the foreground.
    ///
    /// - Returns: The prompts.
    /// - Throws: ``CoreError`` with `permissionsTooOpen` or `storeFailed`.
    @discardableResult
    public func refresh() throws -> State {
        guard LocalPath.exists(directory) else { return source.current }
        let state = try read(try OutboxFolder(path: directory))
        source.update { $0 == state ? nil : state }
        return state
    }

    /// Reads everything: a file that is replaced meanwhile is read before or after that.
    func read(_ folder: borrowing OutboxFolder) throws -> State {
        var state = State()
        for name in try folder.names() {
            do throws(CoreError) {
                if let prompt = try folder.read(name) { state.prompts.append(prompt) }
            } catch {
                state.problems.append(Problem(error))
            }
        }
        state.prompts = Self.sorted(state.prompts, by: try folder.order())
        return state
    }

    /// Those that the user put into an order come in it, each later one behind them; one that is not changeable keeps
    /// the place that it had.
    static func sorted(_ prompts: [Prompt], by order: [RiffIdentifier]) -> [Prompt] {
        let places = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
        return prompts.sorted { one, other in
            (places[one.id] ?? .max, one.sequence) < (places[other.id] ?? .max, other.sequence)
        }
    }
}
