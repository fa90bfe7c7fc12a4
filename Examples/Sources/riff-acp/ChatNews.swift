// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffACP
import RiffCore
import Synchronization

/// The part of a conversation that a terminal has not shown yet, without the conversation: who keeps that makes each
/// further piece of it a copy.
package struct ChatNews: Sendable {
    /// Something to print.
    package enum Piece: Sendable, Equatable {
        /// The text that a message gained.
        case text(id: Int, String)
        /// Something in a line of its own, and lines beneath it.
        case line(id: Int?, String, [String])
    }

    package var pieces: [Piece] = []
    package let question: ACPChat.Question?
    package let isRunning: Bool
    package let wasCancelled: Bool
    package let problem: String?
    /// Whether the turn ended with an error, and not with an answer that is only cut short.
    package let hasFailed: Bool
    /// The number of entries of the conversation.
    package let count: Int

    fileprivate init(_ chat: ACPChat) {
        question = chat.questions.first
        isRunning = chat.isRunning
        wasCancelled = chat.transcript.turn == .idle(.cancelled)
        problem = chat.problem?.message
        if case .failed = chat.transcript.turn { hasFailed = true } else { hasFailed = false }
        count = chat.transcript.entries.count
    }

    /// The news of a conversation, each made when it is asked for: what comes while a reader is busy comes as one.
    package static func stream(of conversation: ACPConversation, showsThoughts: Bool = false) -> AsyncStream<ChatNews> {
        let changes = conversation.changes()
        let reader = Mutex(Reader(showsThoughts: showsThoughts))
        return AsyncStream<ChatNews> {
            for await update in changes { return reader.withLock { $0.read(update) } }
            return nil
        }
    }

    /// The news of each update.
    private struct Reader: Sendable {
        private let showsThoughts: Bool
        private var shown: [Int: String] = [:]
        private var plan: [String] = []
        private var mode: String?

        init(showsThoughts: Bool) { self.showsThoughts = showsThoughts }

        /// The news since the update before.
        mutating func read(_ update: ACPChat.Update) -> ChatNews {
            var news = ChatNews(update.chat)
            let transcript = update.chat.transcript
            let texts = Dictionary(uniqueKeysWithValues: update.texts.map { ($0.id, $0.text) })
            for entry in transcript.entries {
                switch entry.kind {
                // The person typed it.
                case .user: continue
                case .thought where !showsThoughts:
                    if shown.updateValue("", forKey: entry.id) == nil {
                        news.pieces.append(.line(id: entry.id, "(thinking)", []))
                    }
                case .agent, .thought:
                    if let text = texts[entry.id], !text.isEmpty { news.pieces.append(.text(id: entry.id, text)) }
                case .toolCall(let call):
                    let state = "\(call.status.rawValue) \(call.diffs.count) \(call.title)"
                    guard shown.updateValue(state, forKey: entry.id) != state else { continue }
                    let name = call.wasCancelled ? "cancelled" : InertText.line(call.status.rawValue)
                    let lines = call.diffs.flatMap { ChatPrinter.lines(of: $0) }.map { "    \($0)" }
                    news.pieces.append(.line(id: entry.id, "[\(name)] \(call.title)", lines))
                }
            }
            readPlan(transcript.plan, &news)
            if let modes = transcript.modes, InertText.line(modes.currentModeID.rawValue) != mode {
                mode = InertText.line(modes.currentModeID.rawValue)
                let names = modes.availableModes.map { InertText.line($0.id.rawValue) }.joined(separator: ", ")
                news.pieces.append(.line(id: nil, "Mode \(mode ?? "") of \(names)", []))
            }
            return news
        }

        private mutating func readPlan(_ entries: [ACP.PlanEntry], _ news: inout ChatNews) {
            let marks: [ACP.PlanEntryStatus: String] = [.completed: "x", .inProgress: "-"]
            let lines = entries.map { "  [\(marks[$0.status] ?? " ")] \(InertText.line($0.content))" }
            guard lines != plan else { return }
            plan = lines
            news.pieces.append(.line(id: nil, "Plan", lines))
        }
    }
}
