// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffVoice

// sample: samples: [Float]
/// The rules of `VoiceDetecting`, as checks that any detector can run.
///
/// ```swift
/// try VoiceDetectorConformance(hearing: samples) { try NeuralVoiceDetector() }.runAll()
/// ```
public struct VoiceDetectorConformance: Sendable {
    private let samples: [Float]
    private let make: @Sendable () throws -> any VoiceDetecting

    /// Checks of the detectors that the closure makes, each of which has heard nothing.
    ///
    /// - Parameters:
    ///   - samples: What they hear: half a second or so at 16 kHz, best with speech.
    ///   - make: Makes a detector.
    public init(hearing samples: [Float], make: @escaping @Sendable () throws -> any VoiceDetecting) {
        self.samples = samples
        self.make = make
    }

    /// Runs every check.
    ///
    /// - Throws: ``ConformanceFailure`` at the first rule that is not kept; what the closure throws.
    public func runAll() throws {
        try tellsEachFrame()
        try takesAnySplit()
        try forgets()
        try survivesBrokenSamples()
    }

    /// There is one probability for each frame, the last one completed with silence.
    public func tellsEachFrame() throws {
        var detector = try make()
        let frame = detector.frameSamples
        try expect(frame > 0, "a frame has samples: frameSamples is \(frame)")
        try expect(detector.process([]), is: [], "no samples are no frame")
        try expect(detector.finish(), is: nil, "the end of nothing is no frame")
        try expect(detector.process(Array(samples.prefix(frame - 1))), is: [], "a frame is told when it is whole")
        let told = detector.process(Array(samples.dropFirst(frame - 1).prefix(1)))
        try expect(told.count, is: 1, "a whole frame is told")
        try expect(detector.finish(), is: nil, "no samples were left")
        let whole = Array(samples.prefix(samples.count / frame * frame - 1))
        let padded = whole + [0]
        let cut = all(&detector, [whole])
        try expect(cut, is: all(&detector, [padded]), "the last frame is completed with silence")
        try expectProbabilities(cut, "probabilities lie between 0 and 1")
    }

    /// The probabilities do not depend on how the samples are cut into calls.
    public func takesAnySplit() throws {
        var detector = try make()
        let frame = detector.frameSamples
        let whole = all(&detector, [samples])
        for size in [1, 7, frame - 1, frame, frame + 1, 2 * frame + 3] where size > 0 {
            let pieces = stride(from: 0, to: samples.count, by: size).map {
                Array(samples[$0..<min($0 + size, samples.count)])
            }
            try expect(all(&detector, pieces), is: whole, "pieces of \(size) samples tell the same")
        }
        for cut in (3 * frame - 2)...(3 * frame + 2) where (0...samples.count).contains(cut) {
            let pieces = [Array(samples[..<cut]), [], Array(samples[cut...])]
            try expect(all(&detector, pieces), is: whole, "a cut at sample \(cut) tells the same")
        }
    }

    /// A reset, and the end of audio, forget what was heard; a copy remembers.
    public func forgets() throws {
        var (fresh, used) = (try make(), try make())
        _ = used.process(Array(samples.prefix(samples.count / 2 + 1)))
        var copy = used
        used.reset()
        let whole = all(&fresh, [samples])
        try expect(all(&used, [samples]), is: whole, "after a reset it has heard nothing")
        try expect(all(&fresh, [samples]), is: whole, "after the end of audio it has heard nothing")
        let rest = all(&copy, [Array(samples.dropFirst(samples.count / 2 + 1))])
        try expect(Array(whole.suffix(rest.count)), is: rest, "a copy goes on where it was copied")
    }

    /// Samples that are no numbers, or are far beyond full scale, are gone when they are over.
    public func survivesBrokenSamples() throws {
        for broken in [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude] {
            var detector = try make()
            let pieces = [Array(repeating: broken, count: 4 * detector.frameSamples), samples]
            let told = all(&detector, pieces)
            try expectProbabilities(told, "\(broken) leaves probabilities between 0 and 1")
        }
        var detector = try make()
        let silent = all(&detector, [[0, 0, 0] + samples])
        let odd = all(&detector, [[.nan, .infinity, -.infinity] + samples])
        try expect(silent, is: odd, "samples that are no numbers are silence")
    }

    private func expect(_ holds: Bool, _ message: String, check: String = #function) throws {
        if !holds { throw ConformanceFailure(check: check, message: message) }
    }

    private func expect<Value: Equatable>(
        _ got: Value,
        is expected: Value,
        _ rule: String,
        check: String = #function
    ) throws {
        guard got != expected else { return }
        throw ConformanceFailure(check: check, message: "\(rule): \(got) instead of \(expected)")
    }

    /// Probabilities are thousands: the first that differs says enough.
    private func expect(
        _ got: [Float],
        is expected: [Float],
        _ rule: String,
        check: String = #function
    ) throws {
        guard got != expected else { return }
        let place = zip(got, expected).enumerated().first { $0.element.0 != $0.element.1 }
        let counts = "\(got.count) probabilities instead of \(expected.count)"
        let first = place.map { "at frame \($0.offset) \($0.element.0) instead of \($0.element.1)" }
        throw ConformanceFailure(check: check, message: "\(rule): \(first ?? counts)")
    }

    /// Whether probabilities are some, with the first that is none.
    private func expectProbabilities(_ told: [Float], _ rule: String, check: String = #function) throws {
        guard let wrong = told.first(where: { !(0...1).contains($0) }) else { return }
        try expect(false, "\(rule): one is \(wrong)", check: check)
    }

    private func all(_ detector: inout any VoiceDetecting, _ pieces: [[Float]]) -> [Float] {
        var told = pieces.flatMap { detector.process($0) }
        if let last = detector.finish() { told.append(last) }
        return told
    }
}
