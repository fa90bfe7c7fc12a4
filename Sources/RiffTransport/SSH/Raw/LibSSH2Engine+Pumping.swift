// Riff
// SPDX-License-Identifier: Apache-2.0

#if LibSSH2 && (os(macOS) || os(Linux))
internal import CLibSSH2
internal import DequeModule
internal import RiffCore

extension LibSSH2Engine {
    // MARK: Pumping one channel

    /// Moves all that can be moved; returns whether more may be possible after that.
    func pumpChannel(_ channel: LibSSH2Channel, isWritable: Bool) -> Bool {
        guard !channel.isReleased else { return false }
        var moved = runResizes(of: channel)
        // Keys first: what is written now does not wait behind what is read.
        if isWritable { send(to: channel) }
        receive(from: channel)
        if failure == nil, finishIfOver(channel) { moved = true }
        return moved
    }

    private func runResizes(of channel: LibSSH2Channel) -> Bool {
        var moved = false
        while failure == nil, let resize = channel.resizes.first, resize.step() == .done {
            if !channel.resizes.isEmpty { channel.resizes.removeFirst() }
            moved = true
        }
        return moved
    }

    private func send(to channel: LibSSH2Channel) {
        guard !channel.hasToldEnd, !channel.mustClose else { return }
        while failure == nil {
            if channel.unsent.isEmpty, !channel.inputHasEnded {
                switch channel.port.take(upTo: 64 * 1024) {
                case .bytes(let bytes): channel.unsent = bytes[...]
                case .empty: return
                case .ended: channel.inputHasEnded = true
                }
            }
            if channel.unsent.isEmpty { break }
            let count = channel.unsent.withUnsafeBytes {
                libssh2_channel_write_ex(
                    channel.handle,
                    0,
                    $0.baseAddress?.assumingMemoryBound(to: CChar.self),
                    $0.count
                )
            }
            if count == Int(LIBSSH2_ERROR_EAGAIN) || count == 0 { return }
            guard count > 0 else {
                // The peer closed first: its end is told when its close is processed.
                if !failIfFatal(Int32(count), "writing") {
                    channel.unsent = []; channel.inputHasEnded = true; channel.hasSentEnd = true
                }
                return
            }
            channel.unsent = channel.unsent.dropFirst(count)
        }
        if failure == nil, channel.inputHasEnded, !channel.hasSentEnd,
            libssh2_channel_send_eof(channel.handle) != LIBSSH2_ERROR_EAGAIN
        {
            channel.hasSentEnd = true
        }
    }

    /// A channel that is to be closed is not read any more: reading sends window adjustments, and one that the peer
    /// gets after both closes is for a channel that it does not know any more, which is the end of a connection to
    /// dropbear.
    private func receive(from channel: LibSSH2Channel) {
        guard !channel.mustClose else { return }
        while failure == nil, channel.port.wantsBytes {
            let count = read(0, of: channel)
            guard count > 0 else { break }
            channel.port.deliver(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
        }
        // Unread standard error would use up the window that both streams share.
        while failure == nil, !channel.mergesDiagnostics, channel.port.wantsDiagnostics {
            let count = read(SSH_EXTENDED_DATA_STDERR, of: channel)
            guard count > 0 else { break }
            channel.port.deliverDiagnostics(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
        }
    }

    /// Reads all there is, as far as the buffer goes: each delivery wakes a reader up.
    private func read(_ stream: Int32, of channel: LibSSH2Channel) -> Int {
        let size = channel.readBytes(isTyping: isTyping)
        var filled = 0
        while filled + size <= scratch.count {
            var count = Int(channel.openWindow(isTyping: isTyping))
            if count == 0 { count = channel.read(stream, into: scratch.baseAddress.map { $0 + filled }, size: size) }
            if count < 0, count != Int(LIBSSH2_ERROR_EAGAIN) { failIfFatal(Int32(count), "reading") }
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }

    // MARK: The end of a channel

    private func finishIfOver(_ channel: LibSSH2Channel) -> Bool {
        var moved = false
        if !channel.outputHasEnded, libssh2_channel_eof(channel.handle) == 1 {
            channel.outputHasEnded = true
            channel.port.deliverEnd()
            moved = true
        }
        // The exit status may come after the end of output: only the peer's close makes it final.
        if !channel.hasToldEnd, channel.outputHasEnded, libssh2_channel_wait_closed(channel.handle) == 0 {
            // An answer may have come together with the end, and is not overtaken by it.
            if runRequests() { return true }
            tellEnd(of: channel, .success(exitStatus(of: channel)))
            channel.mustClose = true
            moved = true
        }
        guard channel.mustClose, !requests.contains(where: { $0.channel == channel.id }) else { return moved }
        return finishClosing(channel) || moved
    }

    /// Sends our close, and frees the handle when the peer's has come, which may be never: repeated at each pump, never
    /// waited for.
    private func finishClosing(_ channel: LibSSH2Channel) -> Bool {
        let before = inputOffset
        // What is read on the way may have been for other channels.
        var moved: Bool { inputOffset != before }
        guard libssh2_channel_close(channel.handle) != LIBSSH2_ERROR_EAGAIN else { return moved }
        tellEnd(of: channel, .success(exitStatus(of: channel, wasCut: true)))
        // libssh2 1.10 takes any packet for the end of its wait. A handle that is freed before the peer's close gives
        // its number to the next channel, and with it what the peer still sends to this one.
        guard libssh2_channel_wait_closed(channel.handle) == 0 else { return moved }
        if drain == nil, channels.allSatisfy({ $0 === channel || $0.isReleased }) {
            channel.retire()
            drain = channel
        } else if !channel.releaseIfPossible() {
            return moved
        }
        return true
    }

    /// Tells the port its end, and those who asked something of the channel, once.
    func tellEnd(of channel: LibSSH2Channel, _ end: Result<ExitStatus?, TransportError>) {
        guard !channel.hasToldEnd else { return }
        channel.hasToldEnd = true
        if !channel.outputHasEnded, case .success = end { channel.port.deliverEnd() }
        channel.outputHasEnded = true
        let pending = requests.filter { $0.channel == channel.id }.map(\.operation) + channel.resizes
        requests.removeAll { $0.channel == channel.id }
        channel.resizes = []
        let error: TransportError
        if case .failure(let failure) = end {
            error = failure
        } else {
            error = channel.mustClose ? .channelClosed : .unanswered
        }
        for operation in pending { operation.fail(error) }
        channel.port.close(end)
        channel.detach()
    }

    /// The signal is looked at first: with one the status reads 0, as it does where the peer told nothing. So a 0 says
    /// something only where the peer is known to have told one, and nothing of a command that was cut short here.
    private func exitStatus(of channel: LibSSH2Channel, wasCut: Bool = false) -> ExitStatus? {
        guard channel.hasCommand else { return nil }
        let handle = channel.handle
        var name: UnsafeMutablePointer<CChar>?
        var length = 0
        libssh2_channel_get_exit_signal(handle, &name, &length, nil, nil, nil, nil)
        if let name {
            defer { libssh2_free(session, name) }
            return .signaled(InertText.quote(String(cString: name), limitBytes: 64))
        }
        let status = libssh2_channel_get_exit_status(handle)
        guard status == 0 else { return .exited(status) }
        let isTold = channel.number.map { context.pointee.packets.hasStatus($0) } ?? true
        return wasCut || !isTold ? nil : .exited(0)
    }
}
#endif
