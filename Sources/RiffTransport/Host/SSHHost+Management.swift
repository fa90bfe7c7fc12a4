// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension SSHHost {
    /// Runs a POSIX shell line on the host, and tells its output from whatever the account's login profile writes
    /// around it. Never hangs: a host that falls silent is an outcome, too.
    ///
    /// - Parameters:
    ///   - command: A line for `sh`; build its words with ``ShellQuoting``.
    ///   - outputLimit: The most bytes of output taken.
    ///   - timeout: How long it may take altogether, the dial included.
    /// - Returns: What came of it. A cancelled task is out of time.
    public func manage(
        _ command: String,
        outputLimit: Int = 1 << 20,
        timeout: Duration = ManagementTiming.defaultTimeout
    ) async -> ManagementOutcome {
        await link.manage(command, outputLimit: outputLimit, timeout: timeout)
    }
}
