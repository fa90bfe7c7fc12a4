// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

// sample: gateway: ChatGateway, key: RiffIdentifier, kept: ChatThread
/// A conversation over a gateway that survives the app's going to the background: what came of an answer is kept, and
/// the rest is asked for when the app is back.
///
/// ```swift
/// let chat = ChatConversation(gateway, session: GatewaySession(key: key), thread: kept)
/// for await update in chat.changes() { for text in update.texts { show(text) } }
/// await chat.ask("What changed today?")
/// await chat.suspend()     // to the background: `chat.thread.json` is what to keep
/// await chat.resume()      // and back
/// ```
public actor ChatConversation {
    /// What is asked beside the messages: the model, how warm, which tools. Calls of tools are told
    /// (``ChatThread/Entry/toolCalls``), but nobody makes them here, and they are not sent again: who gives the model
    /// tools talks to ``ChatGateway/reply(to:in:streaming:_:)`` itself.
    package nonisolated let template: ChatRequest
    private let gateway: ChatGateway
    private let session: GatewaySession
    private let history: Int
    private let limitBytes: Int
    private nonisolated let source: ChatThreadSource
    private var task: Task<ChatOutcome, Never>?

    /// Creates a conversation.
    ///
    /// - Parameters:
    ///   - gateway: The gateway.
    ///   - session: Which of its sessions this is; keep it with the conversation.
    ///   - template: What is asked beside the messages, and messages that come before all others; the gateway's model
    ///     unless said otherwise.
    ///   - thread: What was said before.
    ///   - history: How many messages are sent at most, beside those that say how to answer.
    ///   - limitBytes: How large a request may be, in bytes.
    public init(
        _ gateway: ChatGateway,
        session: GatewaySession = .random(),
        template: ChatRequest? = nil,
        thread: ChatThread = ChatThread(),
        history: Int = 50,
        limitBytes: Int = 1 << 20
    ) {
        (self.gateway, self.session) = (gateway, session)
        (self.history, self.limitBytes) = (history, limitBytes)
        self.template = template ?? ChatRequest(model: gateway.configuration.model, messages: [])
        source = ChatThreadSource(thread)
    }

    /// The conversation as it is.
    public nonisolated var current: ChatThread { source.current }

    /// The conversation as it is, then as it is whenever it has changed. What changes while a reader is busy comes as
    /// one, and the newest state always comes.
    public nonisolated func updates() -> AsyncStream<ChatThread> { source.updates() }

    /// The conversation as ``updates()`` tells it, with what of it is new to this reader: first all of it, then each
    /// piece exactly once and in order. Pieces that come while a reader is busy come as one.
    public nonisolated func changes() -> AsyncStream<ChatThread.Update> { source.changes() }

    /// Asks, and returns when the answer ended; one that is still growing is given up first.
    ///
    /// - Parameter text: What to ask.
    /// - Returns: How it ended. ``suspend()`` and cancelling the task cut the answer off; what came of it stays.
    @discardableResult
    public func ask(_ text: String) async -> ChatOutcome {
        await suspend()
        source.change { $0.ask(text) }
        return await exchange(nil)
    }

    /// Closes the connection; the answer that is growing is cut off there, and can be resumed. Returns when it is.
    public func suspend() async {
        // Somebody else who waited here may have asked meanwhile: there is one answer at a time.
        while let task {
            task.cancel()
            _ = await task.value
        }
    }

    /// Asks for the rest of an answer that was cut off or failed, or for all of it where too little had come.
    ///
    /// - Returns: How it ended; `nil` where there was nothing to ask for.
    @discardableResult
    public func resume() async -> ChatOutcome? {
        await suspend()
        guard source.read(\.isResumable) else { return nil }
        let answer = current.answer
        // What reads like an error is no beginning of an answer.
        let continuation = ChatContinuation(of: answer?.isSuspectedError == true ? "" : answer?.text ?? "")
        let isReplaced = answer?.text != continuation.text || answer?.refusal.isEmpty == false
        source.change(replacingAnswer: isReplaced) { $0.resume(from: continuation.text) }
        return await exchange(continuation.text.isEmpty ? nil : continuation)
    }

    private func exchange(_ continuation: ChatContinuation?) async -> ChatOutcome {
        var request = template
        request.messages += current.messages
        request = continuation?.request(after: request) ?? request
        request = request.limited(toHistory: history, bytes: limitBytes)
        let task = Task { [gateway, session, source, request] in
            var answer = GrowingAnswer(continuation, in: source)
            let outcome = await gateway.reply(to: request, in: session) { delta in answer.append(delta) }
            answer.end(outcome)
            self.task = nil
            return outcome
        }
        self.task = task
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
