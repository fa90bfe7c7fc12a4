// Riff
// SPDX-License-Identifier: Apache-2.0

#if LibSSH2 && (os(macOS) || os(Linux))
internal import RiffCore

extension LibSSH2Engine {
    /// The number of bytes that the engine holds for its peer: those that came and were not looked at yet, and those
    /// that libssh2 keeps.
    package var heldBytes: Int { context.pointee.heldBytes + input.count - inputOffset }

    /// The most bytes that it may hold: the session itself, and what may rightly wait in the channels that are open.
    package var allowedBytes: Int {
        let drained = drain?.allowedBytes ?? 0
        return channels.reduce(8 * 1024 * 1024 + drained) { $0 + $1.allowedBytes }
    }

    /// Ends the connection to a peer that fills the memory with unrequested packets: libssh2 keeps any packet that it
    /// does not know, also before the key exchange and before authentication, for a caller that may ask for it.
    func endIfFlooded() {
        guard failure == nil, heldBytes > allowedBytes else { return }
        let message = "The server sends what it was not asked for and does not stop; the connection was ended."
        fail(TransportError(.sshProtocol, message, recovery: .retry))
    }
}
#endif
