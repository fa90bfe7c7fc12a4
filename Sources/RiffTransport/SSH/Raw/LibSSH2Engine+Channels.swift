// Riff
// SPDX-License-Identifier: Apache-2.0

#if SSH && (os(macOS) || os(Linux))
internal import CLibSSH2
internal import DequeModule
internal import RiffCore

extension LibSSH2Engine {
    // MARK: Opening

    package func open(
        _ kind: SSHChannelKind,
        port: any SSHChannelPort,
        completion: @escaping Completion<SSHChannelID>
    ) {
        if let failure { return completion(.failure(failure)) }
        let step: () -> StepOutcome = { [unowned self] in
            guard let handle = openHandle(kind) else {
                let code = libssh2_session_last_errno(session)
                if code == LIBSSH2_ERROR_EAGAIN { return .again }
                if failIfFatal(code, "opening a channel") { return .done }
                completion(.failure(TransportError(.channelRefused, lastError(code, "The server refused a channel"))))
                return .done
            }
            completion(.success(adopt(handle, kind, port)))
            return .done
        }
        operations.append(Operation(step: step, fail: { completion(.failure($0)) }))
    }

    private func openHandle(_ kind: SSHChannelKind) -> OpaquePointer? {
        switch kind {
        case .session(let window, _):
            // 32 KiB packets: the size every implementation must take (RFC 4253 section 6.1).
            libssh2_channel_open_ex(session, "session", 7, UInt32(LibSSH2Window(window).initial), 32 * 1024, nil, 0)
        case .tunnel(let host, let port):
            // The originator is told to the server for its log only.
            libssh2_channel_direct_tcpip_ex(session, host, Int32(port), "127.0.0.1", 0)
        }
    }

    private func adopt(_ handle: OpaquePointer, _ kind: SSHChannelKind, _ port: any SSHChannelPort) -> SSHChannelID {
        nextChannelNumber += 1
        let id = SSHChannelID(nextChannelNumber)
        let channel = LibSSH2Channel(id: id, handle: handle, port: port, kind: kind)
        if channel.mergesDiagnostics {
            libssh2_channel_handle_extended_data2(handle, LIBSSH2_CHANNEL_EXTENDED_DATA_MERGE)
        }
        channels.append(channel)
        if let drain {
            drain.unretire()
            if drain.releaseIfPossible() { self.drain = nil } else { drain.retire() }
        }
        return id
    }

    // MARK: Requests

    package func request(
        _ request: SSHChannelRequest,
        of channel: SSHChannelID,
        completion: @escaping Completion<Void>
    ) {
        guard let channel = channels.first(where: { $0.id == channel }), !channel.hasToldEnd else {
            return completion(.failure(failure ?? .unanswered))
        }
        let handle = channel.handle
        var isAnswered = true
        if case .resize = request { isAnswered = false }
        append(
            to: channel,
            isAnswered: isAnswered,
            completion: completion,
            call: {
                switch request {
                case .terminal(let type, let size):
                    libssh2_channel_request_pty_ex(
                        handle,
                        type,
                        UInt32(type.utf8.count),
                        nil,
                        0,
                        Int32(size.columns),
                        Int32(size.rows),
                        Int32(size.pixelWidth),
                        Int32(size.pixelHeight)
                    )
                case .exec(let command):
                    libssh2_channel_process_startup(handle, "exec", 4, command, UInt32(command.utf8.count))
                case .subsystem(let name):
                    libssh2_channel_process_startup(handle, "subsystem", 9, name, UInt32(name.utf8.count))
                case .resize(let size):
                    libssh2_channel_request_pty_size_ex(
                        handle,
                        Int32(size.columns),
                        Int32(size.rows),
                        Int32(size.pixelWidth),
                        Int32(size.pixelHeight)
                    )
                }
            },
            refusal: { engine, code in
                TransportError(.channelRequestRefused, engine.lastError(code, "The server refused \(request.name)"))
            }
        )
    }

    private func append(
        to channel: LibSSH2Channel,
        isAnswered: Bool,
        completion: @escaping Completion<Void>,
        call: @escaping () -> Int32,
        refusal: @escaping (LibSSH2Engine, Int32) -> TransportError?
    ) {
        let step: () -> StepOutcome = { [unowned self] in
            let code = call()
            if code == LIBSSH2_ERROR_EAGAIN { return .again }
            if code == 0 {
                completion(.success(()))
            } else if !failIfFatal(code, "asking something of a channel") {
                if let error = refusal(self, code) { completion(.failure(error)) } else { completion(.success(())) }
            }
            return .done
        }
        let operation = Operation(step: step, fail: { completion(.failure($0)) })
        if isAnswered {
            requests.append(Request(channel: channel.id, operation: operation))
        } else {
            channel.resizes.append(operation)
        }
    }

    /// Runs the answered requests as far as answers have come; returns whether any did.
    func runRequests() -> Bool {
        var moved = false
        while failure == nil, let request = requests.first, request.operation.step() == .done {
            // A failure inside the step has emptied the queue.
            if failure == nil { requests.removeFirst() }
            moved = true
        }
        return moved
    }

    package func probe(completion: @escaping Completion<Void>) {
        if let failure { return completion(.failure(failure)) }
        guard let channel = channels.first(where: { $0.hasCommand && !$0.hasToldEnd && !$0.mustClose }) else {
            return openingProbe(completion)
        }
        // A request that a running command's channel must answer and must refuse: any answer is a sign of life, and
        // unlike an answer to a keepalive it is consumed.
        append(
            to: channel,
            isAnswered: true,
            completion: completion,
            call: { libssh2_channel_setenv_ex(channel.handle, "RIFF_PROBE", 10, "1", 1) },
            refusal: { _, code in code == LIBSSH2_ERROR_CHANNEL_REQUEST_DENIED ? nil : .channelClosed }
        )
    }

    /// Without an open channel, opening one is the round trip.
    private func openingProbe(_ completion: @escaping Completion<Void>) {
        let port = NoPort()
        open(.session(window: 64 * 1024, mergesDiagnostics: false), port: port) { [unowned self] result in
            switch result {
            case .success(let id):
                close(id)
                completion(.success(()))
            case .failure(let error): completion(error.code == .channelRefused ? .success(()) : .failure(error))
            }
        }
    }

    package func close(_ channel: SSHChannelID) {
        channels.first { $0.id == channel }?.mustClose = true
    }

    package func abandon(_ channel: SSHChannelID) {
        guard let channel = channels.first(where: { $0.id == channel }) else { return }
        channel.mustClose = true
        tellEnd(of: channel, .success(nil))
    }

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

    /// A channel that is to be closed is not read any more: reading sends window adjustments, and one that the peer gets
    /// after both closes is for a channel that it does not know any more, which is the end of a connection to dropbear.
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
        // libssh2 1.10 takes any packet for the end of its wait. A handle that is freed before the peer's close gives its
        // number to the next channel, and with it what the peer still sends to this one.
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

    /// The signal is looked at first: with one the status reads 0, as it does where the peer told nothing. So a 0 of a
    /// command that was cut short here says nothing.
    private func exitStatus(of channel: LibSSH2Channel, wasCut: Bool = false) -> ExitStatus? {
        guard channel.hasCommand else { return nil }
        let handle = channel.handle
        var name: UnsafeMutablePointer<CChar>?
        var length = 0
        libssh2_channel_get_exit_signal(handle, &name, &length, nil, nil, nil, nil)
        if let name {
            defer { libssh2_free(session, name) }
            return .signaled(String(cString: name))
        }
        let status = libssh2_channel_get_exit_status(handle)
        return wasCut && status == 0 ? nil : .exited(status)
    }
}

extension SSHChannelRequest {
    var name: String {
        switch self {
        case .terminal: "a terminal"
        case .exec: "to run a command"
        case .subsystem(let name): "the subsystem \"\(name)\""
        case .resize: "a new size"
        }
    }
}
#endif
