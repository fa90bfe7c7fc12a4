// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffVoice

/// Finds in a recording's progress what a dictation goes by: the first speech, and the end by its policy. A value;
/// times are those of the sound, so that a device that stalls ends nothing.
struct DictationProgress: Sendable {
    enum News: Sendable, Hashable {
        case speech
        /// The recording ends in this time.
        case timeLeft(Duration)
        case ended
    }

    private let limit: Duration?
    private var endpointer: Endpointer
    private var hasSpeech = false
    private var isOver = false
    private var told: Int64?

    init(_ policy: EndpointPolicy) {
        endpointer = Endpointer(policy)
        limit = policy.limit
    }

    mutating func take(_ progress: ClipRecorder.Progress) -> [News] {
        guard !isOver else { return [] }
        var news: [News] = []
        if progress.hasSpeech, !hasSpeech {
            hasSpeech = true
            news.append(.speech)
        }
        if hasSpeech {
            // Both, since a slow reader is told only the newest progress: the last voice, and the silence after it.
            let lastVoice = progress.duration - progress.silence
            endpointer.voiceChanged(isSpeaking: true, at: lastVoice)
            if progress.silence > .zero { endpointer.voiceChanged(isSpeaking: false, at: lastVoice) }
        }
        if endpointer.reason(at: progress.duration) != nil {
            isOver = true
            return news + [.ended]
        }
        if let limit, limit - progress.duration <= .seconds(60) {
            // Up, so that "1" is told until the end.
            let rest = max(.zero, limit - progress.duration + .milliseconds(999)).components.seconds
            if rest != told {
                told = rest
                news.append(.timeLeft(.seconds(rest)))
            }
        }
        return news
    }
}
