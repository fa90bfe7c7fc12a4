// Riff
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import ExampleTerminal
import Foundation
import RiffCore
import RiffHub

/// A hub where nobody looks: each line of the input is a command, done to its end before the next one, and what happens
/// is written in lines.
struct PipedGrid {
    private let voices: VoiceDesk
    private let files: SpokenFiles?
    private let patience: Duration
    private let printer = GridPrinter()
    /// Room for lines that were read and not begun: without any, whoever writes them waits.
    private let room = DispatchSemaphore(value: 0)

    private var hub: HubClient { voices.hub }

    init(_ voices: VoiceDesk, _ files: SpokenFiles?, patience: Duration) {
        (self.voices, self.files, self.patience) = (voices, files, patience)
    }

    /// Works until the input ends.
    ///
    /// - Throws: What went wrong with a command: nothing is done after it.
    func run() async throws {
        for _ in 1...64 { room.signal() }
        // Not bounded by itself, but by the thread that reads, which waits for room.
        let (lines, feed) = AsyncStream.makeStream(of: String.self)
        let input = InputLines { [room] line in
            guard let line else { return feed.finish() }
            room.wait()
            feed.yield(line)
        }
        defer { input.stop() }
        let watching = Task { [hub, printer] in
            // The newest one: another may have been written meanwhile.
            for await _ in hub.updates() { printer.show { hub.current } }
        }
        let hearing = Task { [files] in
            guard let files else { return }
            for await (voice, path) in files.written {
                GridPrinter.write(GridLines.line("sound", voice.id.rawValue, path))
            }
        }
        let result: Result<Void, any Error>
        do { result = .success(try await work(through: lines)) } catch { result = .failure(error) }
        watching.cancel()
        await watching.value
        files?.end()
        await hearing.value
        printer.show { hub.current }
        try result.get()
    }

    private func work(through lines: AsyncStream<String>) async throws {
        try await begin()
        for await line in lines {
            room.signal()
            guard let command = GridCommand(line, isOpen: hub.current.open != nil) else { continue }
            if command == .leave { return }
            try await perform(command)
            // What came of it stands there before what comes of the next one.
            printer.show { hub.current }
        }
    }

    /// Until the hub is there and has shown what it has: what is asked for before would start a session twice.
    private func begin() async throws {
        try await wait(for: "the hub and its sessions") { $0.areSessionsKnown || $0.isRefused }
        if let failure = hub.current.failure, hub.current.isRefused { throw ExampleFailure(failure.message) }
    }

    private func perform(_ command: GridCommand) async throws {
        // What failed earlier is no failure of this one.
        let before = hub.current
        switch command {
        case .open(let name): try await open(try voices.card(name, in: hub.current))
        case .say, .answer:
            let open = try voices.open(in: hub.current)
            _ = try await voices.perform(command)
            try await delivered(open, since: before)
        case .record:
            let open = try voices.open(in: hub.current)
            _ = try await voices.perform(command)
            try await wait(for: "the end of the recording", since: before) { $0.microphone == .closed }
            if let failure = hub.current.failure(since: before) { throw ExampleFailure(failure.message) }
            try await delivered(open, since: before)
        case .end:
            _ = try await voices.perform(command)
            try await wait(for: "the session's end", since: before) { now in
                now.failure(since: before) != nil
                    || before.cards.contains { $0.session != nil && now.card($0.id)?.session == nil }
            }
            if let failure = hub.current.failure(since: before) { throw ExampleFailure(failure.message) }
        case .wait(let name, let state):
            let card = try name.map { try voices.card($0, in: hub.current) } ?? hub.current.openCard
            guard let card else { throw ExampleFailure("Say who is waited for, or open a voice.") }
            try await wait(for: "\(card.id) to be \(state.name)", since: before) {
                ($0.card(card.id)?.state ?? .inactive) == state
            }
        case .history:
            let open = try voices.open(in: hub.current)
            for message in open.chat { GridPrinter.write(GridLines.message(message, of: open.voice.id)) }
        case .older:
            _ = try await voices.perform(command)
            try await wait(for: "older messages", since: before) { $0.open?.isLoadingOlder != true }
            if let failure = hub.current.failure(since: before) { throw ExampleFailure(failure.message) }
        case .showSettings: GridPrinter.write(GridLines.settings(try await voices.settings()))
        case .help: GridPrinter.write(GridCommand.usage + ", /say WORDS, /history, /wait [VOICE] STATE")
        default: _ = try await voices.perform(command)
        }
    }

    /// Opens a voice, and returns when it is open: a new session takes its time.
    private func open(_ card: HubCard) async throws {
        await voices.open(card)
        try await wait(for: "\(card.id) to open") { snapshot in
            let now = snapshot.card(card.id)
            return now?.isOpen == true || now?.failure != nil || now?.state == .inactive
        }
        guard let now = hub.current.card(card.id), !now.isOpen else { return }
        throw ExampleFailure(now.failure?.message ?? "The session of \(card.id) ended before it was there.")
    }

    /// Until the words of an answer are there.
    private func delivered(_ open: HubSnapshot.Open, since before: HubSnapshot) async throws {
        let lost = Set(before.lostAnswers.map(\.id))
        try await wait(for: "\(open.voice.id) to take the answer", since: before) { snapshot in
            let card = snapshot.cards.first { $0.session == open.id }
            return card.map { $0.waitingAnswers == 0 && $0.transcribingAnswers == 0 } ?? true
        }
        if let answer = hub.current.lostAnswers.last(where: { $0.session == open.id && !lost.contains($0.id) }) {
            throw ExampleFailure(answer.failure.message)
        }
        guard hub.current.cards.contains(where: { $0.session == open.id }) else {
            throw ExampleFailure("The session ended before it took the answer.")
        }
        if let failure = hub.current.failure(since: before), failure.code == "hub.answerUncertain" {
            throw ExampleFailure(failure.message)
        }
    }

    /// Until something is so.
    ///
    /// - Throws: `ExampleFailure` where that takes too long, with what has failed meanwhile.
    private func wait(
        for what: String,
        since before: HubSnapshot = HubSnapshot(),
        until isSo: @escaping @Sendable (HubSnapshot) -> Bool
    ) async throws {
        let isOver = try await withThrowingTaskGroup(of: Bool.self) { [hub, patience] group in
            group.addTask {
                for await snapshot in hub.updates() where isSo(snapshot) { return true }
                return false
            }
            group.addTask {
                try await ContinuousClock().sleep(for: patience)
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
        guard isOver else {
            let cause = hub.current.failure(since: before) ?? hub.current.connectionFailure
            let failure = cause.map { " \($0.message)" } ?? ""
            throw ExampleFailure("Waited for \(what) for too long.\(failure)")
        }
    }
}

extension HubSnapshot {
    /// The failure since another one, where anything did.
    fileprivate func failure(since before: HubSnapshot) -> Problem? {
        failureCount > before.failureCount ? failure : nil
    }
}
