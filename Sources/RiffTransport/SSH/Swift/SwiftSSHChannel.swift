// Riff
// SPDX-License-Identifier: Apache-2.0

#if SSH
internal import RiffCore
internal import RiffSSH

/// One open channel of a ``SwiftSSHEngine``.
final class SwiftSSHChannel {
    let number: SSHChannelNumber
    let kind: SSHChannelKind
    let port: any SSHChannelPort
    let mergesDiagnostics: Bool

    /// The bytes that came and were not delivered; the channel's window bounds them.
    var output: [UInt8] = []
    var diagnostics: [UInt8] = []
    /// The bytes that the port gave and the server's window did not take.
    var unsent: ArraySlice<UInt8> = []
    var inputHasEnded = false
    var hasSentEnd = false
    var outputHasEnded = false
    private var hasDeliveredEnd = false
    var peerHasClosed = false
    var mustClose = false
    var hasSentClose = false
    var isAbandoned = false
    var exit: ExitStatus?
    private var requests: [Request] = []

    /// Something asked of the channel's other side that has no answer yet.
    private struct Request {
        let number: SSHRequestNumber
        let request: SSHChannelRequest
        let done: SwiftSSHEngine.Completion<Void>
    }

    init(_ number: SSHChannelNumber, _ kind: SSHChannelKind, _ port: any SSHChannelPort) {
        (self.number, self.kind, self.port) = (number, kind, port)
        mergesDiagnostics = if case .session(_, let merges) = kind { merges } else { false }
    }

    func addDiagnostics(_ bytes: ArraySlice<UInt8>) {
        if mergesDiagnostics { output += bytes } else { diagnostics += bytes }
    }

    func await(
        _ number: SSHRequestNumber,
        _ request: SSHChannelRequest,
        _ done: @escaping SwiftSSHEngine.Completion<Void>
    ) {
        requests.append(Request(number: number, request: request, done: done))
    }

    func answer(_ number: SSHRequestNumber, isGranted: Bool) {
        guard let index = requests.firstIndex(where: { $0.number == number }) else { return }
        let request = requests.remove(at: index)
        request.done(isGranted ? .success(()) : .failure(request.request.refused))
    }

    /// Gives the port what it wants.
    ///
    /// - Parameter isLast: Whether it gets the rest, wanted or not.
    /// - Returns: How much of the window was used up.
    func deliver(isLast: Bool = false) -> Int {
        var count = 0
        if !output.isEmpty, isLast || port.wantsBytes {
            count += output.count
            output.withUnsafeBytes(port.deliver)
            output.removeAll(keepingCapacity: output.capacity <= 64 * 1024)
        }
        if !diagnostics.isEmpty, isLast || port.wantsDiagnostics {
            count += diagnostics.count
            diagnostics.withUnsafeBytes(port.deliverDiagnostics)
            diagnostics.removeAll(keepingCapacity: diagnostics.capacity <= 64 * 1024)
        }
        let isDrained = output.isEmpty && diagnostics.isEmpty
        if isDrained, outputHasEnded || peerHasClosed, !hasDeliveredEnd {
            hasDeliveredEnd = true
            port.deliverEnd()
        }
        return count
    }

    /// Whether the server has closed the channel, and all that it sent was delivered.
    var isOver: Bool { peerHasClosed && output.isEmpty && diagnostics.isEmpty }

    /// Tells the port its end, and those who asked something of the channel. Called once, last.
    func end(_ end: Result<ExitStatus?, TransportError>) {
        // A connection that is lost gives what it brought.
        if case .failure = end { _ = deliver(isLast: true) }
        if case .success = end, !hasDeliveredEnd {
            hasDeliveredEnd = true
            port.deliverEnd()
        }
        let pending = requests
        requests = []
        let error: TransportError
        if case .failure(let failure) = end {
            error = failure
        } else {
            error = mustClose ? .channelClosed : .unanswered
        }
        for request in pending { request.done(.failure(error)) }
        port.close(end)
    }
}
#endif
