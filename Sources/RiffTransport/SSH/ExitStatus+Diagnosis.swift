// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension ExitStatus {
    /// Why a command of a login shell did not even start, where its status and its first output say so: the shell
    /// cannot be used, or a program is not on its PATH.
    package func reasonNotToStart(output: String, host: String) -> (any RiffError)? {
        guard case .exited(let status) = self else { return nil }
        if status == UnsupportedShell.exitStatus, let shell = UnsupportedShell(in: output) {
            return shell.error(host: host)
        }
        if status == StartCheck.missingDirectoryStatus, let folder = StartCheck.missingDirectory(in: output) {
            let message =
                "The start folder \(folder) is not on \(host), or cannot be entered there; nothing was started. Create it, or "
                + "choose another one."
            return TransportError(.startDirectoryNotFound, message, recovery: .openSettings(.startDirectory))
        }
        if status == 1, let error = Self.missingSession(in: output, host: host) { return error }
        // 127 is every shell's status for it, and no other status may be read so.
        guard status == 127, let program = MissingProgram(status: 127, diagnostics: output) else { return nil }
        return TransportError(.programNotFound, ConnectionProblem.programMissing(program, host: host))
    }

    /// Why tmux did not attach, in its own words.
    private static func missingSession(in output: String, host: String) -> TransportError? {
        guard let failure = TmuxFailure(diagnostics: output), let subject = failure.subject else { return nil }
        let name = InertText.line(String(subject.prefix(128)))
        switch failure.kind {
        case .sessionReplaced:
            let message =
                "The tmux session \(name) on \(host) has ended, and another one has its name now: what was running in it is "
                + "over. Open it again to see the new one."
            return TransportError(.sessionReplaced, message)
        case .sessionNotFound:
            let message = "There is no tmux session \(name) on \(host) any more: what was running in it is over."
            return TransportError(.sessionGone, message)
        default: return nil
        }
    }
}

extension TransportErrorCode {
    /// The folder in which a session was to start is not on the host, or cannot be entered.
    public static let startDirectoryNotFound = TransportError.Code(rawValue: "startDirectoryNotFound")
    /// The session has ended, and another one has its name.
    public static let sessionReplaced = TransportError.Code(rawValue: "sessionReplaced")
    /// There is no session of that name any more: what ran in it is over.
    public static let sessionGone = TransportError.Code(rawValue: "sessionGone")
}
