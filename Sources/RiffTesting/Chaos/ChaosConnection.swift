// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import RiffTransport

/// Two sockets and the two directions between them, on one event loop.
final class ChaosConnection {
    private let client: any Channel
    private let target: any Channel
    private var toTarget: ChaosDirection?
    private var toClient: ChaosDirection?
    private var hasVanished = false
    /// Nothing is passed on any more; the sockets are kept until both peers have closed.
    private var isOver = false
    private var isClosed = false

    init(client: any Channel, target: any Channel, rules: ChaosRules, seed: UInt64, ledger: ChaosLedger) {
        self.client = client
        self.target = target
        let onLoss: (Int) -> Void = { lost in ledger.change { $0.bytesLost += lost } }
        toTarget = ChaosDirection(
            from: client,
            to: target,
            rules: rules.toTarget,
            seed: seed,
            onForward: { count in ledger.change { $0.bytesToTarget += count } },
            onLoss: onLoss,
            onFault: { [weak self] in self?.apply($0) }
        )
        toClient = ChaosDirection(
            from: target,
            to: client,
            rules: rules.toClient,
            seed: ~seed,
            onForward: { count in ledger.change { $0.bytesToClient += count } },
            onLoss: onLoss,
            onFault: { [weak self] in self?.apply($0) }
        )
    }

    func start() {
        toTarget?.pump()
        toClient?.pump()
    }

    func apply(_ fault: ChaosRules.Fault) {
        guard !isClosed else { return }
        switch fault {
        case .cut:
            swallow()
            client.close(mode: .output, promise: nil)
            target.close(mode: .output, promise: nil)
        case .reset:
            client.reset()
            target.reset()
        case .stall:
            toTarget?.stall()
            toClient?.stall()
        case .vanish:
            hasVanished = true
            swallow()
        }
    }

    func resume() {
        toTarget?.resume()
        toClient?.resume()
    }

    /// Closes both sockets, whatever they do.
    func close() {
        isClosed = true
        toTarget?.close()
        toClient?.close()
        client.close(promise: nil)
        target.close(promise: nil)
    }

    // MARK: What the sockets do

    func direction(from channel: any Channel) -> ChaosDirection? { channel === client ? toTarget : toClient }
    func direction(to channel: any Channel) -> ChaosDirection? { channel === client ? toClient : toTarget }

    func ended(_ channel: any Channel) {
        direction(from: channel)?.ended()
        if toTarget?.sourceHasEnded == true, toClient?.sourceHasEnded == true, isOver { close() }
    }

    /// Handles a socket that was reset by its peer; the other one is reset, too, unless the network is said to be gone.
    func failed(_ channel: any Channel) {
        guard !hasVanished else { return }
        (channel === client ? target : client).reset()
    }

    func closed(_ channel: any Channel) {
        // Its last bytes may still wait here for the other socket.
        ended(channel)
    }

    private func swallow() {
        isOver = true
        toTarget?.swallow()
        toClient?.swallow()
    }
}

/// Hands the events of one socket to its connection.
final class ChaosHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    var onActive: ((ChaosHandler) -> Void)?
    private var connection: ChaosConnection?
    /// Whether the connection ended before it was complete.
    private var endedEarly = false

    func attach(to connection: ChaosConnection, channel: any Channel) {
        self.connection = connection
        if endedEarly { connection.ended(channel) }
    }

    func channelActive(context: ChannelHandlerContext) {
        onActive?(self)
        onActive = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection?.direction(from: context.channel)?.received(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        connection?.direction(from: context.channel)?.readCompleted()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { connection?.direction(to: context.channel)?.pump() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? ChannelEvent, event == .inputClosed else { return }
        endedEarly = true
        connection?.ended(context.channel)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connection?.failed(context.channel)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection?.closed(context.channel)
        connection = nil
    }
}
