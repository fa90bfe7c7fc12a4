// Riff
// SPDX-License-Identifier: Apache-2.0

#if LibSSH2 && (os(macOS) || os(Linux))
internal import CLibSSH2
internal import DequeModule
internal import RiffCore

/// One channel of a ``LibSSH2Engine``: its handle, the operations on it, and how far it has come.
final class LibSSH2Channel {
    let id: SSHChannelID
    let handle: OpaquePointer
    /// The channel's number in the protocol, where it is known (``LibSSH2PacketWatch``).
    let number: UInt32?
    private(set) var port: any SSHChannelPort
    let mergesDiagnostics: Bool
    private let window: LibSSH2Window
    /// An opening of the window that a key exchange interrupted. It must be finished as what it was begun as: libssh2
    /// sends the number of the first call, and counts that of the last.
    private var begunOpening: Int?
    /// Whether a command runs on it, which has an end to tell; a tunnel has none.
    let hasCommand: Bool

    /// Requests that are not answered.
    var resizes = Deque<LibSSH2Engine.Operation>()
    /// Bytes taken from the port that the window did not take yet.
    var unsent: ArraySlice<UInt8> = []
    var inputHasEnded = false
    var hasSentEnd = false
    var outputHasEnded = false
    var mustClose = false
    var hasToldEnd = false
    private(set) var isReleased = false

    init(
        id: SSHChannelID,
        handle: OpaquePointer,
        number: UInt32?,
        port: any SSHChannelPort,
        kind: SSHChannelKind
    ) {
        self.number = number
        self.id = id
        self.handle = handle
        self.port = port
        switch kind {
        case .session(let window, let merges):
            (hasCommand, mergesDiagnostics, self.window) = (true, merges, LibSSH2Window(window))
        case .tunnel(_, let window):
            (hasCommand, mergesDiagnostics, self.window) = (false, false, window.map { LibSSH2Window($0) } ?? .tunnel)
        }
    }

    /// Opens the window where little is left of it.
    ///
    /// - Returns: A negative code of libssh2's, `LIBSSH2_ERROR_EAGAIN` where the keys are being exchanged: then nothing
    ///   may be read, as a read would have it opened by libssh2's rule.
    func openWindow(isTyping: Bool) -> Int32 {
        let left = Int(libssh2_channel_window_read_ex(handle, nil, nil))
        guard let amount = begunOpening ?? window.opening(left: left, isTyping: isTyping) else { return 0 }
        let code = libssh2_channel_receive_window_adjust2(handle, UInt(amount), 1, nil)
        begunOpening = code == LIBSSH2_ERROR_EAGAIN ? amount : nil
        return code
    }

    /// The most bytes that libssh2 may hold for it: what the window lets the peer send, in packets of a byte each.
    var allowedBytes: Int { window.queueBytes }

    /// The size of a read.
    func readBytes(isTyping: Bool) -> Int { window.readBytes(isTyping: isTyping) }

    /// Reads from a stream, at most `size` bytes.
    func read(_ stream: Int32, into buffer: UnsafeMutableRawPointer?, size: Int) -> Int {
        libssh2_channel_read_ex(handle, stream, buffer?.assumingMemoryBound(to: CChar.self), size)
    }

    /// Frees the handle; with the end of input told to the session this does not wait.
    func release() {
        guard !isReleased else { return }
        isReleased = true
        var attempts = 0
        while libssh2_channel_free(handle) == LIBSSH2_ERROR_EAGAIN, attempts < 64 { attempts += 1 }
    }

    /// Frees the handle if that is possible without waiting.
    func releaseIfPossible() -> Bool {
        guard !isReleased, libssh2_channel_free(handle) != LIBSSH2_ERROR_EAGAIN else { return isReleased }
        isReleased = true
        return true
    }

    /// Lets go of the port, which was told its end. Behind it stands a caller who holds the connection, and the
    /// connection holds this: channels that are still here when it ends would keep it, and its session, for ever.
    func detach() { port = NoPort() }

    /// Hands the handle to the engine's `drain`; it then counts as released here.
    func retire() { isReleased = true }

    /// Makes a retired channel own its handle again, to free it.
    func unretire() { isReleased = false }
}

/// The port of a channel that is not used.
final class NoPort: SSHChannelPort {
    let wantsBytes = true
    let wantsDiagnostics = true
    func take(upTo limit: Int) -> BytePipe.Taken { .empty }
    func deliver(_ bytes: UnsafeRawBufferPointer) {}
    func deliverDiagnostics(_ bytes: UnsafeRawBufferPointer) {}
    func deliverEnd() {}
    func close(_ end: Result<ExitStatus?, TransportError>) {}
}
#endif
