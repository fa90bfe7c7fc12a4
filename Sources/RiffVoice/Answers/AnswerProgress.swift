// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore
internal import Synchronization

/// A place in an answer, from which it can be spoken on.
package struct AnswerPlace: Sendable, Hashable {
    /// The sentences before it.
    package var sentences = 0
    /// The sound before it, in an answer that came as sound.
    package var sound = Duration.zero

    /// Creates the place at the beginning.
    package init() {}
}

/// The progress of an answer's playback, as its speaker reports it.
package final class AnswerProgress: Sendable {
    private struct State {
        /// The pieces that began to be played, each with the duration of the sound before it.
        var pieces: [(text: String, begin: Duration)] = []
        /// The duration of the sound handed to the loudspeaker, and the time at which the first of it was.
        var handed = Duration.zero
        var began: Duration?
    }

    private let stopwatch: Stopwatch
    private let state = Mutex(State())

    package init(_ stopwatch: Stopwatch) { self.stopwatch = stopwatch }

    /// The sound of these words comes next.
    package func begin(_ text: String) { state.withLock { $0.pieces.append((text, $0.handed)) } }

    /// Frames are handed to the loudspeaker.
    ///
    /// - Returns: Whether they are the first.
    package func hand(_ frames: [UInt8], of format: AudioFormat) -> Bool {
        let now = stopwatch.now.offset
        let length = Duration.seconds(1) * (frames.count / format.bytesPerFrame) / format.sampleRate
        return state.withLock { state in
            state.handed += length
            defer { state.began = state.began ?? now }
            return state.began == nil
        }
    }

    /// Returns the part of the answer that was heard until now. A loudspeaker may hold more than it has played, so it
    /// is never more than the time since the first sound.
    package func heard() -> (time: Duration, text: String) {
        let now = stopwatch.now.offset
        return state.withLock { state in
            let time = state.began.map { min(state.handed, now - $0) } ?? .zero
            return (time, state.pieces.filter { $0.begin < time }.map(\.text).joined(separator: " "))
        }
    }

    /// Finds the place to speak on from.
    ///
    /// - Parameter start: Where this speech began.
    /// - Returns: The sentence that was broken off; in a sound a second before its end, so that nothing is missed.
    package func place(after start: AnswerPlace) -> AnswerPlace {
        let now = stopwatch.now.offset
        return state.withLock { state in
            let time = state.began.map { min(state.handed, now - $0) } ?? .zero
            var place = start
            place.sentences += max(0, state.pieces.count { $0.begin < time } - 1)
            place.sound += max(.zero, time - .seconds(1))
            return place
        }
    }
}
