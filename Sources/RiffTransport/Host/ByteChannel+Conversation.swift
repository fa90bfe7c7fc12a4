// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension ByteChannel {
    /// Writes all input and reads both outputs to their end at once, since a command may wait for any of the three; the
    /// first failure ends all.
    ///
    /// - Parameters:
    ///   - input: Bytes for the command, whose input is then ended.
    ///   - outputLimit: The most bytes kept of either output.
    /// - Returns: What it wrote, and how it ended.
    /// - Throws: `outputTooLarge`, what breaks the channel, `CancellationError`. The caller closes the channel.
    package func converse(input: [UInt8], outputLimit: Int) async throws -> CommandResult {
        let (output, diagnostics) = try await withThrowingTaskGroup(of: (isOutput: Bool, bytes: [UInt8]).self) {
            group in
            group.addTask {
                do {
                    if !input.isEmpty { try await self.write(input) }
                    try await self.finishWriting()
                } catch let error as TransportError where error.code == .closed {
                    // A command need not read its input; how it ended tells whether that was right.
                }
                return (false, [])
            }
            group.addTask { (true, try await self.output.collect(upTo: outputLimit)) }
            group.addTask { (false, try await self.diagnostics.collect(upTo: outputLimit)) }
            var output: [UInt8] = []
            var diagnostics: [UInt8] = []
            for try await part in group {
                if part.isOutput { output = part.bytes } else { diagnostics += part.bytes }
            }
            return (output, diagnostics)
        }
        return CommandResult(output: output, diagnostics: diagnostics, exit: try await exitStatus())
    }
}
