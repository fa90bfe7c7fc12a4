// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore

/// The terminal in which the demo was started: raw while a session has it, and as it was before afterwards.
final class PersonsTerminal: Sendable {
    /// What it was like, as the bytes of `termios`; written once.
    private let saved: termios

    /// Whether standard input and output are a terminal.
    static var isThere: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// Makes it raw.
    init() throws {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { throw Failure("Standard input is not a terminal.") }
        saved = settings
        cfmakeraw(&settings)
        let isRaw = tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) == 0
        try check(isRaw, "The terminal cannot be made raw.")
    }

    /// Makes it as it was, and takes back what a full-screen program may have left: modes, colours, its own screen.
    func restore() {
        let modes = ["?1000l", "?1002l", "?1003l", "?1006l", "?2004l", "?1004l", "?1l", "?1049l", "?25h", "0m"]
        FileHandle.standardOutput.write(Data((modes.map { "\u{1B}[\($0)" }.joined() + "\u{1B}>\r\n").utf8))
        var settings = saved
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }

    /// Its size now; 80 by 24 where it does not say.
    var size: TerminalSize {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return .standard
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
