// Riff
// SPDX-License-Identifier: Apache-2.0

@preconcurrency import Dispatch
import Foundation
import RiffCore

/// The person's terminal: raw and on its other screen while riff-term runs, and as it was before afterwards.
final class OwnTerminal: Sendable {
    private let saved: termios
    /// Writing blocks while the terminal is held up, so it is done here.
    private let queue = DispatchQueue(label: "riff.term.output")

    /// Whether standard input and output are a terminal.
    static var isThere: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// Takes it over.
    init() throws {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { throw TermFailure("Standard input is not a terminal.") }
        saved = settings
        cfmakeraw(&settings)
        guard tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) == 0 else {
            throw TermFailure("The terminal cannot be made raw.")
        }
        Self.put(Array("\u{1B}[?1049h".utf8))
    }

    /// Gives it back, without what a session wanted of it: modes, colours, its other screen. Returns when it is done, or
    /// when a terminal that is held up has had a second for it.
    func restore() {
        let modes = [
            "?2026l", "?1000l", "?1002l", "?1003l", "?1006l", "?2004l", "?1004l", "?1l", "?1049l", "?25h", "0 q",
        ]
        let text = modes.map { "\u{1B}[\($0)" }.joined() + "\u{1B}>\u{1B}[0m"
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
    var size: TerminalSize {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return .standard
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Writes, and returns when the terminal has taken it: whoever draws makes the next frame then.
    func write(_ text: String) async {
        guard !text.isEmpty else { return }
        await withCheckedContinuation { done in
            queue.async {
                Self.put(Array(text.utf8))
                done.resume()
            }
        }
    }

    /// What is typed, until the terminal is hung up. Whoever reads does nothing else, so that little waits here.
    func typed() -> AsyncStream<[UInt8]> {
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

/// Something that keeps riff-term from going on, in words for the person.
struct TermFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
