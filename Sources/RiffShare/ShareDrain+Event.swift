// Riff
// SPDX-License-Identifier: Apache-2.0

extension ShareDrain {
    /// Something that a drain follows.
    public enum Event: Sendable, Hashable {
        /// The sessions are known, and the one that was active last is restored.
        case bootstrapped
        /// The app came to the foreground.
        case foregrounded
        /// The person tapped the banner.
        case noticeTapped
        /// This process itself put something into the inbox.
        case deposited
        /// The active session takes keys.
        case connected
        /// The active session takes no keys.
        case disconnected
        /// The app goes to sleep.
        case suspended
        /// The drain under way is over, however it went.
        case drainEnded
    }
}
