// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

extension TerminalSession {
    /// Reads rows of its tmux session, from beside the terminal: what scrolled off the screen, and what is on it.
    /// Nothing on the terminal changes.
    ///
    /// `ScreenHistory` of RiffScreen joins pages, also while the program goes on, to something that can be searched.
    ///
    /// - Parameter lines: Which rows: 0 is the screen's top row, those above it are negative.
    /// - Returns: Those of them that there are; where they are too many bytes, only the last of them.
    /// - Throws: `notTmux` where it knows no tmux session; ``TransportError`` with `tmuxFailed`; an error that says why
    ///   the host did not answer; `CancellationError`.
    public nonisolated func history(lines: Range<Int>) async throws -> TmuxHistoryPage {
        guard let tmux = safety.tmux, let errands = safety.errands else {
            throw TransportError(.notTmux, "\(name) is no tmux session; there is no history of it to read.")
        }
        var lines = lines.isEmpty ? lines.lowerBound..<lines.lowerBound + 1 : lines
        while true {
            let line = try tmux.server.history(tmux.session, lines: lines).line()
            let report = await errands.run(line, input: [], onlyWhile: nil)
            try Task.checkCancellation()
            if case .outputTooLarge = report.outcome, lines.count > 1 {
                lines = lines.lowerBound + lines.count / 2..<lines.upperBound
                continue
            }
            let (output, status) = try report.outcome.get(host: name)
            guard status == 0 else {
                let words = InertText.line(String(report.diagnostics.prefix(200)))
                throw TransportError(
                    .tmuxFailed,
                    "tmux could not show the history of \(name): \(words)",
                    recovery: .retry
                )
            }
            return try TmuxHistoryPage(output: output, lines: lines)
        }
    }
}

extension TransportErrorCode {
    /// Something that tmux alone can do was wanted of a terminal without tmux.
    public static let notTmux = TransportError.Code(rawValue: "notTmux")
}
