// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

extension ManagementReport {
    /// What tmux said, where the command was a call of tmux that failed; its status alone never tells.
    public var tmuxFailure: TmuxFailure? { TmuxFailure(diagnostics: diagnostics) }
}
