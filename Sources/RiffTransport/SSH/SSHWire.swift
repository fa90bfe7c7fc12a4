// Riff
// SPDX-License-Identifier: Apache-2.0

/// What carries the bytes of an SSH connection: a socket, or a channel of another connection. Confined to the
/// connection's event loop.
protocol SSHWire: AnyObject {
    /// Whether channel data may be sent now; while not, only what the protocol itself needs is.
    var isWritable: Bool { get }

    /// Sends bytes, in order.
    func send(_ bytes: [UInt8])

    /// Closes; what was sent goes on its way.
    func close()

    /// Closes a wire whose peer is taken for dead; what was sent and did not get there is dropped.
    func abort()
}
