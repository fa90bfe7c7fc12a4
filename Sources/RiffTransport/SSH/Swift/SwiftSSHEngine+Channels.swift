// Riff
// SPDX-License-Identifier: Apache-2.0

#if SSH
internal import RiffCore
internal import RiffSSH

extension SwiftSSHEngine {
    /// The number of bytes that the server may send ahead of a typist's echo.
    static let typingWindow = 64 * 1024
    /// The window of a tunnel.
    static let tunnelWindow = 2 * 1024 * 1024

    // MARK: Opening and closing

    package func open(
        _ kind: SSHChannelKind,
        port: any SSHChannelPort,
        completion: @escaping Completion<SSHChannelID>
    ) {
        if let failure { return completion(.failure(failure)) }
        do throws(SSHError) {
            let outgoing: SSHOutgoingChannel =
                switch kind {
                case .session: .session
                case .tunnel(.tcp(let host, let port), _): .tcp(host: host, port: UInt16(clamping: port))
                case .tunnel(.unix(let path), _): .streamLocal(path: path)
                }
            guard let number = try client?.open(outgoing, window: UInt32(kind.window(isTyping: isTyping))) else {
                throw SSHError.noConnection
            }
            openings[number] = (kind, port, completion)
        } catch {
            completion(.failure(transportError(error)))
        }
    }

    func finishOpening(_ number: SSHChannelNumber) {
        guard let opening = openings.removeValue(forKey: number) else { return }
        channels[number] = SwiftSSHChannel(number, opening.kind, opening.port)
        opening.done(.success(SSHChannelID(number)))
    }

    func refuseOpening(_ number: SSHChannelNumber, reason: UInt32, _ message: String) {
        guard let opening = openings.removeValue(forKey: number) else { return }
        opening.done(.failure(opening.kind.refused(reason: reason, message)))
    }

    package func close(_ channel: SSHChannelID) { channels[channel.ofClient]?.mustClose = true }

    package func abandon(_ channel: SSHChannelID) {
        close(channel)
        channels[channel.ofClient]?.isAbandoned = true
    }

    func setWindow(of channel: SwiftSSHChannel) {
        let window = UInt32(channel.kind.window(isTyping: isTyping))
        tell { (client) throws(SSHError) in try client.setWindow(window, of: channel.number) }
    }

    // MARK: Requests

    package func request(
        _ request: SSHChannelRequest,
        of channel: SSHChannelID,
        completion: @escaping Completion<Void>
    ) {
        if let failure { return completion(.failure(failure)) }
        guard let channel = channels[channel.ofClient], !channel.mustClose, !channel.peerHasClosed else {
            return completion(.failure(.unanswered))
        }
        do throws(SSHError) {
            let number = try client?.request(request.ofClient, on: channel.number)
            guard let number else { return completion(.success(())) }
            channel.await(number, request, completion)
        } catch {
            completion(.failure(transportError(error)))
        }
    }

    // MARK: Moving bytes

    /// Sends what the port has and the server takes.
    func send(to channel: SwiftSSHChannel) {
        guard !channel.mustClose, !channel.peerHasClosed, !channel.hasSentEnd else { return }
        while failure == nil {
            if channel.unsent.isEmpty, !channel.inputHasEnded {
                switch channel.port.take(upTo: 64 * 1024) {
                case .bytes(let bytes): channel.unsent = bytes[...]
                case .empty: return
                case .ended: channel.inputHasEnded = true
                }
            }
            if channel.unsent.isEmpty { break }
            var count = 0
            tell { (client) throws(SSHError) in count = try client.write(channel.unsent, to: channel.number) }
            channel.unsent = channel.unsent.dropFirst(count)
            guard channel.unsent.isEmpty else { return }
            channel.unsent = []
        }
        guard failure == nil else { return }
        channel.hasSentEnd = true
        tell { (client) throws(SSHError) in try client.sendEnd(of: channel.number) }
    }

    /// Delivers what came, and ends the channel if it is over.
    func move(_ channel: SwiftSSHChannel) {
        if channel.mustClose { return finishClosing(channel) }
        let count = channel.deliver()
        if count > 0 { tell { (client) throws(SSHError) in try client.consume(count, of: channel.number) } }
        if channel.isOver { end(channel) }
    }

    /// Finishes closing a channel; the end is reported when the server has agreed: before that, its place is not free
    /// for another channel.
    private func finishClosing(_ channel: SwiftSSHChannel) {
        if !channel.hasSentClose {
            channel.hasSentClose = true
            tell { (client) throws(SSHError) in try client.close(channel.number) }
        }
        if channel.peerHasClosed || channel.isAbandoned { end(channel) }
    }

    private func end(_ channel: SwiftSSHChannel) {
        channels[channel.number] = nil
        channel.end(.success(channel.exit))
    }
}

extension SSHChannelKind {
    /// The refusal in words. For a tunnel the reasons are known (RFC 4254 section 5.1).
    fileprivate func refused(reason: UInt32, _ message: String) -> TransportError {
        if case .tunnel(let target, _) = self {
            if reason == 1 { return .forwardingProhibited(to: target) }
            if reason == 2 { return .forwardingFailed(to: target) }
        }
        let words = InertText.quote(message)
        return TransportError(.channelRefused, "\(refusal): \(words.isEmpty ? "no reason given" : words)")
    }

    fileprivate func window(isTyping: Bool) -> Int {
        switch self {
        case .session(let window, _): isTyping ? min(window, SwiftSSHEngine.typingWindow) : window
        case .tunnel(_, let window): window ?? SwiftSSHEngine.tunnelWindow
        }
    }
}

extension SSHChannelID {
    fileprivate init(_ number: SSHChannelNumber) { self.init(Int(number.value)) }
    fileprivate var ofClient: SSHChannelNumber { SSHChannelNumber(UInt32(clamping: number)) }
}

extension SSHChannelRequest {
    fileprivate var ofClient: SSHSessionRequest {
        switch self {
        case .terminal(let type, let size):
            .terminal(type: type, columns: UInt32(clamping: size.columns), rows: UInt32(clamping: size.rows))
        case .exec(let command): .exec(command)
        case .subsystem(let name): .subsystem(name)
        case .resize(let size): .resize(columns: UInt32(clamping: size.columns), rows: UInt32(clamping: size.rows))
        }
    }
}
#endif
