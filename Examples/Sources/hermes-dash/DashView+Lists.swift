// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHermes

extension DashView {
    var overview: Body {
        var body = Body(status: status(picture.overview))
        guard let value = picture.overview.value else { return body }
        let all = value.statistics
        body.head = [
            "",
            DashText.row([
                (2, DashText.bold("All time")),
                (14, figures(all.totals, messages: all.messages)),
            ]),
            DashText.row([(2, DashText.bold("Today")), (14, figures(value.today, messages: value.today.messages))]),
            DashText.row([
                (2, DashText.bold("Last 7 days")),
                (14, DashText.colored(Bars.columns(value.week.map { Double($0.sessions) }), 6)),
                (22, "\(value.week.reduce(0) { $0 + $1.sessions }) sessions"),
            ]),
            DashText.row([
                (2, DashText.bold("Database")),
                (
                    14,
                    "\(HermesWords.count(Int64(clamping: all.sizeBytes))) bytes, \(all.archivedSessions) archived sessions"
                ),
            ]),
            "",
            DashText.bold(" Newest calls of tools"),
        ]
        body.head += value.toolUses.prefix(max(0, min(5, size.rows - 14))).map { " " + call($0) }
        body.head += ["", DashText.bold(" Newest sessions")]
        body.lines = value.sessions.enumerated().map { mark($0.offset, line($0.element)) }
        body.opens = value.sessions.map { HermesTranscript.Question($0.id) }
        return body
    }

    var sessions: Body {
        var body = Body(status: status(picture.sessions))
        body.head = [
            DashText.dim(
                DashText.row([
                    (3, "began"), (20, "from"), (30, "messages"), (40, "tokens"), (48, "cost"), (56, "session"),
                ])
            )
        ]
        guard let value = picture.sessions.value else { return body }
        body.lines = value.elements.enumerated().map { mark($0.offset, line($0.element)) }
        body.opens = value.elements.map { HermesTranscript.Question($0.id) }
        body.hasMore = value.hasMore
        if value.elements.isEmpty { body.lines = ["  There are no sessions yet."] }
        return body
    }

    var search: Body {
        guard let search = state.search else { return Body(head: ["", "  / and some words search all messages."]) }
        var body = Body(status: status(picture.search))
        body.head = [DashText.dim("  Messages with: \(DashText.inert(search.text))")]
        guard let value = picture.search.value, picture.search.question == search else { return body }
        body.lines = value.hits.elements.enumerated().map { index, hit in
            let snippet = hit.snippet.map { $0.isMatch ? "\u{1B}[4m\(inline($0.text))\u{1B}[24m" : inline($0.text) }
            let row = DashText.row([
                (2, DashText.dim(time(hit.timestamp))), (20, role(hit.role)),
                (31, snippet.joined()),
            ])
            return mark(index, row)
        }
        body.opens = value.hits.elements.map { HermesTranscript.Question($0) }
        body.hasMore = value.hasMore
        if value.hits.elements.isEmpty { body.lines = ["  Nothing was found."] }
        return body
    }

    var activity: Body {
        var body = Body(status: status(picture.activity))
        guard let value = picture.activity.value else { return body }
        body.lines = value.elements.enumerated().map { mark($0.offset, call($0.element)) }
        body.opens = value.elements.map {
            HermesTranscript.Question($0.sessionID, from: .message(id: $0.messageID, timestamp: $0.timestamp))
        }
        body.hasMore = value.hasMore
        if value.elements.isEmpty { body.lines = ["  No tool was called yet."] }
        return body
    }

    var log: Body {
        var body = Body(isFromEnd: true, status: picture.log.problem.map { "! \($0)" } ?? "")
        let least = state.level.map { "\($0.rawValue) and worse" } ?? "everything"
        body.head = [DashText.dim("  agent.log, \(least)")]
        body.lines = picture.log.lines(state.level).map { line in
            let text = DashText.inert(line)
            let indented = line.hasPrefix(" ") ? "     " + text : " " + text
            if line.contains(" ERROR ") || line.contains(" CRITICAL ") { return DashText.colored(indented, 1) }
            return line.contains(" WARNING ") ? DashText.colored(indented, 3) : indented
        }
        return body
    }

    // MARK: Rows

    func time(_ seconds: Double) -> String { HermesWords.time(seconds, in: picture.timeZone) }

    private func line(_ session: HermesSession) -> String {
        let kind = session.kind == .root ? "" : DashText.dim(" (\(DashText.inert(session.kind.rawValue)))")
        return DashText.row([
            (3, DashText.dim(time(session.startedAt))),
            (20, DashText.inert(session.source)),
            (30, DashText.right("\(session.messageCount)", 8)),
            (40, DashText.right(HermesWords.count(session.tokens.total), 6)),
            (47, DashText.right(HermesWords.cost(session.cost.best), 7)),
            (56, DashText.inert(session.heading) + kind),
        ])
    }

    private func call(_ use: HermesToolUse) -> String {
        let mark = use.result == nil ? DashText.colored("…", 3) : "·"
        return DashText.row([
            (3, DashText.dim(time(use.timestamp))), (20, mark),
            (22, DashText.colored(DashText.inert(use.call.name), 6)), (40, DashText.inert(use.call.summary)),
        ])
    }

    private func figures(_ totals: HermesInsights.Totals, messages: Int64) -> String {
        "\(totals.sessions) sessions · \(HermesWords.count(messages)) messages · "
            + "\(HermesWords.count(totals.toolCalls)) tool calls · \(HermesWords.count(totals.tokens.total)) tokens · "
            + HermesWords.cost(totals.cost.best)
    }

    func role(_ role: HermesMessage.Role) -> String {
        let color = [HermesMessage.Role.user: 6, .assistant: 2, .tool: 3][role] ?? 5
        return DashText.colored(DashText.inert(role.rawValue), color)
    }

    /// A part of a line: blanks at its ends stay.
    private func inline(_ text: String) -> String {
        let inert = DashText.inert(text)
        guard !inert.isEmpty else { return text.isEmpty ? "" : " " }
        return (text.first?.isWhitespace == true ? " " : "") + inert + (text.last?.isWhitespace == true ? " " : "")
    }
}
