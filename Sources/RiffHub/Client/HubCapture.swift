// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffVoice

/// The capture of one opening of the microphone: a value. It records at once, or from a moment before the user has
/// spoken for long enough; it can end once they have stopped.
package struct HubCapture: Sendable {
    package enum News: Sendable, Hashable {
        /// The user spoke for long enough; it records from a moment before on.
        case interrupted
        /// The user speaks into the recording.
        case spoke
        /// They have stopped for long enough.
        case ended
        /// No more fits into a clip that a hub takes.
        case full
    }

    /// 20 ms.
    private static let step = 640
    /// WAV's header lies before the samples.
    private static let sampleBytes = HubCommand.clipBytes - 64

    private let endsByItself: Bool
    private var detector: any VoiceDetecting
    private var start: SpeechSegmenter
    private var end: SpeechSegmenter
    private let unheard: SpeechSegmenter
    private var preRoll = PreRollBuffer(format: .speech, duration: .milliseconds(800))
    package private(set) var samples: [UInt8] = []
    private var isOver = false
    private var hasSpoken = false

    package init(isWatching: Bool, endsByItself: Bool, _ devices: HubDevices) throws {
        self.endsByItself = endsByItself
        detector = devices.detector
        detector.reset()
        start = try SpeechSegmenter(devices.interruption, frameSamples: detector.frameSamples)
        var segmentation = SpeechSegmentation()
        segmentation.minSilenceDuration = devices.endSilence
        segmentation.maxSpeechDuration = .seconds(86_400)
        unheard = try SpeechSegmenter(segmentation, frameSamples: detector.frameSamples)
        end = unheard
        if !isWatching { _ = preRoll.begin() }
    }

    /// Takes samples of the format `AudioFormat.speech`.
    package mutating func take(_ bytes: [UInt8]) -> [News] {
        var news: [News] = []
        for place in stride(from: 0, to: bytes.count, by: Self.step) where !isOver {
            let piece = Array(bytes[place..<min(place + Self.step, bytes.count)])
            let isWatching = !preRoll.isRecording
            samples += preRoll.process(piece)
            for probability in detector.process(speech: piece) {
                let hasEnded = end.process(probability).contains { if case .ended = $0 { true } else { false } }
                if !isWatching, end.isSpeaking, !hasSpoken {
                    hasSpoken = true
                    news.append(.spoke)
                }
                if isWatching, !preRoll.isRecording, !start.process(probability).isEmpty, start.isSpeaking {
                    samples += preRoll.begin()
                    hasSpoken = true
                    news.append(.interrupted)
                } else if hasEnded, endsByItself, preRoll.isRecording, !isOver {
                    isOver = true
                    news.append(.ended)
                }
            }
            if samples.count >= Self.sampleBytes, !isOver {
                isOver = true
                news.append(.full)
            }
        }
        return news
    }

    /// Records from now on; nothing where it does already. What was heard until now was the agent.
    package mutating func record() {
        guard !preRoll.isRecording else { return }
        _ = preRoll.begin()
        end = unheard
    }

    /// The clip as a WAV file; `nil` where nothing was recorded.
    package func file() throws -> [UInt8]? {
        samples.isEmpty ? nil : try WAVWriter.file(Array(samples.prefix(Self.sampleBytes)), format: .speech)
    }
}
