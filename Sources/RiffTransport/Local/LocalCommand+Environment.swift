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

    /// The command with variables added to its environment, in the place of others of their names.
    func adding(_ variables: [String: String]) -> LocalCommand {
        guard !variables.isEmpty else { return self }
        var command = self
        command.environment = (environment ?? ProcessInfo.processInfo.environment).merging(variables) { $1 }
        return command
    }
}
