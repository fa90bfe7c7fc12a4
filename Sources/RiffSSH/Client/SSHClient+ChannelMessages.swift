// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension SSHClient {
    mutating func handleConnection(_ number: UInt8, _ payload: [UInt8]) throws(SSHError) {
        switch number {
        case SSHChannelData.number: try handleData(payload)
        case SSHChannelExtendedData.number: try handleDiagnostics(payload)
        case SSHWindowAdjust.number: try handleAdjust(payload)
        case SSHChannelRequestMessage.number: try handleRequest(payload)
        case SSHChannelSuccess.number:
            try handleAnswer(SSHChannelSuccess(payload: payload).recipient, isGranted: true)
        case SSHChannelFailure.number:
            try handleAnswer(SSHChannelFailure(payload: payload).recipient, isGranted: false)
        case SSHChannelEnd.number: try handleEnd(payload)
        case SSHChannelClose.number: try handleClose(payload)
        case SSHChannelOpen.number: try handleOpen(payload)
        case SSHChannelOpenConfirmation.number: try handleConfirmation(payload)
        case SSHChannelOpenFailure.number: try handleOpenFailure(payload)
        case SSHGlobalRequestMessage.number: try handleGlobalRequest(payload)
        case SSHGlobalSuccess.number: try handleGlobalAnswer(SSHGlobalSuccess(payload: payload).fields)
        case SSHGlobalFailure.number:
            _ = try SSHGlobalFailure(payload: payload)
            try handleGlobalAnswer(nil)
        default: try send(SSHUnimplementedMessage(sequence: opener.sequence &- 1))
        }
    }

    /// A channel that is open; the server must not speak of others.
    private func open(_ number: UInt32) throws(SSHError) -> SSHChannelState {
        guard let state = connection.channels[number], case .open = state.phase else {
            throw .violation("a message came for a channel that is not open")
        }
        return state
    }

    /// Whether a channel was there, and is over. Some servers answer a request, or widen a window, after they closed:
    /// as numbers are not used again, that meets nobody (OpenSSH's client looks past it too).
    private func isOver(_ number: UInt32) -> Bool {
        number < connection.nextChannel && connection.channels[number] == nil
    }

    private func opening(_ number: UInt32) throws(SSHError) -> SSHChannelState {
        guard let state = connection.channels[number], case .opening = state.phase else {
            throw .violation("an answer came for a channel that is not being opened")
        }
        return state
    }

    private mutating func handleData(_ payload: [UInt8]) throws(SSHError) {
        let message = try SSHChannelData(payload: payload)
        guard try take(message.data, message.recipient) else { return }
        emit(.data(SSHChannelNumber(message.recipient), message.data))
    }

    private mutating func handleDiagnostics(_ payload: [UInt8]) throws(SSHError) {
        let message = try SSHChannelExtendedData(payload: payload)
        guard try take(message.data, message.recipient) else { return }
        if message.type == SSHChannelExtendedData.diagnostics {
            emit(.diagnostics(SSHChannelNumber(message.recipient), message.data))
        } else {
            // No other kind is known; it has used the window all the same.
            connection.channels[message.recipient]?.consume(message.data.count)
            try sendCredit(message.recipient)
        }
    }

    /// Takes data off the window; `false` if there is no receiver for it.
    private mutating func take(_ data: ArraySlice<UInt8>, _ number: UInt32) throws(SSHError) -> Bool {
        var state = try open(number)
        try state.receive(data.count)
        connection.channels[number] = state
        return !state.hasSentClose && !data.isEmpty
    }

    private mutating func handleAdjust(_ payload: [UInt8]) throws(SSHError) {
        let message = try SSHWindowAdjust(payload: payload)
        guard !isOver(message.recipient) else { return }
        var state = try open(message.recipient)
        try state.widenRemote(by: message.bytes)
        let isNews = state.isCallerWaiting && state.sendable > 0 && !exchange.isHolding
        if isNews { state.isCallerWaiting = false }
        connection.channels[message.recipient] = state
        if isNews { emit(.writable(SSHChannelNumber(message.recipient))) }
    }

    private mutating func handleRequest(_ payload: [UInt8]) throws(SSHError) {
        let message = try SSHChannelRequestMessage(payload: payload)
        let state = try open(message.recipient)
        let exit = try SSHChannelExit(type: message.type, fields: message.fields)
        if let exit, !state.hasSentClose { emit(.exited(SSHChannelNumber(message.recipient), exit)) }
        // Also a probe of the server's (keepalive@openssh.com), for which any answer does.
        guard message.wantsReply, !state.hasSentClose else { return }
        if exit == nil {
            try send(SSHChannelFailure(recipient: state.remote))
        } else {
            try send(SSHChannelSuccess(recipient: state.remote))
        }
    }

    private mutating func handleAnswer(_ number: UInt32, isGranted: Bool) throws(SSHError) {
        guard !isOver(number) else { return }
        var state = try open(number)
        guard !state.requests.isEmpty else { throw .violation("an answer came to no request") }
        let request = state.requests.removeFirst()
        connection.channels[number] = state
        emit(.requestAnswered(SSHChannelNumber(number), request, isGranted: isGranted))
    }

    private mutating func handleEnd(_ payload: [UInt8]) throws(SSHError) {
        let number = try SSHChannelEnd(payload: payload).recipient
        let state = try open(number)
        guard !state.hasReceivedEnd else { throw .violation("a channel ended twice") }
        connection.channels[number]?.hasReceivedEnd = true
        if !state.hasSentClose { emit(.endOfData(SSHChannelNumber(number))) }
    }

    private mutating func handleClose(_ payload: [UInt8]) throws(SSHError) {
        let number = try SSHChannelClose(payload: payload).recipient
        let state = try open(number)
        connection.channels[number] = nil
        if !state.hasSentClose { try send(SSHChannelClose(recipient: state.remote)) }
        emit(.channelClosed(SSHChannelNumber(number)))
    }

    private mutating func handleConfirmation(_ payload: [UInt8]) throws(SSHError) {
        let message = try SSHChannelOpenConfirmation(payload: payload)
        var state = try opening(message.recipient)
        try state.setRemote(number: message.sender, window: message.window, packetBytes: message.packetBytes)
        connection.channels[message.recipient] = state
        guard state.closesWhenOpen else { return emit(.channelOpened(SSHChannelNumber(message.recipient))) }
        try close(SSHChannelNumber(message.recipient))
    }

    private mutating func handleOpenFailure(_ payload: [UInt8]) throws(SSHError) {
        let message = try SSHChannelOpenFailure(payload: payload)
        let state = try opening(message.recipient)
        let channel = SSHChannelNumber(message.recipient)
        connection.channels[message.recipient] = nil
        emit(
            state.closesWhenOpen
                ? .channelClosed(channel)
                : .channelRefused(channel, reason: message.reason, message: message.description)
        )
    }

    /// A channel of the server's: only for a forwarding that was asked for.
    private mutating func handleOpen(_ payload: [UInt8]) throws(SSHError) {
        let message = try SSHChannelOpen(payload: payload)
        var state = SSHChannelState(phase: .offered, window: 2 << 20)
        try state.setRemote(number: message.sender, window: message.window, packetBytes: message.packetBytes)
        state.phase = .offered
        guard SSHForwardedChannel.types.contains(message.type) else {
            return try send(SSHChannelOpenFailure(recipient: message.sender, reason: 3, description: "unknown type"))
        }
        let channel = try SSHForwardedChannel(type: message.type, fields: message.fields)
        guard connection.forwardings.contains(where: { $0.covers(channel) }) else {
            return try send(SSHChannelOpenFailure(recipient: message.sender, reason: 1, description: "not asked for"))
        }
        let offered = connection.channels.values.count { if case .offered = $0.phase { true } else { false } }
        guard offered < Limits.offeredChannels, connection.channels.count < Limits.channels else {
            return try send(SSHChannelOpenFailure(recipient: message.sender, reason: 4, description: "too many"))
        }
        emit(.channelOffered(try connection.add(state), channel))
    }
}
