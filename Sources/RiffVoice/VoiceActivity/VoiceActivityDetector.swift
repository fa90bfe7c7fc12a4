// Riff
// SPDX-License-Identifier: Apache-2.0

// sample: samples: [Float]
/// A detector and a segmenter in one: samples in, starts and ends of speech out.
///
/// ```swift
/// var activity = try VoiceActivityDetector(NeuralVoiceDetector(), SpeechSegmentation())
/// for event in activity.process(samples) { print(event) }
/// ```
public struct VoiceActivityDetector<Detector: VoiceDetecting>: Sendable {
    /// The detector that gives the probabilities.
    package private(set) var detector: Detector
    /// The segmenter that makes stretches of them.
    package private(set) var segmenter: SpeechSegmenter

    /// A detector at the beginning of audio.
    ///
    /// - Throws: ``VoiceError`` with `invalidSegmentation`, saying which parameter.
    public init(_ detector: Detector, _ segmentation: SpeechSegmentation = SpeechSegmentation()) throws(VoiceError) {
        self.detector = detector
        segmenter = try SpeechSegmenter(segmentation, frameSamples: detector.frameSamples)
    }

    /// Takes the next samples, as ``VoiceDetecting/process(_:)`` does.
    ///
    /// - Returns: What they decide, in order.
    public mutating func process(_ samples: [Float]) -> [SpeechEvent] {
        var events: [SpeechEvent] = []
        for probability in detector.process(samples) { events += segmenter.process(probability) }
        return events
    }

    /// Takes the next frames of an audio source, as ``VoiceDetecting/process(speech:)`` does.
    ///
    /// - Parameter frames: Whole samples of the format `AudioFormat.speech`.
    /// - Returns: What they decide, in order.
    public mutating func process(speech frames: [UInt8]) -> [SpeechEvent] {
        var events: [SpeechEvent] = []
        for probability in detector.process(speech: frames) { events += segmenter.process(probability) }
        return events
    }

    /// Ends the audio, and the stretch that is open. The next samples begin new audio at place 0.
    public mutating func finish() -> [SpeechEvent] {
        var events = detector.finish().map { segmenter.process($0) } ?? []
        events += segmenter.finish()
        return events
    }
}
