// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
internal import RiffCore
internal import Synchronization

// sample: server: ThrowawaySSHServer
/// A TCP proxy on 127.0.0.1 that makes a network bad, in a way that can be repeated: delays, limits, cuts, resets,
/// silence.
///
/// ```swift
/// let proxy = try await ChaosProxy.start(target: server.port, rules: .fault(.reset, afterBytesToClient: 4096))
/// // dial proxy.port; later:
/// try await proxy.resetAll()
/// await proxy.stop()
/// ```
///
/// Delays are real time: bytes cross real sockets.
public final class ChaosProxy: Sendable {
    private struct State {
        var rules: @Sendable (Int) -> ChaosRules
        var listener: (any Channel)?
        var connections: [Int: Member] = [:]
        var sockets: [ObjectIdentifier: any Channel] = [:]
        var isStopped = false
    }

    private struct Member {
        let loop: any EventLoop
        let connection: NIOLoopBound<ChaosConnection>
    }

    /// The port to dial, on 127.0.0.1. It stays the same while the proxy refuses connections.
    public var port: Int { held.number }
    /// Keeps the port while nothing listens on it.
    private let held: HeldPort
    private let targetHost: String
    private let targetPort: Int
    private let seed: UInt64
    private let ledger = ChaosLedger()
    private let state: Mutex<State>

    /// Starts a proxy with the same rules for every connection.
    ///
    /// - Parameters:
    ///   - target: The port to pass connections on to.
    ///   - host: The target's host.
    ///   - rules: What happens to every connection.
    ///   - seed: Where the random jitter starts; the same seed gives the same delays.
    /// - Returns: The proxy, which accepts connections.
    /// - Throws: ``TestingError`` with `portUnavailable`.
    public static func start(
        target: Int,
        host: String = "127.0.0.1",
        rules: ChaosRules = ChaosRules(),
        seed: UInt64 = 0
    ) async throws -> ChaosProxy {
        try await start(target: target, host: host, seed: seed) { _ in rules }
    }

    /// Starts a proxy with rules for each connection by its number, which starts at 0.
    public static func start(
        target: Int,
        host: String = "127.0.0.1",
        seed: UInt64 = 0,
        rules: @escaping @Sendable (Int) -> ChaosRules
    ) async throws -> ChaosProxy {
        let proxy = ChaosProxy(held: try HeldPort(), targetHost: host, targetPort: target, seed: seed, rules: rules)
        try await proxy.acceptConnections()
        return proxy
    }

    private init(
        held: HeldPort,
        targetHost: String,
        targetPort: Int,
        seed: UInt64,
        rules: @escaping @Sendable (Int) -> ChaosRules
    ) {
        self.held = held
        self.targetHost = targetHost
        self.targetPort = targetPort
        self.seed = seed
        state = Mutex(State(rules: rules))
    }

    // MARK: Looking

    /// The counts of the data that passed so far.
    public var counters: Counters { ledger.counters }

    /// Suspends until the counters meet a condition, which is looked at after each change.
    ///
    /// - Parameter condition: Whether it is enough; called under a lock, so it only compares.
    /// - Throws: `CancellationError`.
    public func waitUntil(_ condition: @escaping @Sendable (Counters) -> Bool) async throws {
        try await ledger.waitUntil(condition)
    }

    // MARK: Orders

    /// Changes the rules of the connections that come from now on.
    public func setRules(_ rules: ChaosRules) { state.withLock { $0.rules = { _ in rules } } }

    /// Closes all connections that are open now, as a peer would: see ``ChaosRules/Fault/cut``.
    public func cutAll() async throws { try await apply(.cut) }
    /// Resets all connections that are open now.
    public func resetAll() async throws { try await apply(.reset) }
    /// Passes nothing on for all connections that are open now, both ways, until ``resumeAll()``.
    public func stallAll() async throws { try await apply(.stall) }
    /// Loses everything from now on for all connections that are open now, without a report to either side.
    public func vanishAll() async throws { try await apply(.vanish) }
    /// Ends every stall, in order and without loss.
    public func resumeAll() async throws { try await eachConnection { $0.resume() } }

    /// Closes the listener, so that new connections are refused; those that are open go on.
    public func refuseConnections() async throws {
        let listener = state.withLock { state in
            defer { state.listener = nil }
            return state.listener
        }
        try await listener?.close().get()
    }

    /// Listens (again), on the same port. Does nothing where it listens already.
    public func acceptConnections() async throws {
        guard state.withLock({ $0.listener == nil && !$0.isStopped }) else { return }
        let listener = try await ServerBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.socketOption(HeldPort.sharing), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { [self] channel in accepted(channel) }
            .bind(host: "127.0.0.1", port: port).get()
        let isWanted = state.withLock { state in
            if !state.isStopped { state.listener = listener }
            return !state.isStopped
        }
        if !isWanted { try await listener.close().get() }
    }

    /// Closes everything. Returns when no socket is left; may be called more than once.
    public func stop() async {
        let (listener, sockets) = state.withLock { state in
            state.isStopped = true
            defer { state.listener = nil }
            return (state.listener, Array(state.sockets.values))
        }
        // A socket that is closed already says so by an error, which is what was wanted.
        try? await listener?.close().get()
        for socket in sockets { try? await socket.close().get() }
        // Throws only in a cancelled task, which has asked for the closing and does not need to see its end.
        try? await ledger.waitUntil { $0.openConnections == 0 }
    }

    // MARK: Connections

    private func apply(_ fault: ChaosRules.Fault) async throws { try await eachConnection { $0.apply(fault) } }

    private func eachConnection(_ body: @escaping @Sendable (ChaosConnection) -> Void) async throws {
        for member in state.withLock({ Array($0.connections.values) }) {
            try await member.loop.submit { body(member.connection.value) }.get()
        }
    }

    private func accepted(_ client: any Channel) -> EventLoopFuture<Void> {
        let loop = client.eventLoop
        let number = ledger.change { counters in
            counters.connections += 1
            return counters.connections - 1
        }
        let rules = state.withLock { $0.rules }(number)
        guard !rules.closesOnAccept else { return client.close() }
        guard adopt(client) else { return client.close() }
        let handler = ChaosHandler()
        // A socket that was just accepted is not active yet; what is read before the target is there waits in the
        // kernel.
        handler.onActive = { [self] handler in dial(for: client, handler, number: number, rules: rules) }
        return loop.makeCompletedFuture { try client.pipeline.syncOperations.addHandler(handler) }
    }

    private func dial(for client: any Channel, _ handler: ChaosHandler, number: Int, rules: ChaosRules) {
        let loop = client.eventLoop
        let bound = NIOLoopBound(handler, eventLoop: loop)
        ClientBootstrap(group: loop)
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { target in
                loop.makeCompletedFuture { try target.pipeline.syncOperations.addHandler(ChaosHandler()) }
            }
            .connect(host: targetHost, port: targetPort)
            .whenComplete { [self] result in
                switch result {
                case .failure: client.close(promise: nil)
                case .success(let target): join(client, bound.value, target, number: number, rules: rules)
                }
            }
    }

    private func join(
        _ client: any Channel,
        _ clientHandler: ChaosHandler,
        _ target: any Channel,
        number: Int,
        rules: ChaosRules
    ) {
        guard client.isActive, adopt(target),
            let targetHandler = try? target.pipeline.syncOperations.handler(type: ChaosHandler.self)
        else {
            client.close(promise: nil)
            target.close(promise: nil)
            return
        }
        let connection = ChaosConnection(
            client: client,
            target: target,
            rules: rules,
            seed: seed &+ UInt64(number),
            ledger: ledger
        )
        let member = Member(loop: client.eventLoop, connection: NIOLoopBound(connection, eventLoop: client.eventLoop))
        state.withLock { $0.connections[number] = member }
        ledger.change { $0.openConnections += 1 }
        client.closeFuture.and(target.closeFuture).whenComplete { [self] _ in
            state.withLock { $0.connections[number] = nil }
            ledger.change { $0.openConnections -= 1 }
        }
        clientHandler.attach(to: connection, channel: client)
        targetHandler.attach(to: connection, channel: target)
        connection.start()
    }

    /// Remembers a socket until it is closed; `false` when the proxy has stopped meanwhile.
    private func adopt(_ socket: any Channel) -> Bool {
        let id = ObjectIdentifier(socket)
        let isWelcome = state.withLock { state in
            if !state.isStopped { state.sockets[id] = socket }
            return !state.isStopped
        }
        if isWelcome {
            socket.closeFuture.whenComplete { [self] _ in state.withLock { $0.sockets[id] = nil } }
        }
        return isWelcome
    }
}
