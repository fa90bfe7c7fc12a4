// Riff
// SPDX-License-Identifier: Apache-2.0

// sample: frames: [UInt8], more: [UInt8], recording: inout [UInt8]
/// A buffer that keeps the last moments of audio while there is no recording, and gives them first when one begins: a
/// recording that is started on hearing a word has missed its beginning otherwise.
///
/// ```swift
/// var buffer = PreRollBuffer(format: .speech)
/// recording += buffer.process(frames)     // nothing while idle
/// recording += buffer.begin()             // what was said up to now, 0.4 s of it
/// recording += buffer.process(more)       // all of it, until finish()
/// ```
///
/// It holds no more than its duration, in memory taken once. Every frame is given once at most, in order.
public struct PreRollBuffer: Sendable {
    /// The format of the frames.
    package let format: AudioFormat
    /// Whether what comes in is given out at once.
    package private(set) var isRecording = false

    /// A ring; empty where nothing is to be kept.
    private var ring: [UInt8]
    /// The index for the next byte.
    private var end = 0
    /// Bytes in the ring.
    private var count = 0
    private var aligner: FrameAligner

    /// A buffer that has heard nothing.
    ///
    /// - Parameters:
    ///   - format: What the frames are; one without frames keeps nothing.
    ///   - duration: How much is kept, up to a minute. 0.4 s unless said otherwise: a detector decides 0.25 s after the
    ///     first sound, and the soft beginning of a word lies before what it hears first.
    public init(format: AudioFormat, duration: Duration = .milliseconds(400)) {
        self.format = format
        let milliseconds = Int(max(.zero, min(.seconds(60), duration)) / .milliseconds(1))
        let frames = max(0, format.sampleRate) * milliseconds / 1_000
        ring = [UInt8](repeating: 0, count: frames * max(0, format.bytesPerFrame))
        aligner = FrameAligner(bytesPerFrame: max(1, format.bytesPerFrame))
    }

    /// The duration of the audio that is held.
    package var held: Duration {
        guard count > 0 else { return .zero }
        return .seconds(1) * (count / format.bytesPerFrame) / format.sampleRate
    }

    /// Takes the next bytes.
    ///
    /// - Parameter bytes: Bytes of the format; a frame may be cut.
    /// - Returns: While recording, the whole frames that these bytes complete; nothing while idle.
    public mutating func process(_ bytes: [UInt8]) -> [UInt8] {
        let frames = aligner.align(bytes)
        if isRecording { return frames }
        keep(frames.suffix(ring.count))
        return []
    }

    /// Begins a recording. While one is going on it does nothing.
    ///
    /// - Returns: The frames that were kept, oldest first; they belong before everything given after them.
    public mutating func begin() -> [UInt8] {
        guard !isRecording else { return [] }
        isRecording = true
        defer { count = 0 }
        let start = end - count
        if start >= 0 { return Array(ring[start..<end]) }
        return Array(ring[(ring.count + start)...] + ring[..<end])
    }

    /// Ends the recording: what comes now is kept for the next one.
    public mutating func finish() { isRecording = false }

    private mutating func keep(_ frames: ArraySlice<UInt8>) {
        var rest = frames
        while !rest.isEmpty {
            let part = rest.prefix(ring.count - end)
            ring.replaceSubrange(end..<(end + part.count), with: part)
            end = (end + part.count) % ring.count
            rest = rest.dropFirst(part.count)
        }
        count = min(ring.count, count + frames.count)
    }
}
