// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Puts a reply together from its chunks.
struct ChatAccumulator: Sendable {
    private struct Choice {
        let index: Int
        var content = JoinedText()
        /// Parts thoughts from the content, where that is wanted, with the halves of characters that come to it.
        var splitter: ThinkingSplitter?
        var unsplit = JoinedText()
        var reasoning = JoinedText()
        var refusal = JoinedText()
        var toolCalls = ChatToolCallAccumulator()
        /// Whether calls came in the form that there is since there are tools.
        var callsTools = false
        var finishReason: ChatReply.FinishReason?

        var isEmpty: Bool { content.isEmpty && reasoning.isEmpty && refusal.isEmpty && toolCalls.count == 0 }
    }

    private let separatesThinking: Bool

    /// At the beginning of a reply.
    init(separatesThinking: Bool = false) { self.separatesThinking = separatesThinking }

    /// The number of bytes that a choice or a call costs beside its texts: so that a million empty ones are not free.
    private static let overhead = 128

    private var choices: [Choice] = []
    private var places: [Int: Int] = [:]
    private var id: String?
    private var model: String?
    private var usage: ChatReply.Usage?
    private var lastEvent: String?
    /// Whether any chunk came.
    private(set) var hasBegun = false
    /// About how many bytes are kept.
    private(set) var byteCount = 0

    /// Whether all choices that began have ended.
    var isFinished: Bool { !choices.isEmpty && choices.allSatisfy { $0.finishReason != nil } }

    /// Adds a chunk.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - source: How it came.
    ///   - deltas: What is new is added here.
    mutating func append(_ chunk: ChatChunk, source: String, into deltas: inout [ChatDelta]) {
        if chunk.isReply {
            hasBegun = true
            lastEvent = source
        }
        if id == nil { id = chunk.id }
        if model == nil { model = chunk.model }
        for piece in chunk.choices { append(piece, into: &deltas) }
        if let usage = chunk.usage {
            self.usage = usage
            deltas.append(.usage(usage))
        }
    }

    private mutating func append(_ piece: ChatChoicePiece, into deltas: inout [ChatDelta]) {
        let place = place(of: piece.index)
        let count = deltas.count
        let calls = choices[place].toolCalls.count
        // A message repeats what deltas said before.
        if let words = piece.piece, !piece.isMessage || choices[place].isEmpty {
            Self.append(words, to: &choices[place], into: &deltas)
        }
        for delta in deltas[count...] { byteCount += Self.size(of: delta) }
        byteCount += (choices[place].toolCalls.count - calls) * Self.overhead
        if let reason = piece.finishReason, choices[place].finishReason != reason {
            choices[place].finishReason = reason
            deltas.append(.finish(reason, choice: piece.index))
        }
    }

    private static func append(_ piece: ChatPiece, to choice: inout Choice, into deltas: inout [ChatDelta]) {
        for (kind, text) in piece.texts {
            switch kind {
            case .content: append(text, to: &choice, into: &deltas)
            case .refusal:
                let added = choice.refusal.append(text)
                if !added.isEmpty { deltas.append(.refusal(added, choice: choice.index)) }
            case .reasoningContent, .reasoning, .reasoningDetail:
                let added = choice.reasoning.append(text)
                if !added.isEmpty { deltas.append(.reasoning(added, choice: choice.index)) }
            }
        }
        choice.toolCalls.beginList()
        for call in piece.toolCalls {
            // Some say the same in both forms.
            if call.isFunctionCall, choice.callsTools { continue }
            if !call.isFunctionCall { choice.callsTools = true }
            if let delta = choice.toolCalls.append(call) { deltas.append(.toolCall(delta, choice: choice.index)) }
        }
    }

    private static func append(_ text: JSONText, to choice: inout Choice, into deltas: inout [ChatDelta]) {
        guard choice.splitter != nil else {
            let added = choice.content.append(text)
            if !added.isEmpty { deltas.append(.content(added, choice: choice.index)) }
            return
        }
        let parts = choice.splitter?.append(choice.unsplit.join(text)) ?? []
        keep(parts, in: &choice, into: &deltas)
    }

    private static func keep(_ parts: [ThinkingSplitter.Part], in choice: inout Choice, into deltas: inout [ChatDelta])
    {
        for part in parts {
            if part.isThought {
                let added = choice.reasoning.append(JSONText(part.text))
                deltas.append(.reasoning(added, choice: choice.index))
            } else {
                let added = choice.content.append(JSONText(part.text))
                deltas.append(.content(added, choice: choice.index))
            }
        }
    }

    /// Says that nothing more comes that could end a mark of thoughts: what may be the beginning of one is none.
    ///
    /// - Parameter deltas: What is new is added here.
    mutating func endThinking(into deltas: inout [ChatDelta]) {
        for place in choices.indices {
            let parts = choices[place].splitter?.finish() ?? []
            Self.keep(parts, in: &choices[place], into: &deltas)
        }
    }

    /// Whether the reply's name and model are known.
    var isNamed: Bool { id != nil && model != nil }

    /// The reply as far as it came.
    var partial: ChatReply {
        var reply = ChatReply(
            choices: choices.sorted { $0.index < $1.index }.map { choice in
                var whole = ChatReply.Choice(index: choice.index, content: choice.content.text)
                whole.reasoning = choice.reasoning.text
                whole.refusal = choice.refusal.text
                whole.toolCalls = choice.toolCalls.partial
                whole.finishReason = choice.finishReason
                return whole
            }
        )
        reply.id = id
        reply.model = model
        reply.usage = usage
        reply.lastEvent = lastEvent
        return reply
    }

    /// Ends a reply that is known to be whole: calls that can be read may be run, and a half of a character whose other
    /// one never came is U+FFFD.
    ///
    /// - Parameter deltas: What is new is added here.
    /// - Returns: The reply.
    mutating func finish(into deltas: inout [ChatDelta]) -> ChatReply {
        for place in choices.indices {
            let index = choices[place].index
            // A half of a character that is missing its other one: behind the thoughts or the answer, wherever it is.
            Self.append(JSONText(choices[place].unsplit.finish()), to: &choices[place], into: &deltas)
            Self.keep(choices[place].splitter?.finish() ?? [], in: &choices[place], into: &deltas)
            let texts = [
                ChatDelta.reasoning(choices[place].reasoning.finish(), choice: index),
                .content(choices[place].content.finish(), choice: index),
                .refusal(choices[place].refusal.finish(), choice: index),
            ]
            deltas += texts.filter { Self.size(of: $0) > 0 }
            deltas += choices[place].toolCalls.finish().map { .toolCall($0, choice: index) }
        }
        var reply = partial
        for choice in reply.choices.indices {
            for call in reply.choices[choice].toolCalls.indices {
                let found = reply.choices[choice].toolCalls[call]
                reply.choices[choice].toolCalls[call].isComplete = !found.name.isEmpty && found.object != nil
            }
        }
        return reply
    }

    /// The place of a choice, which begins with its first piece.
    private mutating func place(of index: Int) -> Int {
        if choices.first?.index == index { return 0 }
        if let place = places[index] { return place }
        places[index] = choices.count
        choices.append(Choice(index: index))
        if separatesThinking { choices[choices.count - 1].splitter = ThinkingSplitter() }
        byteCount += Self.overhead
        return choices.count - 1
    }

    private static func size(of delta: ChatDelta) -> Int {
        switch delta {
        case .content(let text, _), .reasoning(let text, _), .refusal(let text, _): text.utf8.count
        case .toolCall(let call, _):
            (call.id ?? "").utf8.count + call.name.utf8.count + call.arguments.utf8.count
        case .finish, .usage: 0
        }
    }
}
