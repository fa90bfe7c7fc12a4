// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

// sample: frames: [UInt8], waveform: inout [AudioLevel]
/// Measures audio in windows of one length, however it is cut, and follows it as a meter does that people look at.
///
/// ```swift
/// var meter = LevelMeter(format: .speech)
/// waveform += meter.process(frames)          // one level for each 50 ms
/// let height = meter.shown.fraction()        // 0 to 1, quick to rise and slow to fall
/// ```
public struct LevelMeter: Sendable {
    /// The speeds at which a meter moves.
    public struct Ballistics: Sendable, Hashable {
        /// The duration of audio that one level is measured over.
        public var window: Duration
        /// The time that the displayed RMS takes for 63 % of the way up; 0 is at once.
        public var attack: Duration
        /// The time that the displayed RMS takes for 63 % of the way down.
        public var release: Duration
        /// The rate at which the displayed peak falls, in decibels a second; it rises at once.
        public var peakFall: Double

        /// Levels of 50 ms, 10 ms up, 300 ms down and 20 dB a second unless said otherwise.
        public init(
            window: Duration = .milliseconds(50),
            attack: Duration = .milliseconds(10),
            release: Duration = .milliseconds(300),
            peakFall: Double = 20
        ) {
            (self.window, self.attack, self.release, self.peakFall) = (window, attack, release, peakFall)
        }
    }

    /// The format of the frames.
    package let format: AudioFormat
    /// The speeds at which the meter moves.
    package let ballistics: Ballistics
    /// The level that a meter shows now; silence at first.
    public private(set) var shown = AudioLevel.silence

    private let windowBytes: Int
    private var pending: [UInt8] = []

    /// A meter that has heard nothing. A format without frames measures nothing.
    public init(format: AudioFormat, ballistics: Ballistics = Ballistics()) {
        (self.format, self.ballistics) = (format, ballistics)
        let frames = Int(max(.zero, ballistics.window) / .microseconds(1)) * max(0, format.sampleRate) / 1_000_000
        windowBytes = max(1, frames) * max(1, format.bytesPerFrame)
    }

    /// Takes the next bytes.
    ///
    /// - Parameter bytes: Bytes of the format; a frame may be cut.
    /// - Returns: What was measured, not smoothed, for each window that these bytes complete, in order.
    public mutating func process(_ bytes: [UInt8]) -> [AudioLevel] {
        pending += bytes
        var (levels, start): ([AudioLevel], Int) = ([], 0)
        while pending.count - start >= windowBytes {
            levels.append(measure(Array(pending[start..<(start + windowBytes)])))
            start += windowBytes
        }
        pending.removeFirst(start)
        return levels
    }

    /// Ends the audio. What comes next is a new window.
    ///
    /// - Returns: The level of the window that was begun; `nil` where there was none.
    public mutating func finish() -> AudioLevel? {
        defer { pending = [] }
        return pending.count >= max(1, format.bytesPerFrame) ? measure(pending) : nil
    }

    private mutating func measure(_ bytes: [UInt8]) -> AudioLevel {
        let level = AudioLevel(of: bytes, format: format)
        let seconds = Double(bytes.count / max(1, format.bytesPerFrame)) / Double(max(1, format.sampleRate))
        let time = (level.rms > shown.rms ? ballistics.attack : ballistics.release) / .seconds(1)
        let share = time > 0 ? 1 - exp(-seconds / time) : 1
        shown = AudioLevel(
            rms: shown.rms + share * (level.rms - shown.rms),
            peak: max(level.peak, shown.peak - seconds * ballistics.peakFall)
        )
        return level
    }
}

extension AudioLevel {
    /// Returns the place of the RMS between the quietest and the loudest that a display shows.
    ///
    /// - Parameter range: What is 0 and what is 1, in dBFS.
    /// - Returns: 0 to 1.
    public func fraction(of range: ClosedRange<Double> = -60...0) -> Double {
        let width = range.upperBound - range.lowerBound
        guard width > 0 else { return rms >= range.upperBound ? 1 : 0 }
        return max(0, min(1, (rms - range.lowerBound) / width))
    }
}
