// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Reads why a command failed out of how it ended and what it wrote.
struct CommandFailureReading {
    let exit: ExitStatus?
    let diagnostics: String

    var code: TransportError.Code {
        if case .signaled = exit { return .commandKilled }
        let status: Int32? = if case .exited(let status) = exit { status } else { nil }
        if status == 127 { return .programNotFound }
        if status == 126 { return .programNotExecutable }
        // The last line that says something known counts: a profile's warnings come before the command's own words.
        for line in diagnostics.split(whereSeparator: \.isNewline).reversed() {
            let line = line.lowercased()
            if let found = Self.phrases.first(where: { line.contains($0.words) }) { return found.code }
        }
        // 128 + SIGKILL, as shells tell it of their children.
        if status == 137 || status == 143 { return .commandKilled }
        return .commandFailed
    }

    /// Lower case. The first that a line contains counts: what `ssh` says of a refused key contains what the system
    /// says of a refused file.
    private static let phrases: [(words: String, code: TransportError.Code)] = [
        ("remote host identification has changed", .remoteHostKeyRefused),
        ("host key verification failed", .remoteHostKeyRefused),
        ("permission denied (publickey", .notAuthorized),
        ("permission denied (password", .notAuthorized),
        ("permission denied (keyboard-interactive", .notAuthorized),
        ("permission denied (gssapi", .notAuthorized),
        ("too many authentication failures", .notAuthorized),
        ("password change required", .notAuthorized),
        ("required to change your password", .notAuthorized),
        ("could not resolve hostname", .hostNotFound),
        ("name or service not known", .hostNotFound),
        ("connection refused", .connectionRefused),
        ("no route to host", .unreachable),
        ("network is unreachable", .unreachable),
        ("connection timed out", .unreachable),
        ("operation timed out", .unreachable),
        ("connection closed by remote host", .connectionLost),
        ("connection reset by peer", .connectionLost),
        ("broken pipe", .connectionLost),
        ("no space left on device", .noSpace),
        ("disk quota exceeded", .noSpace),
        ("read-only file system", .readOnlyFileSystem),
        ("cannot allocate memory", .outOfResources),
        ("too many open files", .outOfResources),
        ("resource temporarily unavailable", .outOfResources),
        ("permission denied", .permissionDenied),
        ("operation not permitted", .permissionDenied),
        ("no such file or directory", .fileNotFound),
        ("file exists", .fileExists),
        ("command not found", .programNotFound),
    ]
}
