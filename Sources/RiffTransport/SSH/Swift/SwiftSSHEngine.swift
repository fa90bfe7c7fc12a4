// Riff
// SPDX-License-Identifier: Apache-2.0

#if SSH
internal import RiffCore
internal import RiffSSH

/// The SSH protocol in Swift, on ``SSHClient``, which is a value: this class gives its events to whom they concern, and
/// moves the bytes of channels between it and their ports.
///
/// Not `Sendable`; its driver confines it.
package final class SwiftSSHEngine: SSHEngine {
    /// The most that the server can make us answer while it does not read, in bytes.
    static let unreadAnswerLimit = 1 << 20

    /// The protocol; there from the handshake on.
    var client: SSHClient?
    var host = ""
    var preamble = SSHPreambleParser()
    private var input: [UInt8] = []
    private(set) var inputHasEnded = false
    /// The number of bytes that were made while the wire was behind.
    private var unreadAnswers = 0

    var login = SwiftSSHLogin()
    var channels: [SSHChannelNumber: SwiftSSHChannel] = [:]
    /// Channels that the server was asked for.
    var openings: [SSHChannelNumber: (kind: SSHChannelKind, port: any SSHChannelPort, done: Completion<SSHChannelID>)] =
        [:]
    var probes: [SSHRequestNumber: Completion<Void>] = [:]

    package private(set) var failure: TransportError?
    private var output: [UInt8] = []
    private var isPumping = false
    var mustPumpAgain = false

    package init() {}

    package var isTyping = false {
        didSet {
            guard isTyping != oldValue else { return }
            for channel in channels.values { setWindow(of: channel) }
        }
    }

    // MARK: Bytes

    package func receive(_ bytes: UnsafeRawBufferPointer) {
        if login.isExchanging || client == nil { preamble.receive(bytes) }
        input.append(contentsOf: bytes)
    }

    package func receiveEnd() { inputHasEnded = true }

    package func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    // MARK: Pumping

    package func pump(isWritable: Bool) {
        guard !isPumping else {
            mustPumpAgain = true
            return
        }
        isPumping = true
        defer { isPumping = false }
        repeat {
            mustPumpAgain = false
            guard failure == nil, client != nil else { break }
            sendReply()
            // Keys first: what is written now does not wait behind what is read.
            if isWritable { for channel in channels.values { send(to: channel) } }
            read()
            for channel in channels.values { move(channel) }
        } while mustPumpAgain
        if inputHasEnded, client != nil, failure == nil { end() }
        collectOutput(isWritable: isWritable)
    }

    private func read() {
        guard !input.isEmpty else { return handleEvents() }
        client?.receive(input)
        input.removeAll(keepingCapacity: input.capacity <= 256 * 1024)
        handleEvents()
    }

    func handleEvents() {
        while failure == nil, let events = client?.takeEvents(), !events.isEmpty {
            for event in events where failure == nil { handle(event) }
            mustPumpAgain = true
        }
    }

    private func end() {
        client?.receiveEnd()
        handleEvents()
    }

    /// A server that asks and does not read what it is answered would fill the memory.
    private func collectOutput(isWritable: Bool) {
        guard var made = client?.takeOutput(), !made.isEmpty else { return }
        swap(&output, &made)
        if !made.isEmpty { output = made + output }
        unreadAnswers = isWritable ? 0 : unreadAnswers + output.count
        if unreadAnswers > Self.unreadAnswerLimit, failure == nil {
            fail(
                TransportError(
                    .sshProtocol,
                    "The server asks more and more, and does not read what it is answered.",
                    recovery: .retry
                )
            )
        }
    }

    /// Calls the client for an operation whose failure is reported elsewhere: the connection's own as its last event,
    /// and that of a channel that is gone has no receiver.
    func tell(_ body: (inout SSHClient) throws(SSHError) -> Void) {
        // Taken out, so that it is not copied.
        guard var held = client.take() else { return }
        try? body(&held)  // See above.
        client = held
    }

    // MARK: Failure

    /// Ends the engine: every operation and channel gets the error, behind what came before it.
    func fail(_ error: TransportError) {
        guard failure == nil else { return }
        failure = error
        login.fail(error)
        let (openings, probes, channels) = (openings, probes, channels)
        (self.openings, self.probes, self.channels) = ([:], [:], [:])
        for opening in openings.values { opening.done(.failure(error)) }
        for probe in probes.values { probe(.failure(error)) }
        for channel in channels.values { channel.end(.failure(error)) }
    }

    package func disconnect(_ error: TransportError) {
        guard failure == nil else { return }
        client?.disconnect()
        output += client?.takeOutput() ?? []
        fail(error)
    }

    package func probe(completion: @escaping Completion<Void>) {
        if let failure { return completion(.failure(failure)) }
        do throws(SSHError) {
            guard let number = try client?.probe() else { throw SSHError.noConnection }
            probes[number] = completion
        } catch {
            completion(.failure(transportError(error)))
        }
    }
}
#endif
