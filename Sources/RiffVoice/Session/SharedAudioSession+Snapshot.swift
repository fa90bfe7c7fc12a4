// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension SharedAudioSession {
    /// The state of an app's audio.
    public struct Snapshot: Sendable, Hashable {
        /// Whether the session is active for those who record and play here.
        public internal(set) var isActive = false
        /// Whether a call owns it.
        public internal(set) var isOwnedByCall = false
        /// Whether the system has taken it, such as for a call or an alarm.
        public internal(set) var isInterrupted = false
        /// The reason why it could not be given back, if it could not.
        public internal(set) var problem: Problem?
        /// Whether the last interruption ended so that the app may continue by itself.
        package internal(set) var mayResume = true
        /// The number of times that the device that played has gone.
        package internal(set) var lostOutputs = 0
    }
}
