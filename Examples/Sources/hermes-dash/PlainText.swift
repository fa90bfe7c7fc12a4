// Riff
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import RiffHermes

/// What is written where no person looks: one line for each thing, its parts between tabs, for scripts.
package struct PlainText {
    let timeZone: TimeZone

    package init(timeZone: TimeZone) { self.timeZone = timeZone }

    /// Id, begin, source, kind, model, messages, tool calls, tokens, cost, heading.
    package func line(_ session: HermesSession) -> String {
        line([
            session.id, time(session.startedAt), session.source, session.kind.rawValue, session.model ?? "",
            "\(session.messageCount)", "\(session.toolCallCount)", "\(session.tokens.total)",
            session.cost.best.map { "\($0)" } ?? "", session.heading,
        ])
    }

    /// Session, message, time, role, the words around what was found.
    package func line(_ hit: HermesSearch.Hit) -> String {
        line([
            hit.sessionID, "\(hit.messageID)", time(hit.timestamp), hit.role.rawValue,
            hit.snippet.map(\.text).joined(),
        ])
    }

    package func lines(_ entry: LogEntry) -> [String] { LogText.lines(of: entry).map { DashText.indented($0) } }

    private func time(_ seconds: Double) -> String { HermesWords.time(seconds, in: timeZone) }

    /// Nothing in a part ends it, or does anything to a terminal.
    private func line(_ parts: [String]) -> String { parts.map { DashText.inert($0) }.joined(separator: "\t") }
}

extension DashText {
    /// A line without what a terminal would obey, with the blanks at its beginning.
    static func indented(_ line: String) -> String {
        String(line.prefix { $0 == " " }) + inert(line)
    }
}
