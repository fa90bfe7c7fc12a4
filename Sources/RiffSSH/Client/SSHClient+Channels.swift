// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension SSHClient {
    /// Opens a channel. Whether it is open is an event; nothing can be sent on it before.
    ///
    /// - Parameters:
    ///   - kind: What it is to carry.
    ///   - window: The most bytes of output that may be on their way or unread.
    /// - Returns: Its number.
    /// - Throws: ``SSHError`` with `notPossible` before authentication, or the error that ended the connection.
    package mutating func open(_ kind: SSHOutgoingChannel, window: UInt32) throws(SSHError) -> SSHChannelNumber {
        try call { (client) throws(SSHError) in
            guard client.authentication.isDone else { throw SSHError.notYet("channel before authentication") }
            try Self.checkSize(kind.fields)
            let number = try client.connection.add(SSHChannelState(phase: .opening, window: window))
            try client.send(
                SSHChannelOpen(
                    type: kind.type,
                    sender: number.value,
                    window: window,
                    packetBytes: SSHChannelState.packetBytes,
                    fields: kind.fields
                )
            )
            return number
        }
    }

    /// Asks something of a session; the answer is an event, if it has one. Requests can follow each other at once.
    @discardableResult
    package mutating func request(
        _ request: SSHSessionRequest,
        on channel: SSHChannelNumber
    ) throws(SSHError) -> SSHRequestNumber? {
        try call { (client) throws(SSHError) in
            try Self.checkSize(request.fields)
            var state = try client.openChannel(channel)
            guard state.requests.count < SSHChannelState.requestLimit else {
                throw SSHError(.notPossible, "Too many requests are unanswered.")
            }
            let number = request.wantsReply ? client.connection.makeRequest() : nil
            if let number { state.requests.append(number) }
            client.connection.channels[channel.value] = state
            try client.send(
                SSHChannelRequestMessage(
                    recipient: state.remote,
                    type: request.type,
                    wantsReply: request.wantsReply,
                    fields: request.fields
                )
            )
            return number
        }
    }

    /// Writes what the peer's window takes.
    ///
    /// - Returns: How much was taken. If it is less than all, a `writable` event follows once more can be.
    /// - Throws: ``SSHError`` with `notPossible` if the channel is not open, or the error that ended the connection.
    package mutating func write(
        _ bytes: ArraySlice<UInt8>,
        to channel: SSHChannelNumber
    ) throws(SSHError) -> Int {
        try call { (client) throws(SSHError) in
            var state = try client.openChannel(channel)
            guard !state.hasSentEnd else { throw SSHError(.notPossible, "The channel's input was ended before.") }
            var rest = bytes
            while !rest.isEmpty, !client.exchange.isHolding, state.sendable > 0 {
                let piece = rest.prefix(state.sendable)
                try client.send(SSHChannelData(recipient: state.remote, data: piece))
                state.sent(piece.count)
                rest = rest.dropFirst(piece.count)
                try client.rekeyIfDue()
            }
            state.isCallerWaiting = !rest.isEmpty
            client.connection.channels[channel.value] = state
            return bytes.count - rest.count
        }
    }

    /// Tells that delivered bytes were used up, so that the window opens again.
    package mutating func consume(_ count: Int, of channel: SSHChannelNumber) throws(SSHError) {
        try call { (client) throws(SSHError) in
            client.connection.channels[channel.value]?.consume(count)
            try client.sendCredit(channel.value)
        }
    }

    /// Changes the most bytes that may be on their way or unread. A smaller one takes effect as bytes come.
    package mutating func setWindow(_ bytes: UInt32, of channel: SSHChannelNumber) throws(SSHError) {
        try call { (client) throws(SSHError) in
            client.connection.channels[channel.value]?.setTarget(bytes)
            try client.sendCredit(channel.value)
        }
    }

    /// Ends our half of a channel.
    package mutating func sendEnd(of channel: SSHChannelNumber) throws(SSHError) {
        try call { (client) throws(SSHError) in
            let state = try client.openChannel(channel)
            guard !state.hasSentEnd else { return }
            client.connection.channels[channel.value]?.hasSentEnd = true
            try client.send(SSHChannelEnd(recipient: state.remote))
        }
    }

    /// Closes a channel; it is over when the peer has closed it too. One that is gone already stays so.
    package mutating func close(_ channel: SSHChannelNumber) throws(SSHError) {
        try call { (client) throws(SSHError) in
            guard let state = client.connection.channels[channel.value], !state.hasSentClose else { return }
            switch state.phase {
            case .opening: client.connection.channels[channel.value]?.closesWhenOpen = true
            case .offered: try client.refuseOffered(channel.value, state, reason: 1)
            case .open:
                client.connection.channels[channel.value]?.hasSentClose = true
                try client.send(SSHChannelClose(recipient: state.remote))
            }
        }
    }

    /// Accepts a channel that the server opened.
    package mutating func accept(_ channel: SSHChannelNumber) throws(SSHError) {
        try call { (client) throws(SSHError) in
            guard let state = client.connection.channels[channel.value], case .offered = state.phase else {
                throw SSHError.notYet("offered channel")
            }
            client.connection.channels[channel.value]?.phase = .open
            try client.send(
                SSHChannelOpenConfirmation(
                    recipient: state.remote,
                    sender: channel.value,
                    window: state.target,
                    packetBytes: SSHChannelState.packetBytes
                )
            )
        }
    }

    mutating func refuseOffered(_ number: UInt32, _ state: SSHChannelState, reason: UInt32) throws(SSHError) {
        connection.channels[number] = nil
        try send(SSHChannelOpenFailure(recipient: state.remote, reason: reason, description: "refused"))
    }

    mutating func sendCredit(_ number: UInt32) throws(SSHError) {
        guard let remote = connection.channels[number]?.remote,
            let credit = connection.channels[number]?.takeCredit()
        else { return }
        try send(SSHWindowAdjust(recipient: remote, bytes: credit))
    }

    /// After an exchange of keys: channels whose callers were told to wait.
    mutating func tellWaitingCallers() {
        for (number, state) in connection.channels where state.isCallerWaiting && state.sendable > 0 {
            connection.channels[number]?.isCallerWaiting = false
            emit(.writable(SSHChannelNumber(number)))
        }
    }

    private func openChannel(_ channel: SSHChannelNumber) throws(SSHError) -> SSHChannelState {
        guard let state = connection.channels[channel.value], case .open = state.phase, !state.hasSentClose else {
            throw SSHError(.notPossible, "The channel is not open.")
        }
        return state
    }
}
