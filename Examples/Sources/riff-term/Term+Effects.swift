// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
import RiffCore
import RiffScreen
import RiffSessions
import RiffTransport

/// What a key does.
extension Term {
    /// Does what is done at once, and puts what takes its time in line.
    func perform(_ effect: TermState.Effect) async {
        switch effect {
        case .send(let bytes):
            guard let view else { return state.notice = "\(active.name) is not connected; nothing was sent" }
            if !view.send(bytes) { state.notice = "\(active.name) does not take keys now; the last were not sent" }
        // Waited for, so that the keys that follow go to the other page.
        case .turn(let step):
            let (place, count) = (sessions.current.activeIndex, sessions.current.pages.count)
            await sessions.activate(at: (place + step + count) % count)
        case .show(let place):
            if place < sessions.current.pages.count { await sessions.activate(at: place) }
        case .search(let text): look(for: text)
        case .findLinks: findLinks()
        case .copy(let text):
            copy(Data(text.utf8).base64EncodedString(), to: "c")
            state.notice = "copied: \(text)"
        case .create, .close, .open, .takePicture, .away, .dictate, .reconnect:
            if case .dropped = errands.yield(effect) { state.notice = "still busy; try again" }
        case .quit: ending.yield(0)
        }
    }

    /// Does one thing that takes its time; they come one after another.
    func run(_ errand: TermState.Effect) async {
        do {
            switch errand {
            case .create: try await sessions.create(try options.host.spec())
            case .close(let name): try await sessions.close(name)
            case .open(let url): try await open(url)
            case .takePicture: try await savePicture()
            case .away:
                state.notice =
                    try await record?.away(active.name.rawValue) ?? "nothing is kept; start with --record FILE"
            case .dictate: try await dictate()
            case .reconnect: await sessions.foreground()
            case .send, .turn, .show, .search, .findLinks, .copy, .quit: break  // Done at once.
            }
        } catch {
            tell(error)
        }
        wake.yield()
    }

    /// What a session's program asked for. A terminal would do the same for it.
    func happened(_ event: ScreenEvent, in name: String) {
        switch event {
        case .bell: asides += "\u{7}"
        case .clipboardWrite(let selection, let base64) where name == active.name.rawValue:
            copy(base64, to: selection)
            state.notice = "\(name) copied a text"
        // Nobody reads the clipboard from there, and the title is the screen's.
        default: break
        }
    }

    private func copy(_ base64: String, to selection: String) {
        let allowed = base64.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "+/=".contains($0)) }
        asides += "\u{1B}]52;\(selection.filter { "cpqs01234567".contains($0) });\(allowed)\u{7}"
    }

    // MARK: Search and links

    private func look(for text: String) {
        searching?.cancel()
        guard let view else { return state.searched(text, count: 0) }
        searching = Task {
            do {
                let found = try await HistorySearch.run(text, in: view.session) { await view.screen }
                guard !Task.isCancelled else { return }
                search = found
                state.searched(text, count: found.found.count)
                wake.yield()
            } catch {
                // Whoever gave it up is told nothing.
                guard !Task.isCancelled else { return }
                state.searched(text, count: 0)
                tell(error)
            }
        }
    }

    /// The links on show; the one under the cursor is chosen, else the last before it.
    private func findLinks() {
        guard let shown else { return }
        links = shown.screen.links(in: shown.lines).filter { $0.url != nil }
        let cursor = shown.screen.cursor
        let place =
            state.showsHistory
            ? search?.found[state.place].lowerBound
            : ScreenPosition(line: shown.screen.visibleLines.lowerBound + cursor.row, column: cursor.column)
        let chosen = links.lastIndex { link in place.map { link.range.lowerBound <= $0 } ?? true } ?? 0
        state.found(links: links.compactMap(\.url), chosen: chosen)
    }

    private func open(_ url: String) async throws {
        #if os(macOS)
        let program = "open"
        #else
        let program = "xdg-open"
        #endif
        // The address is one word, and of a scheme that the detector allows.
        let process = try await LocalProcess.start(LocalCommand(program, [url]))
        state.notice = "opened: \(url)"
        // It may last as long as the browser; what it opened stays when riff-term goes.
        opening?.cancel()
        opening = Task {
            // Cancellation is the only error.
            guard let exit = try? await process.exitStatus(), !exit.isSuccess else { return }
            tell(ExampleFailure("\(program) could not open \(url)"))
        }
    }

    // MARK: Picture

    private func savePicture() async throws {
        let svg = frame(isDrawn: false).picture.svg(title: "riff-term: \(options.host.destination)")
        try await LocalHostSession().write(Array(svg.utf8), to: options.picturePath, permissions: nil)
        state.notice = "picture: \(options.picture)"
    }
}
