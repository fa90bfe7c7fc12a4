// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// A conversation over a gateway that survives the app's going to the background: what came of an answer is kept, and the
/// rest is asked for when the app is back.
///
/// ```swift
/// let chat = ChatConversation(gateway, session: GatewaySession(key: key), thread: kept)
/// for await thread in chat.updates() { show(thread.entries) }
/// await chat.ask("What changed today?")
/// await chat.suspend()     // to the background: `chat.thread.json` is what to keep
/// await chat.resume()      // and back
/// ```
public actor ChatConversation {
    /// What is asked beside the messages: the model, how warm, which tools.
    public nonisolated let template: ChatRequest
    private let gateway: ChatGateway
    private let session: GatewaySession
    private nonisolated let source: StateSource<ChatThread>
    private var task: Task<ChatOutcome, Never>?

    /// A conversation.
    ///
    /// - Parameters:
    ///   - gateway: The gateway.
    ///   - session: Which of its sessions this is; keep it with the conversation.
    ///   - template: What is asked beside the messages, and messages that come before all others; the gateway's model
    ///     unless said otherwise.
    ///   - thread: What was said before.
    public init(
        _ gateway: ChatGateway,
        session: GatewaySession = .random(),
        template: ChatRequest? = nil,
        thread: ChatThread = ChatThread()
    ) {
        (self.gateway, self.session) = (gateway, session)
        self.template = template ?? ChatRequest(model: gateway.configuration.model, messages: [])
        source = StateSource(thread)
    }

    /// The conversation as it is.
    public nonisolated var thread: ChatThread { source.current }

    /// The conversation as it is, then each change.
    public nonisolated func updates() -> AsyncStream<ChatThread> { source.updates() }

    /// Asks, and returns when the answer ended; one that is still growing is given up first.
    ///
    /// - Parameter text: What to ask.
    /// - Returns: How it ended. ``suspend()`` and cancelling the task cut the answer off; what came of it stays.
    @discardableResult
    public func ask(_ text: String) async -> ChatOutcome {
        await suspend()
        change { $0.ask(text) }
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

    /// Asks for the rest of an answer that was cut off, or once more for one that failed.
    ///
    /// - Returns: How it ended; `nil` where there was nothing to ask for.
    @discardableResult
    public func resume() async -> ChatOutcome? {
        await suspend()
        let text = thread.answer?.text ?? ""
        // Where nothing came there is nothing to continue.
        let isCut = thread.answer?.state == .cut && !text.isEmpty
        var thread = thread
        guard thread.resume() else { return nil }
        source.update(thread)
        return await exchange(isCut ? ChatContinuation(of: text) : nil)
    }

    private func change(_ body: (inout ChatThread) -> Void) {
        var thread = source.current
        body(&thread)
        source.update(thread)
    }

    private func exchange(_ continuation: ChatContinuation?) async -> ChatOutcome {
        var request = template
        request.messages += thread.messages
        request = continuation?.request(after: request) ?? request
        let task = Task { [gateway, session, request] in
            await self.run(gateway, session, request.limited(), continuation)
        }
        self.task = task
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func run(
        _ gateway: ChatGateway,
        _ session: GatewaySession,
        _ request: ChatRequest,
        _ continuation: ChatContinuation?
    ) async -> ChatOutcome {
        var continuation = continuation
        // The rest of an answer begins in its middle, where such words mean nothing.
        var sentinel = continuation == nil ? ReplySentinel() : nil
        let outcome = await gateway.reply(to: request, in: session) { delta in
            guard case .content(let text, choice: 0) = delta else { return }
            let shown = continuation?.append(text) ?? sentinel?.append(text) ?? text
            if !shown.isEmpty { change { $0.grow(shown) } }
        }
        let rest = continuation?.finish() ?? sentinel?.finish() ?? ""
        change { thread in
            if !rest.isEmpty { thread.grow(rest) }
            if case .complete = outcome, sentinel?.isSilent == true {
                thread.dropAnswer()
            } else {
                thread.end(Self.state(after: outcome, hasText: thread.answer?.text.isEmpty == false))
            }
        }
        task = nil
        return outcome
    }

    private static func state(after outcome: ChatOutcome, hasText: Bool) -> ChatThread.Entry.State {
        switch outcome {
        case .complete: .whole
        case .truncated: .cut
        // What was cut off before and could not be resumed now is still cut off.
        case .failed(_, let error): hasText ? .cut : .failed(reason: error.message)
        }
    }
}
