// Riff
// SPDX-License-Identifier: Apache-2.0

/// A small program that a conformance check needs on the other side.
///
/// Give ``commandLine`` to a login shell, or ``script`` to `sh -c`; an implementation without a shell (an in-memory
/// one) plays it by its ``name``.
public struct ConformanceProgram: Sendable, Hashable {
    /// The name of the program, by its work, for those who play it.
    public let name: String
    /// POSIX shell text, without a single quote or a backslash before one.
    public let script: String

    /// Creates a program.
    public init(name: String, script: String) {
        self.name = name
        self.script = script
    }

    /// The script as one line for any login shell (sh, bash, zsh, fish, csh), which it replaces.
    public var commandLine: String { "exec sh -c '\(script)'" }

    /// Writes `READY` and a line feed, then everything back that it reads, byte by byte the same.
    public static let echo = ConformanceProgram(name: "echo", script: "stty raw -echo; echo READY; exec cat")
    /// Writes the records `0000000|` to `1310719|` (10 MiB) and ends.
    public static let flood = ConformanceProgram(
        name: "flood",
        script: "stty raw -echo; \(FloodRecords.command)"
    )
    /// Writes `READY` and a line feed, is slow to begin, reads 1 MiB and writes what `cksum` says of it.
    public static let checksum = ConformanceProgram(
        name: "checksum",
        script: "stty raw -echo; echo READY; sleep 0.3; head -c 1048576 | cksum"
    )
    /// Writes `READY` and a line feed, then for each line read the rows and columns of its terminal (`24 80`).
    public static let sizes = ConformanceProgram(
        name: "sizes",
        script: "stty -echo -opost; echo READY; while read line; do stty size; done"
    )
    /// Ends with status 7.
    public static let exit = ConformanceProgram(name: "exit", script: "exit 7")
    /// Ends by SIGTERM.
    public static let signal = ConformanceProgram(name: "signal", script: "kill -TERM $$")
    /// Writes `READY` and a line feed, reads nothing, and ends with status 3 after a second.
    public static let deafThenGone = ConformanceProgram(
        name: "deafThenGone",
        script: "stty raw -echo; echo READY; sleep 1; exit 3"
    )
    /// Writes `READY` and a line feed, then neither reads nor writes nor ends.
    public static let deaf = ConformanceProgram(name: "deaf", script: "stty raw -echo; echo READY; exec sleep 60")

    /// Writes 4096 blocks of 4096 bytes, and after each the number of blocks into a file, which it removes at the end.
    static func metered(_ path: String) -> ConformanceProgram {
        ConformanceProgram(
            name: "metered",
            script: "stty raw -echo; i=0; while [ $i -lt 4096 ]; do printf %4096s x; i=$((i+1)); echo $i >\(path); "
                + "done; rm -f \(path)"
        )
    }

    /// Waits until that number has not changed for half a second, and writes it between `<` and `>`.
    static func meter(_ path: String) -> ConformanceProgram {
        ConformanceProgram(
            name: "meter",
            script:
                "a=none; while b=$(cat \(path) 2>/dev/null); [ \"$a\" != \"$b\" ] || [ -z \"$b\" ]; do a=$b; sleep 0.5; "
                + "done; echo \"<$b>\""
        )
    }
}
