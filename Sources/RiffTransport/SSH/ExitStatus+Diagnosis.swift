// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension ExitStatus {
    /// Why a command of a login shell did not even start, where its status and its first output say so: the shell cannot
    /// be used, or a program is not on its PATH.
    func reasonNotToStart(output: String, host: HostAddress) -> (any RiffError)? {
        guard case .exited(let status) = self else { return nil }
        if status == UnsupportedShell.exitStatus, let shell = UnsupportedShell(in: output) {
            return shell.error(host: host.description)
        }
        // 127 is every shell's status for it, and no other status may be read so.
        guard status == 127, let program = MissingProgram(status: 127, diagnostics: output) else { return nil }
        return TransportError(.programNotFound, ConnectionProblem.programMissing(program, host: host))
    }
}
