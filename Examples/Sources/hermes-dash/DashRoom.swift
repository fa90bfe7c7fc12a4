// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
import RiffCore
import RiffHermes
import RiffTransport

/// The dashboard in the person's terminal. It owns what is shown; the rules are `DashState`'s, the rows `DashView`'s,
/// and everything about Hermes is the library's.
@MainActor
final class DashRoom {
    private let host: DashHost
    private let database: HermesLiveDatabase
    private let terminal: PersonsTerminal
    private var size: TerminalSize
    private var state: DashState
    private var keys = TypedKeys()
    private var paste = PasteMarks()
    private var painter = RowPainter()
    private var log = LogBook()
    private let wake: AsyncStream<Void>.Continuation
    private let wakes: AsyncStream<Void>
    private let ending: AsyncStream<Int32>.Continuation
    private let endings: AsyncStream<Int32>

    init(_ host: DashHost, on terminal: PersonsTerminal, page: DashState.Page) {
        self.host = host
        self.terminal = terminal
        size = terminal.size
        state = DashState(page: page)
        database = HermesLiveDatabase(every: host.interval) { try await host.database() }
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        // The first one counts.
        (endings, ending) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    /// Shows the home until the person has enough or a signal comes. Nothing of it runs afterwards.
    ///
    /// - Returns: The signal, or 0.
    func run() async -> Int32 {
        await ask()
        let database = database
        return await withTaskGroup(of: Void.self) { group in
            // It throws when it is cancelled, and nothing else.
            group.addTask { try? await database.run() }
            group.addTask { for await _ in database.overview.updates() { self.wake.yield() } }
            group.addTask { for await _ in database.sessions.updates() { self.wake.yield() } }
            group.addTask { for await _ in database.search.updates() { self.wake.yield() } }
            group.addTask { for await _ in database.transcript.updates() { self.wake.yield() } }
            group.addTask { for await _ in database.activity.updates() { self.wake.yield() } }
            group.addTask { for await _ in database.report.updates() { self.wake.yield() } }
            group.addTask { await self.followLog() }
            group.addTask {
                for await bytes in self.terminal.typed() { await self.typed(bytes) }
                self.ending.yield(SIGHUP)
            }
            group.addTask {
                for await number in Signals.stream([SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT]) {
                    if number == SIGWINCH { await self.resized() } else { self.ending.yield(number) }
                }
            }
            group.addTask { for await _ in self.wakes { await self.terminal.write(self.nextFrame()) } }
            var first = endings.makeAsyncIterator()
            let status = await first.next() ?? 0
            group.cancelAll()
            return status
        }
    }

    // MARK: What is on show

    private var view: DashView {
        let picture = DashPicture(
            database,
            name: host.name,
            now: Date().timeIntervalSince1970,
            timeZone: personsTimeZone(),
            log: log
        )
        return DashView(state, picture, size: size)
    }

    private func nextFrame() -> HarmlessText { HarmlessText(drawn: painter.paint(view.screen)) }

    private func resized() {
        size = terminal.size
        painter = RowPainter()
        wake.yield()
    }

    // MARK: Keys

    private func typed(_ bytes: [UInt8]) async {
        for byte in bytes {
            paste.feed(byte)
            // Ctrl-C, as a terminal that is not raw would take it.
            if byte == 0x03, !paste.isPasting { ending.yield(0) }
            if let key = keys.escape(before: byte) { await pressed(key) }
            if let key = keys.feed(byte), !(paste.isPasting && state.typing == nil) { await pressed(key) }
        }
        if let key = keys.pause() { await pressed(key) }
        wake.yield()
    }

    private func pressed(_ key: TerminalKey) async {
        for effect in state.pressed(key, in: view.scene) {
            switch effect {
            case .quit: ending.yield(0)
            case .more: await more()
            case .refresh: await refresh()
            }
        }
        await ask()
    }

    /// Asks for what is on show, and pauses everything else.
    private func ask() async {
        let zone = personsTimeZone()
        if let reading = state.reading {
            await database.transcript.show(reading)
        } else {
            await database.transcript.pause()
        }
        let page = state.reading == nil ? state.page : nil
        if page == .overview {
            await database.overview.show(HermesOverview.Question(timeZone: zone, count: 10))
        } else {
            await database.overview.pause()
        }
        if page == .sessions { await database.sessions.show(state.filter) } else { await database.sessions.pause() }
        if page == .activity {
            await database.activity.show(HermesToolUse.Filter())
        } else {
            await database.activity.pause()
        }
        if page == .search, let search = state.search {
            await database.search.show(search)
        } else {
            await database.search.pause()
        }
        if page == .insights {
            await database.report.show(HermesReport.Question(state.span, timeZone: zone))
        } else {
            await database.report.pause()
        }
    }

    private func more() async {
        if state.reading != nil { return await database.transcript.more() }
        switch state.page {
        case .sessions: await database.sessions.more()
        case .search: await database.search.more()
        case .activity: await database.activity.more()
        case .overview, .insights, .log: break
        }
    }

    private func refresh() async {
        if state.reading != nil { return await database.transcript.refresh() }
        switch state.page {
        case .overview: await database.overview.refresh()
        case .sessions: await database.sessions.refresh()
        case .search: await database.search.refresh()
        case .activity: await database.activity.refresh()
        case .insights: await database.report.refresh()
        case .log: break
        }
    }

    // MARK: The log

    private func followLog() async {
        var entries = host.home.log(.agent).tail().makeAsyncIterator()
        while !Task.isCancelled {
            do {
                guard let batch = try await entries.next() else { return }
                log.add(batch)
            } catch is CancellationError {
                return
            } catch {
                log.problem = (error as? any RiffError)?.message ?? "\(error)"
                wake.yield()
                // Then it goes on from where it was. Cancellation is noticed above.
                try? await Task.sleep(for: .seconds(2))
            }
            wake.yield()
        }
    }
}
