// Riff
// SPDX-License-Identifier: Apache-2.0

public import Logging
public import RiffCore

/// A machine reached by SSH: the entry point of this library.
///
/// ```swift
/// let host = try SSHHost("mac.tailnet.ts.net", user: "me", key: key, trust: .firstUse(pins))
/// let session = try await host.session("riff", size: TerminalSize(columns: 80, rows: 24))
/// for await bytes in session.output { view.feed(byteArray: bytes[...]) }
/// ```
///
/// A value; copies share one ``HostLink``, and with it the connection. Nothing is dialed before it is needed.
public struct SSHHost: Sendable {
    /// What it was made with.
    public let configuration: HostConfiguration
    /// The owner of its connections.
    public let link: HostLink

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
            HostConfiguration(address: address, user: user, credentials: [.key(key)], trust: trust, jump: jump?.link)
        )
    }

    /// A host with everything said.
    ///
    /// - Parameters:
    ///   - configuration: Where, as whom, trusting which keys.
    ///   - clock: Runs the schedule of reconnects.
    ///   - logger: Told of connections, their states and their ends, at `debug`; never of secrets or of what is typed.
    public init(
        _ configuration: HostConfiguration,
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger = Logger(label: "riff.transport", factory: { _ in SwiftLogNoOpLogHandler() })
    ) {
        self.configuration = configuration
        link = HostLink(configuration, clock: clock, logger: logger)
    }

    /// Commands and files on the host.
    public var files: SSHHostSession { SSHHostSession(link: link) }

    /// Closes every session and connection, on purpose: nothing reconnects.
    public func shutdown() async { await link.shutdown() }
}
