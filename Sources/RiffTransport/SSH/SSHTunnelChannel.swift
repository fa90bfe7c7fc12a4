// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A TCP connection from a host to somewhere, as a byte channel.
struct SSHTunnelChannel: ByteChannel {
    private let handle: SSHChannelHandle
    let diagnostics: ByteStream

    init(_ handle: SSHChannelHandle) {
        self.handle = handle
        let none = BytePipe()
        none.finish()
        diagnostics = ByteStream(none)
    }

    var output: ByteStream { ByteStream(handle.state.output) }

    func write(_ bytes: [UInt8]) async throws { try await handle.state.input.send(bytes) }

    func finishWriting() async throws { handle.state.input.finish() }

    func close() async { await handle.close() }

    func exitStatus() async throws -> ExitStatus? { try await handle.state.end.cancellableValue().get() }
}
