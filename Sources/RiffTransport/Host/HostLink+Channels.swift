// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
public import RiffCore
internal import Synchronization

/// One connection of a link, and how many channels are open on it.
final class HostLinkSlot: Sendable {
    private struct Count {
        /// Places taken, for channels that are open or being opened.
        var taken = 0
        var open = 0
        /// The most that were open at once: the server allows at least as many.
        var most = 0
        /// The number of channels that are assumed to fit until one of them ends, after the server refused one more.
        var limit: Int?
        /// Whether a channel has ended, or was given up while it was being opened, which the server may still count.
        var hasEnded = false
    }

    /// The meaning of a refusal.
    enum Refusal {
        /// There never was a channel, so that it is not for want of room.
        case final
        /// There was room for one more: the server has not seen the end of an earlier channel yet.
        case early
        /// There is no room now.
        case full
        /// There is room for this many, and never for more.
        case limit(Int)
    }

    let connection: SSHConnection
    /// Whether it carries forwards and no sessions.
    let isForForwards: Bool
    /// The relay that carries the connection, if that is not a socket of its own.
    let relay: SSHChannelRelay?
    private let count = Mutex(Count())

    init(_ connection: SSHConnection, isForForwards: Bool = false, relay: SSHChannelRelay? = nil) {
        self.connection = connection
        self.isForForwards = isForForwards
        self.relay = relay
    }

    var isUsable: Bool { connection.end.current == nil }

    /// The number of channels that are open on the connection.
    var openCount: Int { count.withLock(\.open) }

    /// Takes a place if there is one.
    func reserve(limit: Int?) -> Bool {
        guard isUsable, !isForForwards else { return false }
        return count.withLock { count in
            guard count.taken < min(limit ?? .max, count.limit ?? .max) else { return false }
            count.taken += 1
            return true
        }
    }

    /// The channel for which a place was taken is open.
    func opened() {
        count.withLock { count in
            count.open += 1
            count.most = max(count.most, count.open)
        }
    }

    /// An open channel has ended.
    func closed() {
        count.withLock { count in
            count.hasEnded = true
            count.open -= 1
            count.taken -= 1
            count.limit = nil
        }
    }

    /// The channel for which a place was taken could not be opened.
    func failed() {
        count.withLock { count in
            count.taken -= 1
            count.hasEnded = true
        }
    }

    /// The server refused the channel for which a place was taken. It counts commands that still run on it after their
    /// channel was closed, and an end of a channel that it got together with the request for the next one. So a refusal
    /// tells its limit only where none has ended.
    ///
    /// - Parameter isSecond: Whether it refused the same once before.
    /// - Returns: What that means.
    func refused(isSecond: Bool) -> Refusal {
        count.withLock { count in
            count.taken -= 1
            guard count.most > 0 || count.hasEnded else { return .final }
            if count.open < count.most, !isSecond { return .early }
            // With none open, nothing would end to tell that there is room again.
            count.limit = count.open > 0 ? count.open : nil
            return count.hasEnded ? .full : .limit(count.most)
        }
    }
}

extension HostLink {
    /// The number of session channels that are open now, on all connections: of terminals, commands, files.
    package var openChannelCount: Int { slots.reduce(0) { $0 + $1.openCount } }

    /// Opens a session channel on a connection that has room, and makes a further connection where none has.
    ///
    /// - Parameters:
    ///   - program: What is started.
    ///   - setup: Where its bytes go.
    ///   - dials: Whether a link that nobody wants any more is dialed for it.
    ///   - isWanted: Whether the program is still to be started, asked right before; a link that is not connected is
    ///     not waited for then.
    ///   - leftovers: Is given the channel where the caller is cancelled while the program is being started, and closes
    ///     it.
    /// - Returns: The open channel; its place is given back when it ends.
    /// - Throws: What made the dial or the start fail; `CancellationError`.
    func start(
        _ program: SSHChannelProgram,
        _ setup: SSHChannelState.Setup = SSHChannelState.Setup(),
        dials: Bool = true,
        onlyWhile isWanted: (@Sendable () -> Bool)? = nil,
        leftovers: (@Sendable (SSHChannelHandle) async -> Void)? = nil
    ) async throws -> SSHChannelHandle {
        if dials { handle(.wanted) }
        if case .terminal = program {
            terminalCount += 1
            try await inputGate.pass()
        }
        var attempts = 0
        var early: [HostLinkSlot] = []
        var full: [HostLinkSlot] = []
        while true {
            attempts += 1
            if let isWanted, current.connection != .connected || !isWanted() { throw noLongerWanted }
            try await waitUntilConnected()
            let slot = slots.first { slot in
                !full.contains { $0 === slot } && slot.reserve(limit: channelsPerConnection)
            }
            guard let slot else {
                if let over = slots.first(where: { !$0.isUsable }) {
                    // Whether that means no connection at all shows when it was taken out.
                    await forget(over)
                    continue
                }
                try await makeRoom()
                continue
            }
            let gate = ChannelEndGate(setup.onEnd)
            var counted = setup
            counted.onOpen = { slot.opened() }
            counted.onEnd = { result in
                slot.closed()
                gate.end(result)
            }
            let limit = configuration.operationTimeout
            let handle: SSHChannelHandle
            do {
                handle = try await slot.connection.openSession(for: program, counted, within: limit)
            } catch let error as TransportError where error.code == .channelRefused {
                switch slot.refused(isSecond: early.contains { $0 === slot }) {
                case .final: throw error
                case .early: early.append(slot)
                case .full: full.append(slot)
                case .limit(let limit):
                    channelsPerConnection = min(channelsPerConnection ?? limit, limit)
                    full.append(slot)
                }
                continue
            } catch let error as TransportError where error.code == .connectionLost {
                slot.failed()
                // Nothing was started on it: the link knows whether another connection comes.
                await forget(slot)
                continue
            } catch {
                slot.failed()
                throw error
            }
            if let isWanted, !isWanted() {
                gate.open()
                await handle.close()
                throw noLongerWanted
            }
            do {
                try await slot.connection.start(program, on: handle, within: limit)
                gate.open()
                return handle
            } catch let error as TransportError where error.code == .closedUnanswered && attempts < 20 {
                // dropbear 2022.83 closes a channel on which nothing runs yet when a command on another one ends at
                // that moment; it has to be asked again on another one. The gate keeps a command from running twice,
                // and a terminal is hung up with its channel.
                gate.shut()
                await handle.close()
            } catch {
                gate.open()
                // A gated command has not begun, and does not where its channel is closed.
                if let leftovers, error is CancellationError, await !slot.connection.gatesCommands {
                    await leftovers(handle)
                } else {
                    await handle.close()
                }
                throw error
            }
        }
    }

    private var noLongerWanted: TransportError {
        let message = "\(configuration.address) was not asked: the connection that it was meant for is lost."
        return TransportError(.notConnected, message, recovery: .retry)
    }

    /// Waits until no terminal was asked for in the last moments, for some seconds at most.
    package func waitUntilCalm() async throws {
        for _ in 0..<10 {
            let count = terminalCount
            try await clock.sleep(for: .milliseconds(500))
            if terminalCount == count { return }
        }
    }

    /// Opens TCP from the host to somewhere, for a host behind it or another connection.
    func openTunnel(to address: HostAddress, hooks: SSHTunnelHooks?) async throws -> SSHChannelHandle {
        try await connect()
        guard let slot = slots.first(where: { $0.isUsable && !$0.isForForwards }) else {
            throw HostLink.notConnected(configuration)
        }
        do {
            return try await slot.connection.openTunnel(
                to: address.tunnelTarget,
                SSHChannelState.Setup(hooks: hooks),
                within: configuration.operationTimeout
            )
        } catch let error as TransportError
            where [.channelRefused, .forwardingProhibited, .forwardingFailed].contains(error.code)
        {
            let message = "\(configuration.address) would not connect to \(address): \(error.message)"
            throw TransportError(.unreachable, message, recovery: .checkNetwork, cause: error)
        }
    }

    /// Dials one more connection; callers share a dial that is under way.
    private func makeRoom() async throws {
        if extraDial == nil {
            let outcome = EventualValue<Result<Void, any Error>>()
            let task = Task { [weak self, configuration] in
                do {
                    let slot = try await HostLink.makeConnection(configuration)
                    await self?.extraDialEnded(with: slot)
                    outcome.resolve(.success(()))
                } catch {
                    await self?.extraDialEnded(with: nil)
                    outcome.resolve(.failure(error))
                }
            }
            extraDial = (task, outcome)
        }
        let result = try await extraDial?.outcome.cancellableValue()
        do {
            try result?.get()
        } catch is CancellationError {
            // The link gave it up, not this caller, who asks again how the link stands.
        }
    }

    private func extraDialEnded(with slot: HostLinkSlot?) async {
        extraDial = nil
        guard let slot else { return }
        guard current.connection == .connected else { return await slot.connection.close() }
        add(slot)
    }

    // MARK: Dialing

    static func makeConnection(
        _ configuration: SSHHost.Configuration,
        isForForwards: Bool = false
    ) async throws -> HostLinkSlot {
        let plan = try configuration.plan.withUsableCredentials()
        if let jump = configuration.jump {
            let tunnel = SSHTunnelWire.Maker()
            let handle = try await jump.openTunnel(to: configuration.address, hooks: tunnel.hooks)
            let loop = handle.connection.loop
            let wire = try await tunnel.make(over: handle, on: loop)
            return HostLinkSlot(
                try await SSHConnection.dial(plan, wire: wire, on: loop, attach: tunnel.attach),
                isForForwards: isForForwards
            )
        }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        guard let network = configuration.dialer as? NetworkDialer else {
            return try await makeConnection(configuration, plan, on: loop, isForForwards: isForForwards)
        }
        // Straight from the socket to the engine, without a task in between.
        let wire = try await SSHSocketWire.connect(
            to: configuration.address,
            on: loop,
            within: configuration.connectTimeout,
            addresses: network.addresses
        )
        let bound = try await loop.submit { NIOLoopBound(wire.value as any SSHWire, eventLoop: loop) }.get()
        return HostLinkSlot(
            try await SSHConnection.dial(plan, wire: bound, on: loop) { connection in
                wire.value.attach(connection)
            },
            isForForwards: isForForwards
        )
    }

    /// Makes a connection over what a dialer opens.
    private static func makeConnection(
        _ configuration: SSHHost.Configuration,
        _ plan: SSHConnection.Plan,
        on loop: any EventLoop,
        isForForwards: Bool
    ) async throws -> HostLinkSlot {
        let channel = try await dial(configuration)
        let relay = SSHChannelRelay(channel, to: configuration.address)
        do {
            let wire = try await loop.submit {
                NIOLoopBound(SSHChannelWire(relay) as any SSHWire, eventLoop: loop)
            }.get()
            let connection = try await SSHConnection.dial(plan, wire: wire, on: loop) { connection in
                relay.start(for: connection)
            }
            return HostLinkSlot(connection, isForForwards: isForForwards, relay: relay)
        } catch {
            relay.close()
            await relay.end(atOnce: error is CancellationError)
            throw error
        }
    }

    /// Has the dialer connect, and holds it to its limit: a little later than that, so that its own words are heard.
    private static func dial(_ configuration: SSHHost.Configuration) async throws -> any ByteChannel {
        let (dialer, address, limit) = (configuration.dialer, configuration.address, configuration.connectTimeout)
        do {
            return try await BoundedDial.run(within: limit + .seconds(2)) {
                try await dialer.dial(address, within: limit)
            }
        } catch let error as CancellationError {
            throw error
        } catch is DeadlineExceeded {
            let message = "\(address) was not reached: its dialer did not end within \(limit)."
            throw TransportError(.timeout, message, recovery: .retry)
        } catch let error as TransportError {
            throw error
        } catch {
            let problem = ConnectionProblem.unreachable(host: address, reason: InertText.quote("\(error)"))
            throw TransportError(.unreachable, problem, cause: error)
        }
    }

    /// Whether trying the same again later can help.
    package static func isRetryable(_ error: any Error) -> Bool {
        guard let error = error as? TransportError else { return false }
        let permanent: [TransportError.Code] = [
            .notAuthorized, .noUsableCredential, .personAbsent, .keyUnusable, .noCommonAlgorithm, .weakAlgorithm,
            .sshUnavailable, .proxyNotAuthorized, .dialerUnusable,
        ]
        return !permanent.contains(error.code)
    }

    static func notConnected(_ configuration: SSHHost.Configuration) -> TransportError {
        TransportError(.closed, "There is no connection to \(configuration.address); it was ended on this side.")
    }
}

extension TransportErrorCode {
    /// The connection is lost and comes back by itself; what was to be sent was not.
    public static let notConnected = TransportError.Code(rawValue: "notConnected")
}
