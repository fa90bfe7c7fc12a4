// Riff
// SPDX-License-Identifier: Apache-2.0

#if LibSSH2 && (os(macOS) || os(Linux))
internal import CLibSSH2
internal import DequeModule
internal import RiffCore

/// The SSH protocol on libssh2, which here never sees a socket: its send and receive callbacks work on two buffers.
///
/// libssh2's rule: a session and everything made from it may be used from one thread at a time
/// (https://libssh2.org/libssh2_session_init_ex.html). This class is not `Sendable`; its driver confines it. It is in
/// non-blocking mode throughout, so a call that cannot go on returns `EAGAIN` and must be repeated with the same
/// arguments until it is done: hence operations are steps that are repeated, and are never dropped half-way.
package final class LibSSH2Engine: SSHEngine {
    /// A descriptor number that is not open: libssh2 insists on one and sets flags on it, so it must not be a real one.
    static let noDescriptor = Int32.max

    let session: OpaquePointer
    /// The context by which the session's callbacks find this engine, with the facts that they learn.
    let context: UnsafeMutablePointer<LibSSH2Context>
    /// The buffer that channel reads fill; shared by the engines of one thread.
    private let scratchOwner: SSHScratch
    var scratch: UnsafeMutableRawBufferPointer { scratchOwner.buffer }

    /// Bytes from the peer that libssh2 has not taken, from `inputOffset` on.
    var input: [UInt8] = []
    var inputOffset = 0
    var inputHasEnded = false
    /// The number of bytes that came so far.
    private(set) var receivedBytes = 0
    /// Whether anything was asked for yet; an end of input before it is reported by the handshake, which knows what it
    /// means.
    var hasBegun = false
    var output: [UInt8] = []
    var preamble = SSHPreambleParser()

    /// Operations of the session as a whole, strictly one after another: libssh2 keeps one state for opening channels
    /// and one for authentication, and hands a second opener the first one's channel.
    var operations = Deque<Operation>()
    /// Requests that are answered, of all channels, strictly one after another: a call that waits for one channel's
    /// answer and meets another channel's fails, because libssh2 1.10 takes any answer for the end of its wait.
    var requests = Deque<Request>()
    var channels: [LibSSH2Channel] = []
    /// A closed channel kept for its handle: reading from it is the one way to make libssh2 process input when no
    /// channel is open.
    var drain: LibSSH2Channel?
    var nextChannelNumber = 0
    package var isTyping = false

    package private(set) var failure: TransportError?
    /// Why the server ended the connection, where it said so.
    var goodbye: String?
    var hasSaidGoodbye = false
    private var isPumping = false
    private var mustPumpAgain = false

    // What the C callbacks need of the operation under way.
    /// The call that may wait for a person.
    var fiber: LibSSH2Fiber?
    var signing: LibSSH2Signing?
    /// The server's words to the user, until they are taken; and the amount of them.
    var words: [SSHEngineWords] = []
    var bannerBytes = 0
    var bannerCount = 0

    /// One operation: `step` is repeated until it says it is done; `fail` is called instead if the engine fails first.
    struct Operation {
        let step: () -> StepOutcome
        let fail: (TransportError) -> Void
    }

    enum StepOutcome {
        case again
        case done
    }

    /// Whether a call that waits need not be repeated yet: nothing came since it was called. libssh2 gives up a wait
    /// of more than a minute when it is called and finds nothing, and a person may need longer.
    func isStillWaiting(since received: Int?) -> Bool {
        received == receivedBytes && inputOffset == input.count && !inputHasEnded && signing == nil
    }

    /// An operation on one channel; it is dropped with the channel.
    struct Request {
        let channel: SSHChannelID
        let operation: Operation
    }

    /// - Parameter scratch: Used only inside ``pump(isWritable:)``.
    /// - Throws: `TransportError` with `sshUnavailable` when the library cannot make a session.
    package init(scratch: SSHScratch) throws(TransportError) {
        let context = UnsafeMutablePointer<LibSSH2Context>.allocate(capacity: 1)
        context.initialize(to: LibSSH2Context())
        guard LibSSH2Library.isReady,
            let session = libssh2_session_init_ex(libssh2Allocate, libssh2Free, libssh2Reallocate, context)
        else {
            context.deinitialize(count: 1)
            context.deallocate()
            throw TransportError(.sshUnavailable, "libssh2 could not make a session.")
        }
        self.session = session
        self.context = context
        self.scratchOwner = scratch
        libssh2_session_set_blocking(session, 0)
        LibSSH2Library.allowLongWaits(of: session)
        installCallbacks()
    }

    deinit {
        endFiber()
        // With the end of input told, every call returns an error instead of waiting, so that freeing ends.
        inputHasEnded = true
        for channel in channels { channel.release() }
        drain?.unretire()
        drain?.release()
        var code = libssh2_session_free(session)
        var attempts = 1
        while code == LIBSSH2_ERROR_EAGAIN, attempts < 64 {
            code = libssh2_session_free(session)
            attempts += 1
        }
        assert(code == 0, "A session could not be freed (libssh2 \(code)).")
        // A session that could not be freed may still be asked.
        guard code == 0 else { return }
        context.deinitialize(count: 1)
        context.deallocate()
    }

    // MARK: Bytes

    package func receive(_ bytes: UnsafeRawBufferPointer) {
        let wasIdentified = preamble.serverVersion != nil
        receivedBytes &+= bytes.count
        preamble.receive(bytes)
        if inputOffset == input.count {
            input.removeAll(keepingCapacity: input.capacity <= 256 * 1024)
            inputOffset = 0
        } else if inputOffset > 64 * 1024 {
            input.removeSubrange(..<inputOffset)
            inputOffset = 0
        }
        input.append(contentsOf: bytes)
        // Nothing was taken before.
        if !wasIdentified, preamble.serverVersion != nil { inputOffset = preamble.introductionBytes }
    }

    package func receiveEnd() { inputHasEnded = true }

    package var info: SSHEngineInfo { LibSSH2Library.info }

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
            guard failure == nil else { break }
            let offset = inputOffset
            runOperations()
            if runRequests() { mustPumpAgain = true }
            for channel in channels where failure == nil {
                if pumpChannel(channel, isWritable: isWritable) { mustPumpAgain = true }
            }
            if failure == nil, !mustPumpAgain { drainInput() }
            // Any call may take all input and park packets for other channels, with no new input to announce them:
            // go round until none is taken.
            if inputOffset != offset { mustPumpAgain = true }
            removeReleasedChannels()
        } while mustPumpAgain
        collectBanners()
        endIfFlooded()
        if inputHasEnded, hasBegun, failure == nil {
            fail(lost)
        }
    }

    private func removeReleasedChannels() {
        for channel in channels where channel.isReleased {
            if let number = channel.number { context.pointee.packets.forget(number) }
        }
        channels.removeAll { $0.isReleased }
    }

    private func runOperations() {
        while failure == nil, let operation = operations.first {
            guard operation.step() == .done else { return }
            // A failure inside the step has emptied the queue.
            if failure == nil { operations.removeFirst() }
            mustPumpAgain = true
        }
    }

    /// Makes libssh2 process the input although no channel data is wanted, so that requests of the server are answered
    /// and window adjustments seen. Waiting for an end of output does that and nothing else; where that has come, a
    /// read of nothing does, from a stream number that is never used. It is no way for channels that have no end yet:
    /// it would open the window of one that nobody reads.
    private func drainInput() {
        guard inputOffset < input.count, operations.isEmpty, requests.isEmpty else { return }
        var code: Int32 = 0
        if let channel = channels.first(where: { !$0.isReleased && !$0.outputHasEnded }) {
            code = libssh2_channel_wait_eof(channel.handle)
        }
        if code == 0, inputOffset < input.count, let channel = channels.first(where: { !$0.isReleased }) ?? drain {
            code = Int32(channel.read(7, into: scratch.baseAddress, size: 0))
        }
        if code < 0 { failIfFatal(code, "reading") }
    }

    // MARK: Failure

    /// Ends the engine: every operation and channel gets the error.
    func fail(_ error: TransportError) {
        guard failure == nil else { return }
        failure = error
        endFiber()
        let pending = operations
        operations = []
        for operation in pending { operation.fail(error) }
        for channel in channels { tellEnd(of: channel, .failure(error)) }
        // A signer that was asked and has not answered holds the connection, which holds this.
        signing = nil
    }

    /// The end of the connection, by the server or on the way to it.
    var lost: TransportError {
        let reason = goodbye.map { ": \($0)" } ?? "."
        let when = fiber?.asks == true ? " while it waited for an answer" : ""
        return TransportError(.connectionLost, "The server closed the connection\(when)\(reason)", recovery: .retry)
    }

    /// The library's last error in words. It must be read before the next call.
    func lastError(_ code: Int32, _ what: String) -> String { "\(what): \(lastErrorText) (libssh2 \(code))" }

    /// The library's own words for its last error.
    var lastErrorText: String {
        var text: UnsafeMutablePointer<CChar>?
        libssh2_session_last_error(session, &text, nil, 0)
        return text.map { InertText.quote(String(cString: $0)) } ?? "no reason given"
    }

    /// Fails the engine if a code means that the connection as a whole is over.
    @discardableResult
    func failIfFatal(_ code: Int32, _ what: String) -> Bool {
        switch code {
        case LIBSSH2_ERROR_SOCKET_RECV, LIBSSH2_ERROR_SOCKET_DISCONNECT, LIBSSH2_ERROR_SOCKET_SEND:
            fail(lost)
        case LIBSSH2_ERROR_INVALID_MAC, LIBSSH2_ERROR_DECRYPT, LIBSSH2_ERROR_PROTO, LIBSSH2_ERROR_KEY_EXCHANGE_FAILURE,
            LIBSSH2_ERROR_KEX_FAILURE, LIBSSH2_ERROR_ALLOC, LIBSSH2_ERROR_ZLIB, LIBSSH2_ERROR_ENCRYPT,
            LIBSSH2_ERROR_OUT_OF_BOUNDARY, LIBSSH2_ERROR_HOSTKEY_SIGN, LIBSSH2_ERROR_HOSTKEY_INIT:
            // An answer that never comes is a broken protocol to some calls.
            guard !inputHasEnded || inputOffset < input.count else {
                fail(lost)
                return true
            }
            fail(
                TransportError(
                    .sshProtocol,
                    lastError(code, "The SSH connection broke while \(what)"),
                    recovery: .retry
                )
            )
        default: return false
        }
        return true
    }

    package func disconnect(_ error: TransportError) {
        // The session cannot be used while a call waits in it.
        endFiber()
        if failure == nil {
            // Queues the message into our output buffer; nothing is waited for.
            libssh2_session_disconnect_ex(session, SSH_DISCONNECT_BY_APPLICATION, "bye", "")
        }
        inputHasEnded = true
        fail(error)
    }
}
#endif
