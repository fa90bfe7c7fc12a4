// Riff
// SPDX-License-Identifier: Apache-2.0

/// Cuts long speech into pieces for an engine that takes only so much at a time, where it is quietest.
package enum SpeechSplitter {
    /// The pieces of a recording, in order, without gap or overlap.
    ///
    /// Every cut but those that must be made is in the middle of the quietest 20 ms of the last `search` before the
    /// limit; no piece is shorter than a second, unless the whole recording is.
    ///
    /// - Parameters:
    ///   - samples: One channel.
    ///   - sampleRate: Samples a second.
    ///   - longest: The most samples of a piece; more than two seconds of them.
    ///   - search: How far before the limit a cut may lie, in samples.
    /// - Returns: Ranges of samples.
    package static func pieces(of samples: [Float], sampleRate: Int, longest: Int, search: Int) -> [Range<Int>] {
        precondition(longest > 2 * sampleRate, "A piece holds more than two seconds.")
        let window = max(1, sampleRate / 50)
        var pieces: [Range<Int>] = []
        var start = 0
        while samples.count - start > longest {
            // The end of the range leaves a second for what follows.
            let latest = min(start + longest, samples.count - sampleRate)
            let earliest = max(start + sampleRate, latest - search)
            let cut = quietest(in: samples, from: earliest, to: latest, window: window)
            pieces.append(start..<cut)
            start = cut
        }
        if start < samples.count { pieces.append(start..<samples.count) }
        return pieces
    }

    /// The middle of the window with the least energy; the latest of equals, so that pieces are long.
    package static func quietest(in samples: [Float], from first: Int, to last: Int, window: Int) -> Int {
        guard last - first > window else { return last }
        let step = max(1, window / 4)
        var best = (energy: Float.infinity, start: first)
        for start in stride(from: first, through: last - window, by: step) {
            var energy: Float = 0
            for index in start..<(start + window) { energy += samples[index] * samples[index] }
            if energy <= best.energy { best = (energy, start) }
        }
        return best.start + window / 2
    }
}
