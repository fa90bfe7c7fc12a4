// Riff
// SPDX-License-Identifier: Apache-2.0

@preconcurrency import Dispatch
import Foundation
package import RiffCore

/// The terminal in which the program was started: raw while the program has it, and as it was before afterwards.
package final class PersonsTerminal: Sendable {
    private let saved: termios
    private let isOnOtherScreen: Bool
    /// Writing blocks while the terminal is held up, so it is done here.
    private let queue = DispatchQueue(label: "riff.examples.terminal")

    /// Whether standard input and output are a terminal.
    package static var isThere: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// Takes it over.
    ///
    /// - Parameter isOnOtherScreen: Whether what stands there now stays as it is, for afterwards.
    /// - Throws: ``Failure``.
    package init(isOnOtherScreen: Bool) throws {
        self.isOnOtherScreen = isOnOtherScreen
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { throw Failure.notATerminal }
        saved = settings
        cfmakeraw(&settings)
        guard tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) == 0 else { throw Failure.notRaw }
        if isOnOtherScreen { Self.put(Array("\u{1B}[?1049h".utf8)) }
    }

    /// Gives it back, without what a session wanted of it: modes, colors, its other screen. Returns when it is done, or
    /// when a terminal that is held up has had a second for it.
    package func restore() {
        let modes = [
            "?2026l", "?1000l", "?1002l", "?1003l", "?1006l", "?2004l", "?1004l", "?1l", "?1049l", "?25h", "0 q",
        ]
        let text =
            modes.map { "\u{1B}[\($0)" }.joined() + "\u{1B}>\u{1B}[0m"
            + (isOnOtherScreen ? "" : "\r\n")
        let done = DispatchSemaphore(value: 0)
        queue.async {
            Self.put(Array(text.utf8))
            done.signal()
        }
        _ = done.wait(timeout: .now() + 1)
        var settings = saved
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    /// Its size now; 80 by 24 where it does not say.
    package var size: TerminalSize {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return .standard
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Writes, and returns when the terminal has taken it: whoever draws makes the next frame then.
    package func write(_ text: HarmlessText) async {
        await handOver(Array(text.text.utf8))
    }

    /// Writes what a session's program wrote, as it is: the terminal is that program's for the time, as with ssh.
    package func handOver(_ bytes: [UInt8]) async {
        guard !bytes.isEmpty else { return }
        await withCheckedContinuation { done in
            queue.async {
                Self.put(bytes)
                done.resume()
            }
        }
    }

    /// What is typed, until the terminal is hung up. Whoever reads does nothing else, so that little waits here.
    package func typed() -> AsyncStream<[UInt8]> {
        AsyncStream { report in
            let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO)
            source.setEventHandler {
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = read(STDIN_FILENO, &buffer, buffer.count)
                if count > 0 { report.yield(Array(buffer[..<count])) }
                if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { report.finish() }
            }
            report.onTermination = { _ in source.cancel() }
            source.resume()
        }
    }

    private static func put(_ bytes: [UInt8]) {
        // A terminal that is gone is noticed by whoever reads it.
        try? FileHandle.standardOutput.write(contentsOf: bytes)
    }
}

extension PersonsTerminal {
    /// Why the terminal cannot be had.
    package enum Failure: Error, CustomStringConvertible {
        case notATerminal
        case notRaw

        package var description: String {
            switch self {
            case .notATerminal: "Standard input is not a terminal."
            case .notRaw: "The terminal cannot be made raw."
            }
        }
    }
}
