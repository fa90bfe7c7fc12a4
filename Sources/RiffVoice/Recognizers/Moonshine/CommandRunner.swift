// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
package import RiffTransport

/// Runs a program on this machine to its end: its arguments (the first one is an absolute path), nothing on its input.
/// A status other than 0 is a result. Cancellation ends the program and throws `CancellationError`.
package typealias CommandRunner = @Sendable (_ arguments: [String]) async throws -> CommandResult

/// Runs the few commands of an installation as local processes.
enum LocalCommandRunner {
    /// More than pip and python write; what goes beyond it ends the command.
    private static let outputLimit = 4 << 20

    /// Runs a command in a directory: nothing of the one that this process happens to work in is picked up.
    static func run(_ arguments: [String], in directory: String) async throws -> CommandResult {
        guard let program = arguments.first else {
            throw TransportError(.processNotStarted, "No program was named.")
        }
        let process = try await LocalProcess.start(
            LocalCommand(program, Array(arguments.dropFirst()), directory: directory)
        )
        do {
            let result = try await process.converse(input: [], outputLimit: outputLimit)
            await process.close()
            return result
        } catch {
            await process.close()
            throw error
        }
    }
}
