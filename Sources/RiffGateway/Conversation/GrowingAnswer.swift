// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The part of a reply that becomes the answer of a conversation.
struct GrowingAnswer: Sendable {
    private let source: ChatThreadSource
    private let isResumed: Bool
    private var continuation: ChatContinuation?
    /// The rest of an answer begins in its middle, where such words mean nothing.
    private var sentinel: ReplySentinel?

    /// The answer that a conversation waits for; with a continuation, the rest of one.
    init(_ continuation: ChatContinuation?, in source: ChatThreadSource) {
        (self.continuation, self.source) = (continuation, source)
        isResumed = continuation != nil
        sentinel = isResumed ? nil : ReplySentinel()
    }

    mutating func append(_ delta: ChatDelta) {
        switch delta {
        case .content(let text, choice: 0):
            let shown = continuation?.append(text) ?? sentinel?.append(text) ?? text
            if !shown.isEmpty { source.change { $0.grow(shown) } }
        case .refusal(let text, choice: 0): source.change { $0.refuse(text) }
        default: break
        }
    }

    mutating func end(_ outcome: ChatOutcome) {
        // Of an answer without an end, what may yet become such a word is not shown: all of it is asked for again.
        var rest = continuation?.finish() ?? ""
        if case .complete = outcome { rest += sentinel?.finish() ?? "" }
        let state = state(after: outcome)
        let doubt = continuation?.doubt
        source.change { thread in
            thread.grow(rest)
            if let state {
                thread.end(state, calling: outcome.reply.toolCalls, doubt: doubt)
            } else {
                thread.dropAnswer()
            }
        }
    }

    /// Returns the state of the answer after an outcome; `nil` if the model says that there is nothing to say.
    private func state(after outcome: ChatOutcome) -> ChatThread.Entry.State? {
        switch outcome {
        case .complete(let reply):
            guard sentinel?.isSilent == true, reply.refusal.isEmpty, reply.toolCalls.isEmpty else { return .whole }
            return sentinel?.isMatched == true ? nil : Self.state(afterNothing: reply)
        case .truncated: return sentinel?.isMatched == true ? nil : .cut
        case .failed(_, let error):
            // Who was stopped, or did not get through to ask for the rest, knows no more than before.
            let isOnTheWay = [.unreachable, .timedOut, .connectionLost].contains(error.code)
            let isOpen = error.cause is CancellationError || isResumed && isOnTheWay
            return isOpen ? .cut : .failed(reason: error.message)
        }
    }

    /// An empty answer is one that says nothing, unless the model thought first, or something stopped it.
    private static func state(afterNothing reply: ChatReply) -> ChatThread.Entry.State? {
        let reason = reply.finishReason ?? .stop
        if reply.reasoning.isEmpty, reason == .stop { return nil }
        let word = reason == .stop ? "" : " (\(InertText.line(reason.rawValue)))"
        return .failed(reason: "The model ended without an answer\(word); ask again.")
    }
}
