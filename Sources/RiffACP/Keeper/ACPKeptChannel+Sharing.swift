// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport
internal import Synchronization

/// A channel to an agent that other clients may read and write at the same time.
protocol SharedAgentChannel: ACPChannel {
    /// This client among all of the agent's: its requests' ids begin with it.
    var clientID: String { get }
    /// The agent's answer to the handshake, where a client made one before.
    var greeting: JSONValue? { get }
    /// Keeps the agent's answer to the handshake for clients that come later.
    func keepGreeting(_ greeting: JSONValue) async
    /// Whether another client has answered a question of the agent's.
    func isAnswered(_ id: ACP.RequestID) -> Bool
    /// Calls the observer for each question that another client answers.
    func observeAnswers(_ observer: @escaping @Sendable (ACP.RequestID) -> Void)
    /// Calls the observer for each turn that another client began; at once for those that it began before.
    func observeTurns(_ observer: @escaping @Sendable (OtherTurn) -> Void)
}

extension ACPKeptChannel: SharedAgentChannel {
    var greeting: JSONValue? { state.withLock(\.inbound.header?.greeting) }

    func keepGreeting(_ greeting: JSONValue) async {
        state.withLock { $0.outbound.add(greeting.bytes() + [0x0A], for: .greeting) }
        await write()
    }

    func isAnswered(_ id: ACP.RequestID) -> Bool { state.withLock { $0.answered.contains(id) } }

    func observeAnswers(_ observer: @escaping @Sendable (ACP.RequestID) -> Void) {
        state.withLock { $0.onAnswered = observer }
    }

    func observeTurns(_ observer: @escaping @Sendable (OtherTurn) -> Void) {
        let untold = state.withLock { state in
            state.onTurn = observer
            defer { state.untoldTurns = [] }
            return state.untoldTurns
        }
        for turn in untold { observer(turn) }
    }

    // MARK: What the keeper tells

    /// Tells of the turns that were running when the keeper said what there is, and of those that began since.
    func take(_ header: KeptInbound.Header) {
        let early = state.withLock { state in
            defer { state.earlyTurns = [] }
            return state.earlyTurns
        }
        for turn in header.turns { tell(turn) }
        // The others had ended by then, or are among those before.
        for (number, turn) in early where number > header.lastTurn { tell(turn) }
    }

    private func tell(_ turn: OtherTurn) {
        guard !turn.isFrom(clientID) else { return }
        let observer = state.withLock { state in
            if state.onTurn == nil, !state.isClosed, state.untoldTurns.count < 64 { state.untoldTurns.append(turn) }
            return state.onTurn
        }
        observer?(turn)
    }

    private func began(_ turn: OtherTurn, _ number: UInt64) {
        let isNew = state.withLock { state in
            guard let header = state.inbound.header else {
                if state.earlyTurns.count >= 64 { state.earlyTurns.removeFirst() }
                state.earlyTurns.append((number, turn))
                return false
            }
            return number > header.lastTurn
        }
        if isNew { tell(turn) }
    }

    func readEvents(of attachment: Attachment) async {
        var framer = LineFramer(limit: 64 * 1024)
        do {
            for try await chunk in attachment.bytes.diagnostics {
                for case .line(let line) in framer.push(chunk) { take(line, attachment) }
            }
        } catch {
            // The reader of the lines meets the same, and deals with it.
        }
        attachment.eventsEnded.resolve(())
    }

    private func take(_ line: ArraySlice<UInt8>, _ attachment: Attachment) {
        let parts = String(decoding: line, as: UTF8.self).split(separator: " ")
        switch (parts.first, parts.count) {
        case ("ack", 3):
            guard parts[1] == clientID, let number = UInt64(parts[2]) else { return }
            let isDone = state.withLock { state in
                state.outbound.acknowledged(number)
                return state.isFinishing && state.outbound.isEmpty
            }
            room.signal()
            if isDone { ended.resolve(nil) }
        case ("answered", 3):
            guard parts[2] != clientID, let id = Self.id(of: parts[1]) else { return }
            let onAnswered = state.withLock { state in
                guard !state.answered.contains(id) else { return nil as (@Sendable (ACP.RequestID) -> Void)? }
                if state.answered.count >= 1024 { state.answered.removeFirst(512) }
                state.answered.append(id)
                return state.onAnswered
            }
            onAnswered?(id)
        case ("turn", 3):
            guard let turn = OtherTurn(word: parts[1]), let number = UInt64(parts[2]) else { return }
            began(turn, number)
        default:
            attachment.words.add(line: line)
            words.offerDroppingOldest(line + [0x0A])
        }
    }

    private static func id(of key: Substring) -> ACP.RequestID? {
        guard let bytes = KeeperKey.bytes(key) else { return nil }
        // It was written by a client, from an id that was JSON.
        return (try? JSONValue(parsing: bytes)).map(ACP.RequestID.init(json:))
    }
}
