// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore
package import RiffTransport

extension ManagementReport {
    /// The failure that tmux reported, if the command was a call of tmux that failed: its exit status does not tell.
    package var tmuxFailure: TmuxFailure? { TmuxFailure(diagnostics: diagnostics) }
}
