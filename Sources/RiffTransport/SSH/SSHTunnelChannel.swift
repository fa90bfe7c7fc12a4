// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A TCP connection from a host to somewhere, as a byte channel.
struct SSHTunnelChannel: ByteChannel {
    private let handle: SSHChannelHandle
    /// Whether its pipes tell a socket, which may take them over.
    let isHooked: Bool
    let diagnostics: ByteStream

    init(_ handle: SSHChannelHandle, isHooked: Bool = false) {
        self.handle = handle
        self.isHooked = isHooked
        let none = BytePipe()
        none.finish()
        diagnostics = ByteStream(none)
    }

    /// The pipe of what goes to the host, and that of what comes from it.
    var pipes: (input: BytePipe, output: BytePipe) { (handle.state.input, handle.state.output) }

    var output: ByteStream { ByteStream(handle.state.output) }

    func write(_ bytes: [UInt8]) async throws { try await handle.state.input.send(bytes) }

    func finishWriting() async throws { handle.state.input.finish() }

    func close() async { await handle.close() }

    func exitStatus() async throws -> ExitStatus? { try await handle.state.end.cancellableValue().get() }
}
