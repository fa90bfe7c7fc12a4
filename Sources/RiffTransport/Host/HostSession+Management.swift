// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension HostSession {
    /// Runs a POSIX shell line, and tells its output from everything else that a login profile writes around it; see
    /// ``ManagementCommand``.
    ///
    /// - Returns: The report. A cancelled task is out of time.
    package func report(
        of line: String,
        input: [UInt8] = [],
        outputLimit: Int = 1 << 20,
        timeout: Duration
    ) async -> ManagementReport {
        let command: ManagementCommand
        do { command = try ManagementCommand(line) } catch {
            return ManagementReport(outcome: .connect(error), diagnostics: "")
        }
        do {
            // The marks and what a profile writes come on top of the command's own output.
            let limit = min(outputLimit, .max / 2) + 64 * 1024
            let result = try await run(command.line, input: input, outputLimit: limit, timeout: timeout)
            var parser = ManagementOutputParser(command, outputLimit: outputLimit)
            parser.feed(result.output)
            return ManagementReport(
                outcome: parser.outcome(at: .closed),
                diagnostics: command.diagnostics(in: Array(result.diagnostics.prefix(64 * 1024)))
            )
        } catch let error as TransportError where error.code == .timeout {
            return ManagementReport(outcome: .timeout(partial: []), diagnostics: "")
        } catch is CancellationError {
            return ManagementReport(outcome: .timeout(partial: []), diagnostics: "")
        } catch {
            return ManagementReport(outcome: .connect(error.asRiffError), diagnostics: "")
        }
    }
}
