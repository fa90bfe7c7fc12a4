// Riff
// SPDX-License-Identifier: Apache-2.0

extension HubSnapshot {
    /// The big button of an open session: what a tap on it does now.
    public enum Button: Sendable, Hashable {
        /// Begins to record an answer.
        case record
        /// Ends the recording, which is sent.
        case send
        /// Stops the agent's speech, and begins to record.
        case interrupt
        /// Does nothing: no session is open, or there is no connection.
        case unavailable

        /// The word on the button.
        public var label: String {
            switch self {
            case .record: "Talk"
            case .send: "Send"
            case .interrupt: "Interrupt"
            case .unavailable: "Not available"
            }
        }

        /// The color as 0xRRGGBB: blue, green, orange; gray where a tap does nothing.
        public var color: UInt32 {
            switch self {
            case .record: 0x3A86FF
            case .send: 0x2ECC71
            case .interrupt: 0xE67E22
            case .unavailable: 0x8E8E93
            }
        }
    }

    /// The big button of the session that is open.
    public var button: Button {
        // What is recorded can be ended without a connection; it is sent when there is one.
        if microphone == .recording { return .send }
        guard open != nil, connection == .connected else { return .unavailable }
        let isSpeaking = cards.first { $0.isOpen }?.state == .speaking
        return isSpeaking ? .interrupt : .record
    }
}

extension HubClient {
    /// Does what the big button says (``HubSnapshot/button``).
    ///
    /// - Parameter button: The button as it was shown: a tap never does what the person did not see.
    public func press(_ button: HubSnapshot.Button) {
        switch button {
        case .record: record()
        case .send: finishRecording()
        case .interrupt: interrupt()
        case .unavailable: break
        }
    }
}
