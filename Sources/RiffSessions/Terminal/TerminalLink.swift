// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore
package import RiffTransport

/// The source of a ``TerminalSession``'s transports: one for each connection.
package protocol TerminalLink: Sendable {
    /// The pipe that takes every transport's output.
    var output: BytePipe { get }

    /// A transport that was not connected yet.
    ///
    /// - Parameter entry: Whether it is the first one, or one that comes back after a loss.
    /// - Returns: The transport.
    func makeTransport(_ entry: TerminalEntry) -> any TerminalTransport

    /// Waits until there is a connection, also through a suspension; throws when it does not come back by itself, and
    /// `CancellationError`.
    func waitUntilConnected() async throws

    /// Waits until input may be sent: for moments in which the host must not be disturbed.
    func waitForInput() async throws

    /// Whether input may be sent at this moment.
    var takesInput: Bool { get }

    /// Waits a moment after a failure that left the connection connections.
    func waitAfterFailure(_ clock: any Clock<Duration>) async throws
}

extension TerminalLink {
    package func waitForInput() async throws {}
    package var takesInput: Bool { true }
}

/// The way that a transport of a ``TerminalSession`` comes to its session.
package enum TerminalEntry: Sendable, Hashable {
    /// The first time: it may bring up a connection that is not wanted any more, and make the session.
    case first
    /// After a loss: it may do neither, and must find the very session that was left, if that is known.
    case again(SessionIdentity?)
}

/// A command on a host, for a session.
struct SSHTerminalLink: TerminalLink {
    let command: @Sendable (TerminalEntry) -> String
    let link: HostLink
    let output: BytePipe
    private let drain: SSHOutputDrain

    init(command: @escaping @Sendable (TerminalEntry) -> String, link: HostLink) {
        let drain = SSHOutputDrain()
        self.command = command
        self.link = link
        self.drain = drain
        output = BytePipe(onDrain: { drain.pump() })
    }

    /// All transports write to the one pipe, so that no task has to carry bytes from one to another.
    func makeTransport(_ entry: TerminalEntry) -> any TerminalTransport {
        SSHTerminal(command(entry), on: link, output: output, drain: drain, dials: entry == .first)
    }

    func waitUntilConnected() async throws { try await link.waitUntilConnected(sleeps: true) }

    func waitForInput() async throws { try await link.inputGate.pass() }

    var takesInput: Bool { link.inputGate.isOpen }

    func waitAfterFailure(_ clock: any Clock<Duration>) async throws { try await clock.sleep(for: .seconds(1)) }
}
