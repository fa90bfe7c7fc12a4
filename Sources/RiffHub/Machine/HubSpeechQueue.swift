// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule

/// The speech of one session that was not heard yet: a value. Clips wait here until the session is open, and are played
/// in order; when all of them are, the hub is told so, once.
package struct HubSpeechQueue: Sendable {
    /// The most that one session may hold, in bytes of files: about an hour of MP3. Beyond it, and only there, a clip
    /// is not taken, and counted.
    package static let limitBytes = 64 << 20

    /// A clip on its way.
    package struct Clip: Sendable, Hashable {
        /// The clip's number.
        package let number: Int
        /// The sound of the clip.
        package let audio: HubAudio
    }

    private var waiting = Deque<Clip>()
    private(set) var bytes = 0
    /// What is being played.
    package private(set) var playing: Clip?
    /// The number of clips that were not taken.
    package private(set) var missed = 0
    /// Whether the hub waits to hear that all was played.
    package private(set) var owesPlaybackDone = false
    /// Whether all was played or stopped, and the hub has not shown since then that it knows.
    package private(set) var isDoneUnconfirmed = false
    private var newest: HubAudio?

    /// Nothing said.
    package init() {}

    /// Whether nothing waits and nothing is played.
    package var isEmpty: Bool { waiting.isEmpty && playing == nil }

    /// The number of clips that wait.
    package var count: Int { waiting.count }

    /// Takes what came.
    ///
    /// - Parameters:
    ///   - audio: The sound.
    ///   - number: The clip's number.
    ///   - isSame: Whether nothing was said between: the same sound again is then the same clip.
    ///   - room: How many bytes fit beside what other sessions said.
    /// - Returns: Whether it will be played.
    package mutating func append(_ audio: HubAudio, number: Int, unlessRepeated isSame: Bool = false, room: Int = .max)
        -> Bool
    {
        if isSame, let newest, newest == audio { return false }
        newest = audio
        guard bytes + audio.bytes.count <= Self.limitBytes, audio.bytes.count <= room else {
            missed += 1
            return false
        }
        bytes += audio.bytes.count
        waiting.append(Clip(number: number, audio: audio))
        (owesPlaybackDone, isDoneUnconfirmed) = (true, false)
        return true
    }

    /// The next clip to play, where none is being played.
    package mutating func next() -> Clip? {
        guard playing == nil, let clip = waiting.popFirst() else { return nil }
        playing = clip
        return clip
    }

    /// A clip was played, or cannot be.
    ///
    /// - Returns: Whether that was the last one and the hub is to be told, which happens once.
    package mutating func played(_ number: Int) -> Bool {
        guard let clip = playing, clip.number == number else { return false }
        (playing, bytes) = (nil, bytes - clip.audio.bytes.count)
        guard waiting.isEmpty, owesPlaybackDone else { return false }
        (owesPlaybackDone, isDoneUnconfirmed) = (false, true)
        return true
    }

    /// Drops the rest of the clips, because the user spoke into them, or left the session.
    ///
    /// - Returns: What was being played, and whether the hub waits for it.
    package mutating func interrupt() -> (clip: Int?, wasOwed: Bool) {
        defer { (waiting, playing, bytes, owesPlaybackDone, isDoneUnconfirmed) = ([], nil, 0, false, owesPlaybackDone) }
        return (playing?.number, owesPlaybackDone)
    }

    /// Puts the clip that was being played back to the front: the session is not open any more.
    package mutating func putBack() -> Int? {
        guard let clip = playing else { return nil }
        waiting.prepend(clip)
        playing = nil
        return clip.number
    }

    /// The hub does not wait any more: the turn went on by another client, or by itself. What is here is still played.
    package mutating func forgive() { (owesPlaybackDone, isDoneUnconfirmed) = (false, false) }

    /// The hub shows that it does not wait for the end of what was played.
    package mutating func confirmDone() { isDoneUnconfirmed = false }

    /// Takes the clips of an earlier session of the voice that were not heard: they come first. What does not fit, the
    /// oldest, is counted.
    package mutating func inherit(_ earlier: HubSpeechQueue) {
        var clips = earlier.waiting
        if let playing = earlier.playing { clips.prepend(playing) }
        missed += earlier.missed
        var room = Self.limitBytes - bytes
        for clip in clips.reversed() {
            guard clip.audio.bytes.count <= room else {
                missed += 1
                room = 0
                continue
            }
            room -= clip.audio.bytes.count
            bytes += clip.audio.bytes.count
            waiting.prepend(clip)
        }
    }
}
