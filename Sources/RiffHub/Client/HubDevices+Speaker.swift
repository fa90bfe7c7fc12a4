// Riff
// SPDX-License-Identifier: Apache-2.0

extension HubDevices {
    /// Who says what is about to be played.
    public struct Speaker: Sendable, Hashable {
        /// The session.
        public let session: HubSession.ID
        /// Its voice; named after the session where the hub has not told it.
        public let voice: HubVoice

        /// A speaker.
        package init(session: HubSession.ID, voice: HubVoice) { (self.session, self.voice) = (session, voice) }
    }
}
