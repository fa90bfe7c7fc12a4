// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore
package import RiffHermes
package import RiffScreen

/// What is on show as rows of text: the head, the page, and what is told. Pure.
package struct DashView {
    /// A page: what stays at its top, and lines of which as many are shown as fit.
    package struct Body {
        package var head: [String] = []
        package var lines: [String] = []
        /// What each line opens, where they are a list.
        package var opens: [HermesTranscript.Question] = []
        package var hasMore = false
        /// Whether it is shown from its end back.
        package var isFromEnd = false
        /// How it stands with what is shown.
        package var status = ""
    }

    let state: DashState
    let picture: DashPicture
    let size: TerminalSize

    package init(_ state: DashState, _ picture: DashPicture, size: TerminalSize) {
        self.state = state
        self.picture = picture
        self.size = size
    }

    /// What a key needs to know of it.
    package var scene: DashState.Scene {
        let body = body
        let rows = rows(of: body)
        return DashState.Scene(rows: rows, lines: body.lines.count, opens: body.opens, hasMore: body.hasMore)
    }

    /// All rows of the screen.
    package var rows: [String] {
        let body = body
        let count = rows(of: body)
        let lines = body.lines
        let first: Int
        if !body.opens.isEmpty, state.reading == nil {
            first = min(max(state.place - count / 2, 0), max(lines.count - count, 0))
        } else {
            let scroll = state.reading == nil ? state.place : state.scroll
            first = body.isFromEnd ? max(lines.count - count - scroll, 0) : min(scroll, max(lines.count - count, 0))
        }
        let shown = Array(lines.dropFirst(first).prefix(count))
        let blank = Array(repeating: "", count: max(0, count - shown.count))
        return [bar(title)] + body.head + shown + blank + [bar(footer(body))]
    }

    /// The rows as cells, each cut at the edge.
    package var screen: ScreenPicture {
        var screen = Screen(size: size)
        screen.feed("\u{1B}[?7l" + rows.prefix(size.rows).joined(separator: "\u{1B}[0m\r\n"))
        return screen.picture
    }

    private func rows(of body: Body) -> Int { max(size.rows - 2 - body.head.count, 1) }

    private func bar(_ text: String) -> String {
        // What erases fills with the bar's own background.
        "\u{1B}[7m" + String(repeating: " ", count: size.columns) + "\r" + text + "\u{1B}[0m"
    }

    private var title: String {
        let pages = DashState.Page.allCases.map { page in
            let title = "\(page.rawValue + 1) \(page.title)"
            return page == state.page ? DashText.bold("[\(title)]") : title
        }
        return " " + pages.joined(separator: "  ") + "  · " + DashText.inert(picture.name)
    }

    private func footer(_ body: Body) -> String {
        if let typing = state.typing { return " Search: \(DashText.inert(typing))▏" }
        let help: String
        if state.reading != nil {
            help = "↑↓ space b scroll  Esc back  r read again  q quit"
        } else {
            switch state.page {
            case .overview: help = "↑↓ Return reads a session  1-6 Tab pages  / search  r read again  q quit"
            case .sessions:
                help = "↑↓ Return reads  a \(state.showsEverything ? "a person's" : "all")  / search  q quit"
            case .search: help = "↑↓ Return reads  / search  q quit"
            case .activity: help = "↑↓ Return reads  / search  q quit"
            case .insights: help = "←→ days  ↑↓ scroll  / search  q quit"
            case .log: help = "↑↓ scroll  l level  / search  q quit"
            }
        }
        return " " + (body.status.isEmpty ? help : "\(DashText.inert(body.status)) · \(help)")
    }

    package var body: Body {
        if let question = state.reading { return transcript(question) }
        return switch state.page {
        case .overview: overview
        case .sessions: sessions
        case .search: search
        case .activity: activity
        case .insights: insights
        case .log: log
        }
    }

    /// How it stands with an answer, in words; nothing where all is well.
    func status<Question, Value>(_ answer: HermesAnswer<Question, Value>) -> String {
        if let problem = answer.problem {
            return "! \(problem.message)" + (answer.value == nil ? "" : " What is shown is older.")
        }
        if answer.value == nil, answer.question != nil { return "reading …" }
        return answer.isStale ? "reading anew …" : ""
    }

    func mark(_ index: Int, _ row: String) -> String {
        index == state.place ? DashText.bold("▸" + row) : " " + row
    }
}
