// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A connection to a proxy, and the handshake over it, within one limit.
struct ProxyConnection {
    /// The kind of proxy, as the subject of a sentence.
    let kind: String
    let proxy: HostAddress
    let target: HostAddress
    let dialer: any HostDialer
    let limit: Duration

    private var name: String { "\(kind) \(proxy.endpoint)" }

    /// Connects to the proxy, and through it to the host.
    ///
    /// - Parameter make: Makes the handshake; called before anything is dialed.
    /// - Returns: The proxy's channel, which is now the host's.
    /// - Throws: `TransportError` that says which hop failed; `CancellationError`.
    func open(_ make: () throws(ProxyFailure) -> some ProxyHandshake) async throws -> any ByteChannel {
        let machine: any ProxyHandshake
        do { machine = try make() } catch { throw failure(error) }
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        let channel: any ByteChannel
        do {
            channel = try await dialer.dial(proxy, within: limit)
        } catch let error as TransportError {
            // A proxy behind a proxy: what the first one says stands as it is.
            guard !error.isOfProxy else { throw error }
            let message = "\(target) is reached by \(name), which was not reached: \(error.message)"
            throw TransportError(.proxyUnreachable, message, recovery: error.recovery, cause: error)
        }
        do {
            let rest = max(.zero, deadline - clock.now)
            let first = try await withDeadline(
                rest,
                clock: clock,
                abandoning: {
                    try await shakeHands(machine, over: channel)
                }
            )
            channel.output.pipe.putBack(first)
            return channel
        } catch {
            await channel.abort()
            switch error {
            case let error as ProxyFailure: throw failure(error)
            case is DeadlineExceeded:
                let message = "\(name) took the connection, and did not say within \(limit) that it reached \(target)."
                throw TransportError(.timeout, message, recovery: .retry)
            case let error as TransportError where !error.isOfProxy:
                let message = "\(name) was lost on the way to \(target): \(error.message)"
                throw TransportError(.proxyFailed, message, recovery: .retry, cause: error)
            default: throw error
            }
        }
    }

    private func shakeHands(_ machine: any ProxyHandshake, over channel: any ByteChannel) async throws -> [UInt8] {
        var machine = machine
        try await channel.write(machine.greeting)
        var iterator = channel.output.makeAsyncIterator()
        while let bytes = try await iterator.next() {
            switch try machine.handle(bytes) {
            case .wait: break
            case .send(let bytes): try await channel.write(bytes)
            case .connected(let first): return first
            }
        }
        if let reason = await channel.endReason(of: "The way to \(proxy.endpoint)", after: nil) { throw reason }
        let message = "\(name) hung up before it said that it reached \(target)."
        throw TransportError(.proxyFailed, message, recovery: .retry)
    }

    private func failure(_ failure: ProxyFailure) -> TransportError {
        switch failure {
        case .stranger(let words):
            let message = "What answers at \(proxy.endpoint) is no \(kind.kindOfProxy): \(words). Check the port."
            return TransportError(.proxyFailed, message, recovery: .openSettings(.proxy), cause: failure)
        case .notAuthorized(let words):
            let message = "\(name) lets nobody to \(target) with this login: \(words)."
            return TransportError(.proxyNotAuthorized, message, recovery: .openSettings(.proxy), cause: failure)
        case .refused(let words):
            let message = "\(name) does not connect to \(target): \(words)."
            return TransportError(.proxyRefused, message, recovery: .openSettings(.proxy), cause: failure)
        case .targetRefused:
            let message = "\(name) reached \(target.name), and nothing answers at port \(target.port) there."
            return TransportError(.connectionRefused, message, recovery: .openSettings(.port), cause: failure)
        case .targetUnreachable(let words):
            let message = "\(name) did not reach \(target): \(words)."
            return TransportError(.unreachable, message, recovery: .checkNetwork, cause: failure)
        }
    }
}

extension String {
    /// The kind of proxy without its article.
    fileprivate var kindOfProxy: Substring { dropFirst("The ".count) }
}

extension TransportError {
    /// Whether it was said by or of a proxy.
    fileprivate var isOfProxy: Bool {
        let codes: [Code] = [.proxyUnreachable, .proxyNotAuthorized, .proxyRefused, .proxyFailed]
        return codes.contains(code) || cause is ProxyFailure
    }
}

extension HostAddress {
    /// The name and the port, also where that is SSH's own.
    package var endpoint: String { name.contains(byte: ":") ? "[\(name)]:\(port)" : "\(name):\(port)" }
}
