// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore

/// Where the screen is not as tmux 3.3a shows it, each with the reason. A test sees that each is still one.
enum KnownDifference: String, CaseIterable, Sendable {
    /// tmux drops a character that the system's `wcwidth` does not know yet. A person shall see that something is
    /// there, so the screen gives it a cell.
    case unassignedCharacter
    /// tmux does not know CHT, HPR, VPR, DECSTR and DECSET 1048; programs on other terminals use them, and so does tmux
    /// itself towards a terminal that is said to have them.
    case sequencesOfXterm
    /// Leaving the alternate screen after its width changed, 3.3a first wraps what it showed into the scrollback; later
    /// versions do not.
    case alternateScreenOfAnotherWidth
    /// Erased cells with a color behind the last written one are on tmux's screen, but not in what capture-pane prints.
    case erasedTails

    /// Something that shows it.
    var stream: ScreenStream {
        let size = TerminalSize(columns: 16, rows: 5)
        func feed(_ text: String) -> ScreenStream.Step { .feed(Array(text.utf8)) }
        return switch self {
        case .unassignedCharacter: ScreenStream(size: size, steps: [feed("a\u{7BA}b")])
        case .sequencesOfXterm: ScreenStream(size: size, steps: [feed("a\u{1B}[3ab\u{1B}[2ec")])
        case .alternateScreenOfAnotherWidth:
            ScreenStream(
                size: size,
                steps: [
                    feed("one\r\n\u{1B}[?1049h"), .resize(TerminalSize(columns: 30, rows: 5)),
                    feed("\u{1B}[H1234567890123456789012345\r\n2\r\n3\r\n4\r\n5"), feed("\u{1B}[?1049l"),
                ]
            )
        case .erasedTails: ScreenStream(size: size, steps: [feed("\u{1B}[41m\u{1B}[K")])
        }
    }
}
