// Riff
// SPDX-License-Identifier: Apache-2.0

/// The last words of a session, and the part of them that was heard here: a value.
struct HubHearing: Sendable {
    /// The agent's last words.
    private(set) var lastSaid: String?
    /// Whether the agent said them without waiting for an answer.
    private(set) var isFireAndForget = false
    /// Whether nothing else happened since the last text.
    var isAfterText = false
    /// Whether nothing was said since the last sound.
    private(set) var isAfterSound = false
    /// The words of the last sound, and how many texts of the agent there were with them.
    private(set) var heard: (text: String?, replies: Int)?
    /// Whether a cut may have kept other words from this client, which the hub waits for instead: the history tells.
    private(set) var isInDoubt = false
    /// Whether the hub's list says that it waits for the end of playing.
    var isRepeatDue = false

    /// The agent says something.
    mutating func say(_ text: HubText) {
        isFireAndForget = text.isFireAndForget
        lastSaid = text.text
        isAfterSound = false
    }

    /// A sound came.
    ///
    /// - Returns: Whether nothing was said since the sound before.
    mutating func sound() -> Bool {
        defer { isAfterSound = true }
        return isAfterSound
    }

    /// A sound came that will be heard.
    mutating func take(replies: Int) {
        heard = (lastSaid, replies)
        isInDoubt = false
        isRepeatDue = false
    }

    /// The connection is gone.
    ///
    /// - Parameter isOwed: Whether the hub waits for the end of playing, as far as is known.
    mutating func lose(isOwed: Bool) {
        isInDoubt = isOwed
        isRepeatDue = false
        isAfterText = false
        isAfterSound = false
    }

    /// The history tells whether what was heard here is what the hub waits for.
    mutating func settle() { isInDoubt = false }
}
