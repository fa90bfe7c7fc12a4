// Riff
// SPDX-License-Identifier: Apache-2.0

/// The carrier of an SSH connection's bytes: a socket, or a channel of another connection. Confined to the connection's
/// event loop.
protocol SSHWire: AnyObject {
    /// Whether channel data may be sent now; while not, only what the protocol itself needs is.
    var isWritable: Bool { get }

    /// Sends bytes, in order.
    func send(_ bytes: [UInt8])

    /// Closes the wire after the bytes that were sent have left.
    func close()

    /// Closes a wire whose peer is taken for dead; what was sent and did not get there is dropped.
    func abort()
}
