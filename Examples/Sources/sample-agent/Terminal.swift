// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The terminal that the program was started in: raw while it runs, as it was before afterwards.
struct Terminal {
    private let saved: termios

    /// Puts the terminal into raw mode and asks for bracketed paste; `nil` where standard input is not a terminal.
    init?() {
        var settings = termios()
        guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        saved = settings
        cfmakeraw(&settings)
        guard tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 else { return nil }
        write("\u{1B}[?2004h")
    }

    /// Undoes what `init` did.
    func restore() {
        write("\u{1B}[?2004l")
        var settings = saved
        // Not TCSAFLUSH: keys typed for the shell beforehand stay.
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }

    /// Writes all of it.
    func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite($0) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR && errno != EAGAIN {
                return  // The terminal is gone; the next read says so.
            }
        }
    }

    private func systemWrite(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        Glibc.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
        Musl.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
        #else
        Darwin.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
        #endif
    }

    /// What has come in, at most 64 KiB; `nil` when the terminal is gone.
    func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = buffer.withUnsafeMutableBytes { recvBytes($0) }
        if count > 0 { return Array(buffer[..<count]) }
        return count < 0 && (errno == EINTR || errno == EAGAIN) ? [] : nil
    }

    private func recvBytes(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Glibc)
        Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
        Musl.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
        #else
        Darwin.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
        #endif
    }

    /// Its size in cells; 80 by 24 where it does not say.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
