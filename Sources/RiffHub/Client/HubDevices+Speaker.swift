// Riff
// SPDX-License-Identifier: Apache-2.0

extension HubDevices {
    /// The speaker of audio that is about to be played.
    public struct Speaker: Sendable, Hashable {
        /// The identifier of the session.
        public let session: HubSession.ID
        /// Its voice; named after the session where the hub has not told it.
        public let voice: HubVoice

        /// Creates a speaker.
        package init(session: HubSession.ID, voice: HubVoice) { (self.session, self.voice) = (session, voice) }
    }
}
