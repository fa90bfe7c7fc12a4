// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample: client: RiffClient, folder: String
/// A conversation on a Riff server as a front end shows it: what is said is shown at once and kept on the device,
/// becomes sent or failed, and is said once however often it is tried.
///
/// ```swift
/// let chat = RiffConversation(client, store: MessageStore(directory: folder))
/// for await thread in try await chat.updates() { show(thread.entries) }
/// try await chat.send("Is the build green?")
/// ```
public struct RiffConversation: Sendable {
    private let client: RiffClient
    private let store: MessageStore
    private let name: RiffIdentifier
    private let wallClock: @Sendable () -> Double

    /// A conversation; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - client: The server.
    ///   - store: Where it is kept on this device.
    ///   - name: Which conversation.
    ///   - wallClock: The time in seconds since 1970; the system's clock unless said otherwise.
    public init(
        _ client: RiffClient,
        store: MessageStore,
        name: RiffIdentifier = .default,
        wallClock: (@Sendable () -> Double)? = nil
    ) {
        (self.client, self.store, self.name) = (client, store, name)
        self.wallClock = wallClock ?? WallClock.now
    }

    /// Returns the conversation as it is to be shown, then each change.
    ///
    /// - Throws: `CoreError`, as `MessageStore.updates(of:)` does.
    public func updates() async throws -> AsyncStream<MessageThread> { try await store.updates(of: name) }

    /// Says something; it is shown before it is sent.
    ///
    /// - Parameter text: As for ``RiffClient/send(_:in:)``.
    /// - Returns: The answer, which is shown too.
    /// - Throws: As ``RiffClient/send(_:in:)`` does; the bubble has failed then, unless the server turns out to have
    ///   it. `CoreError` where nothing can be kept on this device; nothing was sent then.
    @discardableResult
    public func send(_ text: String) async throws -> RiffClient.Reply {
        let id = RiffIdentifier.random()
        try await store.handle(.sending(text, id: id, time: wallClock()), in: name)
        return try await deliver(text, id)
    }

    /// Tries a bubble that failed once more, unless the server has it: that is asked first where it may be.
    ///
    /// - Parameter id: The bubble's own name, ``MessageThread/Entry/ID/local(_:)``.
    /// - Returns: The answer; `nil` where there was nothing to send.
    /// - Throws: As ``send(_:)`` does.
    @discardableResult
    public func retry(_ id: RiffIdentifier) async throws -> RiffClient.Reply? {
        if try await store.thread(of: name).needsResync { try await resync() }
        let thread = try await store.thread(of: name)
        guard let entry = thread.entries.first(where: { $0.id == .local(id) }), case .failed = entry.state else {
            return nil
        }
        try await store.handle(.retry(id, time: wallClock()), in: name)
        return try await deliver(entry.text, id)
    }

    /// Takes over what the server has: at the start, in the foreground, after a failure.
    ///
    /// - Throws: As ``RiffClient/messages(of:limit:)`` does; `CoreError` where it cannot be kept.
    public func resync() async throws {
        let messages = try await client.messages(of: name)
        try await store.handle(.resync(messages), in: name)
    }

    private func deliver(_ text: String, _ id: RiffIdentifier) async throws -> RiffClient.Reply {
        let reply: RiffClient.Reply
        do {
            reply = try await client.send(text, in: name)
        } catch {
            let failure = error as? VoiceError
            let mayHaveArrived = failure?.mayHaveReachedServer ?? true
            let reason = failure?.message ?? "It was given up before an answer came."
            try await store.handle(.failed(id, reason: reason, mayHaveArrived: mayHaveArrived), in: name)
            // Where the server cannot be asked now, `retry(_:)` does it.
            if mayHaveArrived, !Task.isCancelled { try? await resync() }
            throw error
        }
        let message = ConversationMessage(id: reply.messageID, role: .assistant, text: reply.text, time: reply.time)
        try await store.handle(.sent(id, reply: message), in: name)
        return reply
    }
}

extension VoiceError {
    /// Whether the server may have taken a message although this says that it failed: its conversation should be looked
    /// at before the message is sent again.
    package var mayHaveReachedServer: Bool {
        switch code {
        case .serverUnreachable, .wrongSecret, .clocksDiffer, .signatureVersion, .requestRefused, .serverBusy,
            .replyUnavailable, .recognitionUnavailable, .messageTooLarge, .audioTooLarge, .emptyAudio,
            .unsupportedAudio:
            false
        default: true
        }
    }
}
