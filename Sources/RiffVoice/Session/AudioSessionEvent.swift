// Riff
// SPDX-License-Identifier: Apache-2.0

/// A change of the platform's audio session that the app did not make.
public enum AudioSessionEvent: Sendable, Hashable {
    /// The system took the audio away, such as for a call or an alarm: the session is not active any more.
    case interrupted
    /// The interruption is over. Where the system does not want the app to continue by itself, `mayResume` is `false`,
    /// and a person's gesture does.
    case interruptionEnded(mayResume: Bool)
    /// The device that played has gone, such as a headset that was unplugged: what is spoken would be heard by all.
    case outputLost
}
