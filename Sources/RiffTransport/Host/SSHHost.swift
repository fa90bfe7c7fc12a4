// Riff
// SPDX-License-Identifier: Apache-2.0

public import Logging
public import RiffCore

// sample: key: SSHPrivateKey, pins: some HostKeyStore
/// A machine reached by SSH: the entry point of this library.
///
/// ```swift
/// let host = try SSHHost("mac.tailnet.ts.net", user: "me", key: key, trust: .firstUse(pins))
/// let session = try await host.session("riff", size: TerminalSize(columns: 80, rows: 24))
/// for await bytes in session.output { view.feed(byteArray: bytes[...]) }
/// ```
///
/// A value; copies share one connection. Nothing is dialed before it is needed.
public struct SSHHost: Sendable {
    /// The configuration that the host was created with.
    public let configuration: SSHHost.Configuration
    /// The owner of the host's connections.
    package let link: HostLink

    /// A host with one key.
    ///
    /// - Parameters:
    ///   - name: A DNS name or an IP address.
    ///   - port: The port of its SSH server.
    ///   - user: The account.
    ///   - key: The private key.
    ///   - trust: Which host keys are trusted.
    ///   - jump: The host through which it is reached.
    /// - Throws: `CoreError` with `invalidHost` or `invalidPort`.
    public init(
        _ name: String,
        port: Int = 22,
        user: String,
        key: SSHPrivateKey,
        trust: HostTrust,
        jump: SSHHost? = nil
    ) throws(CoreError) {
        let address = try HostAddress(name, port: port)
        self.init(
            SSHHost.Configuration(address: address, user: user, credentials: [.key(key)], trust: trust, jump: jump)
        )
    }

    /// A host with everything said.
    ///
    /// - Parameters:
    ///   - configuration: Where, as whom, trusting which keys.
    ///   - clock: Runs the schedule of reconnects.
    ///   - logger: Told of connections, their states and their ends, at `debug`; never of secrets or of what is typed.
    public init(
        _ configuration: SSHHost.Configuration,
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger = Logger(label: "riff.transport", factory: { _ in SwiftLogNoOpLogHandler() })
    ) {
        self.configuration = configuration
        link = HostLink(configuration, clock: clock, logger: logger)
    }

    /// Commands and files on the host.
    package var files: SSHHostSession { SSHHostSession(link: link) }

    /// Connects, or waits for the connection that is being made.
    ///
    /// - Throws: The error that made the dial fail; a lost connection that comes back by itself is waited for.
    ///   `CancellationError`.
    public func connect() async throws { try await link.connect() }

    /// Tells that the network changed: as ``foreground()``, but a host in the background stays there.
    public func pathChanged() async { await link.pathChanged() }

    /// Closes the connections cleanly before the app goes to sleep; ``foreground()`` brings them back. A jump host
    /// keeps its own, since other hosts may be behind it: tell it as well.
    public func background() async { await link.background() }

    /// Closes every session and connection, on purpose: nothing reconnects.
    public func shutdown() async { await link.shutdown() }

    /// The number of session channels that are open now, on all connections: of terminals, commands and files.
    public var openChannelCount: Int { get async { await link.openChannelCount } }
}
