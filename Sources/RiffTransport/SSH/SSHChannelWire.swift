// Riff
// SPDX-License-Identifier: Apache-2.0

/// A byte channel as a wire: what a dialer opened. Confined to the connection's event loop; its relay is not.
final class SSHChannelWire: SSHWire {
    private let relay: SSHChannelRelay

    init(_ relay: SSHChannelRelay) { self.relay = relay }

    var isWritable: Bool { !relay.outgoing.isPaused }

    func send(_ bytes: [UInt8]) { relay.outgoing.offer(bytes) }

    func close() { relay.close() }

    func abort() { relay.abort() }
}
