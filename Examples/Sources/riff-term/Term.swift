// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
import RiffAgents
import RiffCore
import RiffHTTP
import RiffScreen
import RiffSessions
import RiffTalk
import RiffTransport

/// The front end: pages of a host's sessions in one terminal. It owns what is shown; the rules are `TermState`'s, and
/// everything about hosts and sessions is the library's.
@MainActor
final class Term {
    let host: SSHHost
    let sessions: SessionManager
    /// The agents of the host.
    let board = AgentBoard()
    let options: TermOptions
    let terminal: PersonsTerminal
    var size: TerminalSize
    var state = TermState()
    var painter = Painter()
    /// The pages' views by their terminals.
    var views: [ObjectIdentifier: PageView] = [:]
    /// What was found last.
    var search: HistorySearch?
    /// What sessions showed, where the person wants it kept.
    var record: TermRecord?
    /// The session that was looked at last.
    private var lookedAt: String?
    var searching: Task<Void, Never>?
    /// Waits for what opens a link, to tell when it cannot.
    var opening: Task<Void, Never>?
    /// The links to choose from.
    var links: [FoundLink] = []
    var dictation: Dictation?
    var listening: Task<Void, Never>?
    /// The way to a speech server, once there was one.
    var http: AsyncHTTPTransport?
    /// What goes to the terminal besides the next frame: a bell, a text for the clipboard.
    var asides = ""
    let wake: AsyncStream<Void>.Continuation
    private let wakes: AsyncStream<Void>
    let errands: AsyncStream<TermState.Effect>.Continuation
    private let errandsToDo: AsyncStream<TermState.Effect>
    let ending: AsyncStream<Int32>.Continuation
    private let endings: AsyncStream<Int32>

    init(_ host: SSHHost, _ options: TermOptions, on terminal: PersonsTerminal) throws {
        self.host = host
        self.options = options
        self.terminal = terminal
        size = terminal.size
        sessions = SessionManager(host, size: Self.pageSize(size), configuration: try options.host.sessions())
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        // One after another; a person who asks for more than that while one takes its time is told.
        (errandsToDo, errands) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(16))
        // The first one counts.
        (endings, ending) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    /// The person's terminal without the status line.
    nonisolated static func pageSize(_ size: TerminalSize) -> TerminalSize {
        TerminalSize(columns: size.columns, rows: max(size.rows - 1, 1))
    }

    /// Shows the sessions until the person has enough or a signal comes. Nothing of it runs afterwards.
    ///
    /// - Returns: The signal, or 0.
    func run() async -> Int32 {
        if let path = options.recordPath {
            do { record = try await TermRecord(path: path) } catch { tell(error) }
        }
        await sessions.start()
        await board.add(host.name, host, server: options.host.server)
        await board.start()
        let status = await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in self.sessions.updates() { await self.follow() } }
            group.addTask { for await _ in self.host.updates() { self.wake.yield() } }
            group.addTask { for await _ in self.board.updates() { self.wake.yield() } }
            group.addTask {
                for await bytes in self.terminal.typed() { await self.typed(bytes) }
                self.ending.yield(SIGHUP)
            }
            group.addTask {
                for await number in Signals.stream([SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT]) {
                    if number == SIGWINCH { await self.resized() } else { self.ending.yield(number) }
                }
            }
            group.addTask { await self.keepRecord() }
            group.addTask { for await errand in self.errandsToDo { await self.run(errand) } }
            group.addTask {
                for await _ in self.wakes { await self.terminal.write(HarmlessText(drawn: self.nextFrame())) }
            }
            var first = endings.makeAsyncIterator()
            let status = await first.next() ?? 0
            group.cancelAll()
            return status
        }
        await close()
        return status
    }

    private func close() async {
        searching?.cancel()
        await searching?.value
        opening?.cancel()
        await opening?.value
        await dictation?.shutdown()
        await listening?.value
        await http?.shutdown()
        await board.stop()
        await sessions.shutdown()
        for view in views.values { await view.end() }
        await host.shutdown()
        await saveRecord()
        // What is kept is in the file already.
        do { try await record?.close() } catch { tell(error) }
    }

    /// Keeps what the sessions show, twice a second while they change.
    private func keepRecord() async {
        guard record != nil else { return }
        // Cancellation is the end.
        while (try? await ContinuousClock().sleep(for: .milliseconds(500))) != nil { await saveRecord() }
    }

    private func saveRecord() async {
        guard let record else { return }
        do {
            try await record.save { name in views.values.first { $0.session.name == name }?.screen }
        } catch { tell(error) }
    }

    // MARK: Pages

    /// The page that is looked at.
    var active: SessionsSnapshot.Page { sessions.current.active }

    /// Its view, where it has a terminal.
    var view: PageView? { active.terminal.flatMap { views[ObjectIdentifier($0)] } }

    /// Makes a view for each terminal that is new, and lets go of those that are over.
    private func follow() async {
        let terminals = sessions.current.pages.compactMap(\.terminal)
        for terminal in terminals where views[ObjectIdentifier(terminal)] == nil {
            let name = terminal.name
            let view = PageView(
                terminal,
                size: Self.pageSize(size),
                drew: { [weak self] events in self?.drew(name, events) },
                failed: { [weak self] error in self?.tell(error) }
            )
            views[ObjectIdentifier(terminal)] = view
            do {
                if let last = try await record?.lastScreen(of: name) { view.show(last) }
            } catch { tell(error) }
        }
        if lookedAt != active.name.rawValue {
            if let lookedAt { record?.left(lookedAt) }
            lookedAt = active.name.rawValue
        }
        let kept = Set(terminals.map(ObjectIdentifier.init))
        for (id, view) in views where !kept.contains(id) {
            views[id] = nil
            await view.end()
        }
        wake.yield()
    }

    private func drew(_ name: String, _ events: [ScreenEvent]) {
        for event in events { happened(event, in: name) }
        record?.drew(name)
        if name == active.name.rawValue { wake.yield() }
    }

    private func resized() async {
        size = terminal.size
        painter.reset()
        for view in views.values { view.resize(to: Self.pageSize(size)) }
        wake.yield()
        await sessions.resize(to: Self.pageSize(size))
    }

    // MARK: Keys

    private func typed(_ bytes: [UInt8]) async {
        state.typed(bytes)
        while let effect = state.next(active: active.name) { await perform(effect) }
        // Nobody waits for what it would find.
        if !state.isSearching { searching?.cancel() }
        wake.yield()
    }

    /// Tells the person that something failed.
    func tell(_ error: any Error) {
        guard !(error is CancellationError) else { return }
        state.notice = (error as? any RiffError)?.message ?? "\(error)"
        wake.yield()
    }
}
