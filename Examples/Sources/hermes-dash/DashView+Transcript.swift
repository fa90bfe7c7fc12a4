// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHermes
import RiffScreen

extension DashView {
    func transcript(_ question: HermesTranscript.Question) -> Body {
        var body = Body(isFromEnd: question.place == .newest, status: status(picture.transcript))
        guard let value = picture.transcript.value, picture.transcript.question == question else { return body }
        guard let session = value.session else {
            body.lines = ["  This session is not there any more."]
            return body
        }
        body.head = [
            "  " + DashText.bold(DashText.inert(session.heading)),
            DashText.dim(
                "  \(DashText.inert(session.model ?? "no model")) · \(session.messageCount) messages · "
                    + "\(HermesWords.count(session.tokens.total)) tokens · \(HermesWords.cost(session.cost.best))"
                    + (session.seconds.map { " · \(HermesWords.duration(seconds: $0))" } ?? "")
            ),
        ]
        body.hasMore = value.hasMore
        body.lines = value.messages.flatMap { message in
            lines(of: message, isSought: question.place == .message(id: message.id, timestamp: message.timestamp))
        }
        return body
    }

    private func lines(of message: HermesMessage, isSought: Bool) -> [String] {
        let name = message.toolName.map { " " + DashText.inert($0) } ?? ""
        let mark = isSought ? DashText.bold("▸ ") : "  "
        var lines = ["", mark + role(message.role) + name + DashText.dim(" " + time(message.timestamp))]
        lines += wrapped(message.content)
        for call in message.toolCalls {
            lines.append(
                "    " + DashText.colored("→ " + DashText.inert(call.name), 6) + " " + DashText.inert(call.summary)
            )
        }
        if message.isTruncated { lines.append(DashText.dim("    … there is more of it")) }
        return lines
    }

    /// A text in lines of the terminal's width.
    private func wrapped(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            // What tells nothing is left out, so that what is there fits.
            let inert = DashText.inert(String(line))
            guard !inert.isEmpty else { return [] }
            return Wrapping.rows(of: inert, width: max(size.columns - 6, 10)).map { "    " + $0 }
        }
    }
}

/// Breaks lines as wide as a terminal, between words where it can.
package enum Wrapping {
    package static func rows(of line: String, width: Int) -> [String] {
        var rows: [String] = []
        var row = ""
        var used = 0
        for word in line.split(separator: " ", omittingEmptySubsequences: false) {
            var rest = word
            while true {
                let needed = (row.isEmpty ? 0 : 1) + CharacterWidth.of(rest)
                if used + needed <= width {
                    if !row.isEmpty { row += " " }
                    row += rest
                    used += needed
                    break
                }
                if !row.isEmpty {
                    rows.append(row)
                    (row, used) = ("", 0)
                    continue
                }
                // One word alone is too long.
                var piece = Substring()
                while let next = rest.first, CharacterWidth.of(piece) + CharacterWidth.of(String(next)) <= width {
                    piece.append(next)
                    rest.removeFirst()
                }
                if piece.isEmpty, let next = rest.first {
                    piece.append(next)
                    rest.removeFirst()
                }
                rows.append(String(piece))
                if rest.isEmpty { break }
            }
        }
        if !row.isEmpty { rows.append(row) }
        return rows
    }
}
