// Riff
// SPDX-License-Identifier: Apache-2.0

#if LibSSH2 && (os(macOS) || os(Linux))
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
                completion(.failure(refusal(of: kind, code)))
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
        case .tunnel(.tcp(let host, let port), window: nil):
            // The originator is told to the server for its log only.
            libssh2_channel_direct_tcpip_ex(session, host, Int32(port), "127.0.0.1", 0)
        case .tunnel(let target, let window):
            openTunnel(to: target, window.map { UInt32(LibSSH2Window($0).initial) } ?? 2 * 1024 * 1024)
        }
    }

    /// As libssh2's own call, but for the window, which that one fixes at 2 MiB, and for unix sockets, which 1.10 has
    /// no call for.
    private func openTunnel(to target: SSHTunnelTarget, _ window: UInt32) -> OpaquePointer? {
        let type: String
        var message = SSHWireWriter()
        switch target {
        case .tcp(let host, let port):
            type = "direct-tcpip"
            message.write(text: host)
            message.write(uint32: UInt32(port))
            message.write(text: "127.0.0.1")
        case .unix(let path):
            type = "direct-streamlocal@openssh.com"
            message.write(text: path)
            message.write(text: "")
        }
        message.write(uint32: 0)
        return message.bytes.withUnsafeBytes { bytes in
            libssh2_channel_open_ex(
                session,
                type,
                UInt32(type.utf8.count),
                window,
                32 * 1024,
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                UInt32(bytes.count)
            )
        }
    }

    /// The refusal in words. The library tells the reason (RFC 4254 section 5.1) by the end of its own sentence alone,
    /// and the server's description not at all.
    private func refusal(of kind: SSHChannelKind, _ code: Int32) -> TransportError {
        guard case .tunnel(let target, _) = kind else {
            return TransportError(.channelRefused, lastError(code, kind.refusal))
        }
        switch lastErrorText {
        case let text where text.hasSuffix(bytes: "(administratively prohibited)"):
            return .forwardingProhibited(to: target)
        case let text where text.hasSuffix(bytes: "(connect failed)"):
            return .forwardingFailed(to: target)
        default: return TransportError(.channelRefused, lastError(code, kind.refusal))
        }
    }

    private func adopt(_ handle: OpaquePointer, _ kind: SSHChannelKind, _ port: any SSHChannelPort) -> SSHChannelID {
        nextChannelNumber += 1
        let id = SSHChannelID(nextChannelNumber)
        let number = context.pointee.packets.watchNewest()
        let channel = LibSSH2Channel(id: id, handle: handle, number: number, port: port, kind: kind)
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
                // libssh2's own words say only that it was refused.
                code == LIBSSH2_ERROR_CHANNEL_REQUEST_DENIED
                    ? request.refused
                    : TransportError(
                        .channelRequestRefused,
                        engine.lastError(code, "The server refused \(request.name)")
                    )
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
}

#endif
