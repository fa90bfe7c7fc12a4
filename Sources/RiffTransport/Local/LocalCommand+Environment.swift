// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension LocalCommand {
    /// The command with a terminal's name in its environment.
    func onTerminal(_ name: String) -> LocalCommand {
        var command = self
        var variables = environment ?? ProcessInfo.processInfo.environment
        // An inherited one tells of the terminal this process runs on, if any.
        if environment?["TERM"] == nil { variables["TERM"] = name }
        command.environment = variables
        return command
    }
}
