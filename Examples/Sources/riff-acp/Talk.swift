// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ExampleTerminal
import Foundation
import RiffACP
import RiffCore

/// What happens in a conversation, in one order: what the person types, what the agent does.
final class Talk: Sendable {
    let conversation: ACPConversation
    private let isFollowing: Bool
    private let showsThoughts: Bool

    private enum Event: Sendable {
        case line(String)
        case inputEnded
        case interrupted
        case changed(ChatNews)
        case turnEnded
        case agentGone(any Error)
    }

    init(following session: String? = nil, showsThoughts: Bool = false) {
        conversation = ACPConversation(following: session.map(ACP.SessionID.init(rawValue:)))
        isFollowing = session != nil
        self.showsThoughts = showsThoughts
    }

    /// Talks until the input ends.
    func run(on client: ACPClient, in directory: String) async throws {
        // A person types, and of the conversation's news one waits at most: what comes meanwhile comes as the next.
        let (events, feed) = AsyncStream.makeStream(of: Event.self)
        let input = InputLines { feed.yield($0.map(Event.line) ?? .inputEnded) }
        let signals = Interrupts { feed.yield(.interrupted) }
        defer {
            input.stop()
            signals.stop()
        }
        if isFollowing {
            try await conversation.follow(on: client)
        } else {
            try await conversation.start(on: client, in: directory)
        }
        let name = client.agent.agentInfo.map { "\($0.title ?? $0.name) \($0.version)" } ?? "the agent"
        let session = await conversation.session?.rawValue ?? ""
        let printer = ChatPrinter()
        show(["Connected to \(InertText.line(name)), session \(InertText.line(session)).\n"])
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (turns, turn) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            group.addTask { [conversation, showsThoughts] in
                var turns = turns.makeAsyncIterator()
                for await news in ChatNews.stream(of: conversation, showsThoughts: showsThoughts) {
                    feed.yield(.changed(news))
                    // Until that is shown.
                    guard await turns.next() != nil else { return }
                }
            }
            group.addTask { feed.yield(.agentGone(try await client.ended())) }
            try await handle(events, feed, &group, printer) { turn.yield() }
            group.cancelAll()
        }
    }

    private func handle(
        _ events: AsyncStream<Event>,
        _ feed: AsyncStream<Event>.Continuation,
        _ group: inout ThrowingTaskGroup<Void, any Error>,
        _ printer: ChatPrinter,
        _ shown: () -> Void
    ) async throws {
        var printer = printer
        var lines: [String] = []
        var question: ACPChat.Question?
        var isRunning = false
        // A turn of another client of a kept agent.
        var isBusy = await conversation.current.isRunning
        if isBusy { show(printer.busy()) }
        var hasEnded = false
        var hasFailed = false
        var latest: ChatNews?
        // How many entries there were when the turn ended: what is told of it has as many.
        var ending: Int?
        for await event in events {
            var turnEnds = false
            switch event {
            case .line(let line): lines.append(line)
            case .inputEnded:
                hasEnded = true
                // Nobody is there to answer; another client's question is that one's.
                if question != nil, !isBusy { await conversation.cancel() }
            case .interrupted:
                guard isRunning || isBusy else { return }
                show(["\n(cancelling)\n"])
                await conversation.cancel()
            case .changed(var news):
                show(printer.print(news))
                news.pieces = []
                latest = news
                shown()
                let next = news.question
                if let next, next.id != question?.id {
                    show(printer.print(next.permission))
                    if hasEnded, lines.isEmpty, !isBusy { await conversation.cancel() }
                }
                question = next
                if !isRunning, news.isRunning != isBusy {
                    isBusy = news.isRunning
                    turnEnds = !isBusy
                    show(isBusy ? printer.busy() : printer.end(news))
                }
            case .turnEnded: ending = await conversation.current.transcript.entries.count
            case .agentGone(let error): throw error
            }
            if let count = ending, let news = latest, !news.isRunning, news.count >= count {
                ending = nil
                isRunning = false
                turnEnds = true
                show(printer.end(news))
                if let problem = printer.problem(news) {
                    Printing.write(HarmlessText(problem), to: .errors)
                    hasFailed = hasFailed || news.hasFailed
                }
            }
            while let line = lines.first?.trimmingCharacters(in: .whitespaces) {
                if let asked = question, isBusy, line != "/quit" {
                    // What is no answer is a prompt that waits.
                    guard let index = lines.firstIndex(where: { asked.option($0) != nil }) else { break }
                    _ = await answer(asked, lines.remove(at: index))
                    question = nil
                    continue
                } else if let asked = question, !isBusy {
                    guard await answer(asked, line) else {
                        lines.removeFirst()
                        continue
                    }
                    question = nil
                } else if isRunning || (isBusy && line != "/quit") {
                    break
                } else if line == "/quit" {
                    if hasFailed { throw ExitCode.failure }
                    return
                } else if line.hasPrefix("/mode ") {
                    try await conversation.setMode(ACP.SessionModeID(rawValue: String(line.dropFirst(6))))
                } else if !line.isEmpty {
                    isRunning = true
                    group.addTask { [conversation] in
                        try await conversation.send(line)
                        feed.yield(.turnEnded)
                    }
                }
                lines.removeFirst()
            }
            // Another client's turn is not waited for.
            if hasEnded, lines.isEmpty, !isRunning {
                // A script sees by the status that an answer is missing.
                if hasFailed { throw ExitCode.failure }
                return
            }
            if !isRunning, question == nil, !turnEnds, case .changed = event { continue }
            if !isRunning, !isBusy { show(printer.prompt) }
        }
    }

    /// Answers a question with a number; whether the line was one.
    private func answer(_ question: ACPChat.Question, _ line: String) async -> Bool {
        guard let option = question.option(line) else {
            show(["Type a number from 1 to \(question.permission.options.count).\n"])
            return false
        }
        await conversation.answer(question, with: option)
        return true
    }

    private func show(_ pieces: [String]) {
        guard !pieces.isEmpty else { return }
        // No sequence of its own is among them.
        Printing.write(HarmlessText(pieces.joined()))
    }
}

extension ACPChat.Question {
    /// The option that a line chooses by its number.
    fileprivate func option(_ line: String) -> ACPPermissionQuestion.Option? {
        guard let number = Int(line.trimmingCharacters(in: .whitespaces)), number > 0,
            permission.options.indices.contains(number - 1)
        else { return nil }
        return permission.options[number - 1]
    }
}
