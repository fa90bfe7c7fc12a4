// Riff
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import ExampleTerminal
import Foundation
import RiffCore
import RiffHub
import RiffVoice

/// A hub in a terminal: the grid, the voice that is open, and the line that is typed.
@MainActor
final class GridRoom {
    private let voices: VoiceDesk
    private let files: SpokenFiles?
    private let terminal: PersonsTerminal

    private var snapshot: HubSnapshot
    private var desk = GridView.Desk()
    private var view = GridView()
    private var painter = GridPainter()
    private var editor = LineEditor()
    /// What takes its time; one after another.
    private var errand: Task<Void, Never>?

    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let ends: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation

    init(_ voices: VoiceDesk, _ files: SpokenFiles?, address: String, on terminal: PersonsTerminal) {
        (self.voices, self.files, self.terminal) = (voices, files, terminal)
        snapshot = voices.hub.current
        desk.address = address
        // Of many changes the newest is drawn.
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (ends, end) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Shows the hub until the person leaves.
    func run() async {
        let tasks = [
            Task {
                for await snapshot in voices.hub.updates() {
                    if snapshot.open?.id != self.snapshot.open?.id { desk.scrolled = 0 }
                    self.snapshot = snapshot
                    wake.yield()
                }
            },
            Task {
                for await level in voices.hub.levels {
                    desk.level = max(0, (level.rms + 60) / 60)
                    wake.yield()
                }
            },
            Task {
                guard let files else { return }
                for await (_, path) in files.written {
                    desk.notice = "Written: \(path)"
                    wake.yield()
                }
            },
            Task {
                for await bytes in terminal.typed() { for event in editor.type(bytes) { perform(event) }; wake.yield() }
                end.yield()
            },
            Task {
                for await signal in Signals.stream([SIGWINCH, SIGTERM, SIGHUP]) {
                    guard signal == SIGWINCH else { end.yield(); continue }
                    painter.reset()
                    wake.yield()
                }
            },
            Task { await draw() },
        ]
        wake.yield()
        for await _ in ends { break }
        for task in tasks + [errand].compactMap(\.self) { task.cancel() }
        for task in tasks { await task.value }
        await errand?.value
    }

    private func draw() async {
        for await _ in wakes {
            desk.typed = editor.text
            let frame = view.draw(snapshot, &desk, size: terminal.size)
            await terminal.write(HarmlessText(drawn: painter.paint(frame)))
            // As often as a screen shows it. Its end ends the loop as well.
            try? await ContinuousClock().sleep(for: .milliseconds(16))
        }
    }

    // MARK: What the person does

    private func perform(_ event: LineEditor.Event) {
        switch event {
        case .up: desk.scrolled += 1
        case .down: desk.scrolled -= 1
        case .end: end.yield()
        case .interrupt where snapshot.microphone == .recording: start(.discard)
        case .interrupt: end.yield()
        case .line(let line):
            desk.notice = nil
            if let command = GridCommand(line, isOpen: snapshot.open != nil) {
                perform(command)
            } else if snapshot.open != nil {
                // Return alone is the button of push to talk.
                start(snapshot.microphone == .recording ? .finish : .record)
            }
        }
    }

    private func perform(_ command: GridCommand) {
        switch command {
        case .leave: end.yield()
        case .wait: desk.notice = "Only a script waits."
        case .history: desk.scrolled += max(1, terminal.size.rows / 2)
        default: start(command)
        }
    }

    /// Does something that may take its time, after what was asked for before.
    private func start(_ command: GridCommand) {
        let before = errand
        errand = Task {
            await before?.value
            guard !Task.isCancelled else { return }
            do {
                if let notice = try await voices.perform(command) { desk.notice = notice }
            } catch is CancellationError {
                // The person leaves.
            } catch {
                desk.notice = "! \(words(for: error))"
            }
            wake.yield()
        }
    }
}
