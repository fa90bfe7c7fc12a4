// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import RiffCore
public import RiffVoice
internal import Synchronization

// sample: ledger: DeviceLedger, speech: AudioClip, take: @escaping @Sendable (String) async throws -> Void
/// What was said on both sides, for devices that ask: the newest messages, in memory. All paired devices share it.
///
/// ```swift
/// let conversation = SvenConversation()
/// let server = SvenServer(devices: ledger, conversation: conversation) { prompt in
///     try await take(prompt.text)
/// }
/// let id = try conversation.reply("Nothing today.")    // when the agent has answered
/// try conversation.attach(speech, to: id)              // when it was spoken
/// ```
public final class SvenConversation: Sendable {
    private struct State {
        var messages: [SvenMessage] = []
        var clips: [SvenMessage.ID: AudioClip] = [:]
        var clipBytes = 0
        var last = SvenTime(secondsSince1970: 0)

        mutating func remove(at place: Int) {
            if let clip = clips.removeValue(forKey: messages.remove(at: place).id) { clipBytes -= clip.bytes.count }
        }
    }

    private let limit: Int
    private let clipLimitBytes: Int
    private let wallClock: @Sendable () -> Double
    private let state = Mutex(State())

    /// An empty conversation.
    ///
    /// - Parameters:
    ///   - limit: How many messages are kept; the oldest goes first.
    ///   - clipLimitBytes: How many bytes of speech are kept; the oldest clip goes first, its message stays.
    ///   - wallClock: The time in seconds since 1970; the system's clock unless said otherwise.
    public init(
        limit: Int = 200,
        clipLimitBytes: Int = 32 << 20,
        wallClock: (@Sendable () -> Double)? = nil
    ) {
        self.limit = max(1, limit)
        self.clipLimitBytes = clipLimitBytes
        self.wallClock = wallClock ?? WallClock.now
    }

    /// Adds what the agent said.
    ///
    /// - Parameters:
    ///   - text: What it said.
    ///   - clip: The same as speech, where it is there already.
    /// - Returns: The message's id.
    /// - Throws: `CoreError` for samples of a format that WAV has not.
    @discardableResult
    public func reply(_ text: String, clip: AudioClip? = nil) throws -> SvenMessage.ID {
        let file = try clip?.asFile()
        let id = Self.makeID()
        add(id, .assistant, text)
        if let file { keep(file, for: id) }
        return id
    }

    /// Adds the speech of a message, in place of one that may be there. One whose message is gone is dropped, and so is
    /// one that is larger than everything that may be kept.
    ///
    /// - Throws: `CoreError` for samples of a format that WAV has not.
    public func attach(_ clip: AudioClip, to id: SvenMessage.ID) throws { keep(try clip.asFile(), for: id) }

    /// Forgets everything.
    public func clear() {
        state.withLock { state in
            // The time goes on, so that a device which asks from the last message on does not miss the next.
            (state.messages, state.clips, state.clipBytes) = ([], [:], 0)
        }
    }

    /// The messages later than a time, compared as text, the oldest first; all of them without one.
    public func messages(since time: String? = nil) -> [SvenMessage] {
        let messages = state.withLock { $0.messages }
        guard let time else { return messages }
        return messages.filter { time.utf8.lexicographicallyPrecedes($0.createdAt.utf8) }
    }

    /// The speech of a message, where there is any.
    public func clip(of id: SvenMessage.ID) -> AudioClip? { state.withLock { $0.clips[id] } }

    static func makeID() -> SvenMessage.ID { UUID().uuidString.lowercased() }

    /// Adds what a person said; before it is handed on, so that an answer which comes at once stands behind it.
    func add(_ id: SvenMessage.ID, _ role: SvenMessage.Role, _ text: String) {
        let now = SvenTime(secondsSince1970: wallClock())
        state.withLock { state in
            // A clock that is set back must not hide messages from those who ask from the last one on.
            if now.seconds > state.last.seconds { state.last = now }
            let message = SvenMessage(id: id, role: role, content: text, createdAt: state.last.text)
            state.messages.append(message)
            if state.messages.count > limit { state.remove(at: 0) }
        }
    }

    /// Takes back what was not handed on.
    func withdraw(_ id: SvenMessage.ID) {
        state.withLock { state in
            if let place = state.messages.lastIndex(where: { $0.id == id }) { state.remove(at: place) }
        }
    }

    private func keep(_ file: AudioClip, for id: SvenMessage.ID) {
        state.withLock { state in
            guard file.bytes.count <= clipLimitBytes,
                let place = state.messages.lastIndex(where: { $0.id == id })
            else { return }
            state.clipBytes += file.bytes.count - (state.clips[id]?.bytes.count ?? 0)
            state.clips[id] = file
            state.messages[place] = state.messages[place].spoken(at: "\(SvenContract.audioPath)/\(id)")
            for other in state.messages.indices where state.clipBytes > clipLimitBytes && other != place {
                guard let clip = state.clips.removeValue(forKey: state.messages[other].id) else { continue }
                state.clipBytes -= clip.bytes.count
                state.messages[other] = state.messages[other].spoken(at: nil)
            }
        }
    }
}

extension SvenMessage {
    fileprivate func spoken(at path: String?) -> SvenMessage {
        SvenMessage(id: id, role: role, content: content, audioPath: path, createdAt: createdAt)
    }
}
