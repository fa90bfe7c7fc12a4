// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A command or a subsystem on a host, as a byte channel.
struct SSHExecChannel: ByteChannel {
    let handle: SSHChannelHandle

    var output: ByteStream { ByteStream(handle.state.output) }
    var diagnostics: ByteStream { ByteStream(handle.state.diagnostics) }

    func write(_ bytes: [UInt8]) async throws { try await handle.state.input.send(bytes) }

    func finishWriting() async throws { handle.state.input.finish() }

    func close() async { await handle.close() }

    func exitStatus() async throws -> ExitStatus? { try await handle.state.end.cancellableValue().get() }
}
