// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// A channel's two sides: the engine's, on the event loop, and the caller's, anywhere.
final class SSHChannelState: SSHChannelPort, Sendable {
    /// The connection between a channel and its caller.
    struct Setup: Sendable {
        /// The pipe that takes the output; one of its own if `nil`. Its `onDrain` must pump the connection.
        var output: BytePipe?
        /// Whether the output ends with the channel; not when further channels write to the same pipe.
        var endsOutput = true
        /// Whether the peer is held back while standard error is not read, so that none is lost; otherwise its oldest
        /// part is dropped, so that a caller may ignore it.
        var holdsDiagnostics = false
        /// Keeps a copy of the first output.
        var outputHead: OutputHead?
        /// Keeps a copy of the first standard error.
        var diagnosticsHead: OutputHead?
        /// The number of bytes of input that wait before its writer does.
        var inputBytes = 256 * 1024
        /// For a tunnel that carries another connection.
        var hooks: SSHTunnelHooks?
        /// Called once, when the channel is open, before anything else of it is known.
        var onOpen: @Sendable () -> Void = {}
        /// Called once, when the channel is over; not when it was never opened.
        var onEnd: @Sendable (Result<ExitStatus?, TransportError>) -> Void = { _ in }
    }

    /// The bytes that the command wrote.
    let output: BytePipe
    /// The bytes that the command wrote to standard error.
    let diagnostics: BytePipe
    /// The bytes that the caller wrote.
    let input: BytePipe
    /// The way that the channel ended.
    let end = EventualValue<Result<ExitStatus?, TransportError>>()
    private let setup: Setup

    /// - Parameters:
    ///   - setup: Where the bytes go.
    ///   - window: The receive window; as much again may wait for the caller before the peer is held back.
    ///   - onInput: Makes the engine look for input; called from any thread.
    ///   - pump: Makes the engine look again; called from any thread.
    init(
        _ setup: Setup,
        window: Int,
        onInput: @escaping @Sendable () -> Void,
        pump: @escaping @Sendable () -> Void
    ) {
        self.setup = setup
        output = setup.output ?? BytePipe(highWater: window, onReadable: setup.hooks?.onOutput, onDrain: pump)
        diagnostics = BytePipe(highWater: 64 * 1024, onDrain: pump)
        input = BytePipe(highWater: setup.inputBytes, onReadable: onInput, onDrain: setup.hooks?.onDrain)
    }

    /// Waits for more standard error and drops it; `false` where there is none any more.
    func nextDiagnostics() async -> Bool {
        // A failure is an end, which the channel tells elsewhere.
        (try? await diagnostics.next()) != nil
    }

    /// The channel is open.
    func opened() { setup.onOpen() }

    // MARK: SSHChannelPort

    func take(upTo limit: Int) -> BytePipe.Taken { input.take(upTo: limit) }

    var wantsBytes: Bool { !output.isPaused }
    var wantsDiagnostics: Bool { !setup.holdsDiagnostics || !diagnostics.isPaused }

    func deliver(_ bytes: UnsafeRawBufferPointer) {
        setup.outputHead?.keep(bytes)
        output.offer(Array(bytes))
    }

    func deliverDiagnostics(_ bytes: UnsafeRawBufferPointer) {
        setup.diagnosticsHead?.keep(bytes)
        if setup.holdsDiagnostics {
            diagnostics.offer(Array(bytes))
        } else {
            diagnostics.offerDroppingOldest(Array(bytes))
        }
    }

    func deliverEnd() {
        if setup.endsOutput { output.finish() }
        diagnostics.finish()
    }

    /// Drops the caller's side, which will not read or write any more.
    func abandon() {
        deliverEnd()
        input.finish()
    }

    /// Disowns the channel, which for its caller was not opened: no event is reported any more, and a shared output
    /// stays open.
    func disown() { end.resolve(.failure(TransportError(.closed, "The channel was not opened."))) }

    func close(_ result: Result<ExitStatus?, TransportError>) {
        guard end.current == nil else { return }
        switch result {
        case .success:
            deliverEnd()
            input.finish(
                throwing: TransportError(
                    .closed,
                    "The host has closed the channel: what ran or listened there has ended."
                )
            )
        case .failure(let error):
            if setup.endsOutput { output.finish(throwing: error) }
            diagnostics.finish(throwing: error)
            input.finish(throwing: error)
        }
        if end.resolve(result) { setup.onEnd(result) }
    }
}
