// Riff
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import ExampleTerminal
import Foundation
import RiffCore

/// A conversation in a terminal: what is said scrolls up, and at the end stand what is still growing, the model with
/// its costs and limits, and the line that is typed.
@MainActor
final class ChatRoom {
    private let partner: any ChatPartner
    private let ears: Ears
    private let terminal: PersonsTerminal

    private var picture = ChatPicture()
    private var view = ChatView()
    private var area = LiveArea()
    private var editor = LineEditor()
    private var facts: [String] = []
    private var models: [String] = []
    private var notice: String?
    /// What has become complete since the last frame.
    private var above: HarmlessText = ""
    /// What takes its time; one after another.
    private var errand: Task<Void, Never>?
    private var factsTask: Task<Void, Never>?

    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let ends: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation

    init(_ partner: any ChatPartner, ears: Ears, on terminal: PersonsTerminal) {
        (self.partner, self.ears, self.terminal) = (partner, ears, terminal)
        // Of many changes the newest is drawn.
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (ends, end) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Talks until the person leaves.
    func run() async {
        let tasks = [
            Task {
                for await picture in partner.pictures() {
                    self.picture = picture
                    above += view.take(picture)
                    wake.yield()
                }
            },
            Task {
                for await bytes in terminal.typed() { for event in editor.type(bytes) { perform(event) }; wake.yield() }
                end.yield()
            },
            Task {
                for await signal in Signals.stream([SIGWINCH, SIGTERM, SIGHUP]) {
                    if signal == SIGWINCH { wake.yield() } else { end.yield() }
                }
            },
            Task { await draw() },
        ]
        askForFacts()
        for await _ in ends { break }
        await partner.cut()
        for task in tasks + [errand, factsTask].compactMap(\.self) { task.cancel() }
        for task in tasks { await task.value }
        await errand?.value
        // What was cut off stands there in full, and nothing beneath it.
        await terminal.write(area.draw(above: above + view.live, live: "", size: terminal.size))
    }

    private func draw() async {
        for await _ in wakes {
            let above = above
            self.above = ""
            await terminal.write(area.draw(above: above, live: view.live + status, size: terminal.size))
            // As often as a screen shows it.
            try? await ContinuousClock().sleep(for: .milliseconds(16))
        }
    }

    private var status: HarmlessText {
        var lines = picture.choices.enumerated().map { "  \($0 + 1)  \($1)" as HarmlessText }
        if let notice = notice ?? picture.notice { lines.insert("! \(lines: notice)", at: 0) }
        let state = picture.isAnswering ? ["answering, Ctrl-C cuts it off"] : []
        lines.append("\u{1B}[7m \((facts + state).joined(separator: " · ")) \u{1B}[0m")
        return lines.joined(separator: "\n") + "\n> \(lines: editor.text.replacing("\n", with: "⏎"))"
    }

    // MARK: What the person does

    private func perform(_ event: LineEditor.Event) {
        notice = nil
        switch event {
        case .up, .down: break
        case .end: end.yield()
        case .interrupt where picture.isAnswering: Task { await partner.cut() }
        case .interrupt: end.yield()
        case .line(let line):
            guard let command = ChatCommand(line, choices: picture.choices.count) else { return }
            perform(command)
        }
    }

    private func perform(_ command: ChatCommand) {
        switch command {
        case .leave: end.yield()
        case .help: notice = ChatCommand.usage
        case .choose(let place): start { [partner] in try await partner.choose(place) }
        case _ where picture.isAnswering: notice = "Wait for the answer's end, or cut it off with Ctrl-C."
        case .say(let text): start { [partner] in try await partner.ask(text) }
        case .resume: start { [partner] in try await partner.resume() }
        case .listen(let path):
            start { [partner, ears] in try await partner.ask(try await ears.hear(path)) }
        case .listModels:
            start { [self] in
                models = try await partner.models()
                let names = models.enumerated().map { "\($0 + 1) \($1)" }.joined(separator: ", ")
                notice = models.isEmpty ? "No other model is offered." : "/model and a number: \(names)"
            }
        case .use(let name):
            // By its number in the list, or by its name.
            let place = Int(name).map { $0 - 1 }
            let model = place.flatMap { models.indices.contains($0) ? models[$0] : nil } ?? name
            start { [self] in
                try await partner.use(model: model)
                notice = "From now on \(model) answers."
            }
        }
    }

    /// Does something that takes its time, after what was asked for before.
    private func start(_ body: @escaping @MainActor () async throws -> Void) {
        let before = errand
        errand = Task {
            await before?.value
            guard !Task.isCancelled else { return }
            do {
                try await body()
            } catch is CancellationError {
                // The picture says that it was cut off.
            } catch {
                notice = (error as? any RiffError)?.message ?? "\(error)"
            }
            askForFacts()
            wake.yield()
        }
    }

    private func askForFacts() {
        factsTask?.cancel()
        factsTask = Task {
            let facts = await partner.facts()
            guard !Task.isCancelled else { return }
            self.facts = facts
            wake.yield()
        }
    }
}
