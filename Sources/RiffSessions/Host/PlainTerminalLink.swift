// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
package import RiffTransport

/// The transports of one session on any connection.
package struct PlainTerminalLink: TerminalLink {
    package let output = BytePipe()
    private let hostName: String
    private let states: @Sendable () -> AsyncStream<HostLinkState>
    private let makeTerminal: @Sendable (TerminalEntry) -> any TerminalTransport

    /// Creates the link of one session.
    ///
    /// - Parameters:
    ///   - hostName: The name used in error messages.
    ///   - states: The state of the connection, then each change.
    ///   - makeTerminal: Makes a terminal, not connected yet.
    package init(
        hostName: String,
        states: @escaping @Sendable () -> AsyncStream<HostLinkState>,
        makeTerminal: @escaping @Sendable (TerminalEntry) -> any TerminalTransport
    ) {
        self.hostName = hostName
        self.states = states
        self.makeTerminal = makeTerminal
    }

    package func makeTransport(_ entry: TerminalEntry) -> any TerminalTransport {
        CarriedTerminal(makeTerminal(entry), to: output)
    }

    package func waitUntilConnected() async throws {
        for await state in states() {
            switch state.connection {
            case .connected: return
            case .connecting, .reconnecting, .disconnected(.suspended): continue
            case .disconnected(.failed):
                if let problem = state.problem { throw problem }
                throw ended
            case .idle, .disconnected: throw ended
            }
        }
        try Task.checkCancellation()
        throw ended
    }

    package func waitAfterFailure(_ clock: any Clock<Duration>) async throws { try await clock.sleep(for: .seconds(1)) }

    private var ended: TransportError {
        TransportError(.closed, "There is no connection to \(hostName); it was ended on this side.")
    }
}

/// A terminal whose output goes to the pipe of its session, in order, at the speed at which that is read.
private final class CarriedTerminal: TerminalTransport {
    private let terminal: any TerminalTransport
    private let pipe: BytePipe
    private let carried = EventualValue<Void>()
    let output: TerminalOutput

    init(_ terminal: any TerminalTransport, to pipe: BytePipe) {
        self.terminal = terminal
        self.pipe = pipe
        output = TerminalOutput(pipe)
    }

    func connect(size: TerminalSize) async throws {
        do { try await terminal.connect(size: size) } catch {
            carried.resolve(())
            throw error
        }
        Task { [terminal, pipe, carried] in
            for await bytes in terminal.output {
                // It fails once the session is over, and then nobody reads what is left.
                do { try await pipe.send(bytes) } catch { break }
            }
            carried.resolve(())
        }
    }

    func write(_ bytes: [UInt8]) async throws { try await terminal.write(bytes) }
    func confirm() async throws { try await terminal.confirm() }
    func resize(to size: TerminalSize) async throws { try await terminal.resize(to: size) }

    func disconnect() async {
        await terminal.disconnect()
        carried.resolve(())
    }

    /// Comes after the last of its output: what the next connection draws must not overtake it.
    func closure() async -> TerminalClosure {
        let closure = await terminal.closure()
        await carried.value()
        return closure
    }
}
