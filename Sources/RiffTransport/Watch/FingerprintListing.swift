// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// One command that tells the fingerprints of many paths, and the reading of its answer.
struct FingerprintListing {
    let paths: [String]

    /// GNU and busybox know `-c`, BSD and macOS `-f`; what each says of the other's is no line of ours. The last line
    /// tells that a `stat` was there at all: no other line is then no file.
    private static let script = """
        command -v stat >/dev/null 2>&1 || exit 0
        found=$(stat -L -c 'riff-fp %d:%i %s %.9Y/%.9Z %n' -- "$@" 2>/dev/null)
        test -n "$found" || found=$(stat -L -f 'riff-fp %d:%i %z %Fm/%Fc %N' -- "$@" 2>/dev/null)
        printf '%s\\nriff-fp end\\n' "$found"
        """

    /// The line for the host's login shell; `nil` where a path cannot be told apart in the answer.
    func commandLine() throws(CoreError) -> String? {
        guard !paths.contains(where: { $0.utf8.contains(0x0A) || $0.isEmpty }) else { return nil }
        return try ShellQuoting.join(["sh", "-c", Self.script, "sh"] + paths)
    }

    /// The answer's fingerprints; `nil` where it is none. What the login shell's profile wrote is passed over.
    func read(_ text: String) -> [String: FileFingerprint]? {
        var found: [String: FileFingerprint] = [:]
        var isWhole = false
        let asked = Set(paths.map(ByteName.init))
        for line in text.byteLines {
            if line == "riff-fp end" { isWhole = true }
            let fields = line.split(byte: " ", maxSplits: 4, omittingEmptySubsequences: false)
            guard fields.count == 5, fields[0] == "riff-fp", let size = UInt64(fields[2]) else { continue }
            let path = String(fields[4])
            guard asked.contains(ByteName(path)) else { continue }
            found[path] = FileFingerprint(identity: String(fields[1]), sizeBytes: size, stamp: String(fields[3]))
        }
        return isWhole ? found : nil
    }
}
