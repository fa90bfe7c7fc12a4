// Riff
// SPDX-License-Identifier: Apache-2.0

/// The line that is being spoken. Places are samples since the beginning of the turn.
struct OpenLine: Sendable {
    /// A silence from here on is a pause between words, and may be cut at: about 100 ms.
    private static let shortestPause = 1_568
    /// Sounds fade: so much after the last one belongs to it.
    private static let fade = 3_200

    let id: TranscriptLine.ID
    let start: Int
    /// The text of the line so far.
    var text = ""
    /// The end of what the engine was given last.
    var given: Int
    /// The end of what ``text`` was heard in.
    var recognized: Int?
    /// Whether it is still recognized before it is complete.
    var hasPartials = true

    private(set) var lastVoice: Int
    private(set) var silentSince: Int?
    private var pauses: [Range<Int>] = []

    init(id: TranscriptLine.ID, start: Int, at position: Int) {
        (self.id, self.start, given, lastVoice) = (id, start, start, position)
    }

    /// Takes what the detector says of the next frame.
    mutating func heard(voice: Bool, silence: Bool, in frame: Range<Int>) {
        if voice {
            if let since = silentSince, frame.lowerBound - since >= OpenLine.shortestPause {
                pauses.append(since..<frame.lowerBound)
            }
            (lastVoice, silentSince) = (frame.upperBound, nil)
        } else if silence {
            silentSince = silentSince ?? frame.lowerBound
        }
    }

    /// Returns the place at which all speech of the line is over, if it ends here.
    func lastSound(before end: Int) -> Int { min(end, lastVoice + OpenLine.fade) }

    /// Returns the place to cut the line: in the middle of its longest pause, one in the second half before any in the
    /// first; `nil` if there was none. A second at least lies before the cut.
    func bestPause(before end: Int) -> Int? {
        let pauses = (pauses + (silentSince.map { [$0..<end] } ?? [])).filter {
            $0.count >= OpenLine.shortestPause && $0.lowerBound - start >= 16_000
        }
        let late = pauses.filter { $0.lowerBound - start >= (end - start) / 2 }
        let best = (late.isEmpty ? pauses : late).max { $0.count < $1.count }
        return best.map { ($0.lowerBound + $0.upperBound) / 2 }
    }

    /// Returns the line that follows a cut.
    func rest(from cut: Int, id: TranscriptLine.ID) -> OpenLine {
        var rest = OpenLine(id: id, start: cut, at: max(cut, lastVoice))
        rest.silentSince = silentSince.map { max($0, cut) }
        rest.pauses = pauses.filter { $0.lowerBound > cut }
        return rest
    }
}
