// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
package import RiffCore
package import RiffHermes

/// What the person looks at, and what a key changes about it. Pure.
package struct DashState: Equatable {
    package enum Page: Int, CaseIterable, Sendable {
        case overview, sessions, search, activity, insights, log

        var title: String {
            switch self {
            case .overview: "Overview"
            case .sessions: "Sessions"
            case .search: "Search"
            case .activity: "Activity"
            case .insights: "Insights"
            case .log: "Log"
            }
        }
    }

    package enum Effect: Equatable { case more, refresh, quit }

    /// What a key needs to know of what is on show.
    package struct Scene {
        /// How many rows a page has.
        var rows: Int
        /// How many lines there are, on show or not.
        var lines: Int
        /// What each row of a list opens.
        var opens: [HermesTranscript.Question]
        var hasMore: Bool

        package init(rows: Int, lines: Int = 0, opens: [HermesTranscript.Question] = [], hasMore: Bool = false) {
            self.rows = rows
            self.lines = lines
            self.opens = opens
            self.hasMore = hasMore
        }
    }

    static let levels: [LogEntry.Level?] = [nil, .info, .warning, .error]

    package private(set) var page = Page.overview
    /// The chosen row of a list, or how far a page is scrolled.
    package private(set) var places: [Page: Int] = [:]
    /// The session that is read, over the page.
    package private(set) var reading: HermesTranscript.Question?
    /// How many lines it is scrolled away from where it was opened.
    package private(set) var scroll = 0
    /// What is being typed.
    package private(set) var typing: String?
    /// What is searched.
    package private(set) var search: HermesSearch?
    package private(set) var spanIndex = 1
    private var levelIndex = 0
    private var showsAll = false

    package init(page: Page = .overview) { self.page = page }

    package var place: Int { places[page] ?? 0 }
    package var span: HermesReport.Span { HermesReport.Span.usual[spanIndex] }
    package var level: LogEntry.Level? { Self.levels[levelIndex] }
    package var filter: HermesSession.Filter { showsAll ? .everything : HermesSession.Filter() }
    package var showsEverything: Bool { showsAll }

    /// A key was pressed.
    package mutating func pressed(_ key: TerminalKey, in scene: Scene) -> [Effect] {
        if typing != nil { return typed(key) }
        switch key {
        case .character("q"): return [.quit]
        case .character("r"): return [.refresh]
        case .character("/"):
            typing = ""
            return []
        case .escape: reading = nil
        case .tab: turn(to: Page.allCases[(page.rawValue + 1) % Page.allCases.count])
        case .character(let character) where character.isASCII && character.isNumber:
            if let number = character.wholeNumberValue, let next = Page(rawValue: number - 1) { turn(to: next) }
        case .up, .character("k"): return move(-1, scene)
        case .down, .character("j"): return move(1, scene)
        case .character("b"): return move(-scene.rows, scene)
        case .character(" "): return move(scene.rows, scene)
        case .enter where reading == nil && scene.opens.indices.contains(place):
            reading = scene.opens[place]
            scroll = 0
        case .left where page == .insights: changeSpan(-1)
        case .right where page == .insights: changeSpan(1)
        case .character("l") where page == .log && reading == nil:
            levelIndex = (levelIndex + 1) % Self.levels.count
            places[.log] = 0
        case .character("a") where page == .sessions && reading == nil:
            showsAll.toggle()
            places[.sessions] = 0
        default: break
        }
        return []
    }

    private mutating func turn(to page: Page) {
        reading = nil
        self.page = page
    }

    private mutating func changeSpan(_ step: Int) {
        spanIndex = min(max(spanIndex + step, 0), HermesReport.Span.usual.count - 1)
        places[.insights] = 0
    }

    private mutating func typed(_ key: TerminalKey) -> [Effect] {
        var text = typing ?? ""
        switch key {
        case .escape: typing = nil
        case .backspace:
            if !text.isEmpty { text.removeLast() }
            typing = text
        case .character(TypedKeys.lineBreak): break
        case .character(let character): typing = String((text + String(character)).prefix(200))
        case .enter:
            typing = nil
            if text.contains(where: { !$0.isWhitespace }) {
                search = HermesSearch(text)
                places[.search] = 0
                turn(to: .search)
            }
        default: break
        }
        return []
    }

    private mutating func move(_ step: Int, _ scene: Scene) -> [Effect] {
        if let reading {
            // From the end back where it was opened at its end.
            let isBackward = reading.place == .newest
            let last = max(scene.lines - scene.rows, 0)
            scroll = min(max(scroll + (isBackward ? -step : step), 0), last)
            return scroll >= last && scene.hasMore && (isBackward ? step < 0 : step > 0) ? [.more] : []
        }
        switch page {
        case .overview, .sessions, .search, .activity:
            places[page] = min(max(place + step, 0), max(scene.opens.count - 1, 0))
            return scene.hasMore && place + 10 >= scene.opens.count && step > 0 ? [.more] : []
        case .insights: places[page] = min(max(place + step, 0), max(scene.lines - scene.rows, 0))
        case .log: places[page] = min(max(place - step, 0), max(scene.lines - scene.rows, 0))
        }
        return []
    }
}
