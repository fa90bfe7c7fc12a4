// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffVoice
import Testing

struct PreRollBufferTests {
    static let stereo = AudioFormat(sampleRate: 1_000, channels: 2)

    /// Frames whose bytes tell their place.
    static func frames(_ range: Range<Int>, of format: AudioFormat = stereo) -> [UInt8] {
        range.flatMap { frame in (0..<format.bytesPerFrame).map { UInt8(truncatingIfNeeded: frame * 7 + $0) } }
    }

    @Test(arguments: [0, 1, 299, 300, 301, 599, 600, 650, 2_000])
    func `a recording begins with the last 300 ms, or with all there is`(heard: Int) {
        var buffer = PreRollBuffer(format: Self.stereo, duration: .milliseconds(300))
        #expect(buffer.process(Self.frames(0..<heard)).isEmpty)
        #expect(buffer.held == .milliseconds(min(heard, 300)))
        var recording = buffer.begin()
        recording += buffer.process(Self.frames(heard..<(heard + 50)))
        #expect(recording == Self.frames(max(0, heard - 300)..<(heard + 50)))
        #expect(buffer.held == .zero)
    }

    @Test(arguments: [1, 2, 3, 5, 63, 64, 65, 1_201])
    func `however the bytes are cut, it is the same recording`(size: Int) {
        let all = Self.frames(0..<1_000)
        var buffer = PreRollBuffer(format: Self.stereo, duration: .milliseconds(400))
        var recording: [UInt8] = []
        var taken = 0
        for start in stride(from: 0, to: all.count, by: size) {
            // At the piece that holds byte 3,000, of frame 750: what was whole before it is the beginning.
            if !buffer.isRecording, start + size > 3_000 {
                taken = start / 4
                recording += buffer.begin()
            }
            recording += buffer.process(Array(all[start..<min(start + size, all.count)]))
        }
        #expect(recording == Self.frames(max(0, taken - 400)..<1_000))
    }

    @Test func `no frame is given twice, and what comes between two recordings is kept for the second`() {
        var buffer = PreRollBuffer(format: Self.stereo, duration: .milliseconds(300))
        _ = buffer.process(Self.frames(0..<500))
        #expect(buffer.begin() == Self.frames(200..<500))
        #expect(buffer.begin().isEmpty)
        #expect(buffer.process(Self.frames(500..<600)) == Self.frames(500..<600))
        buffer.finish()
        #expect(buffer.begin().isEmpty)
        buffer.finish()
        #expect(buffer.process(Self.frames(600..<700)).isEmpty)
        #expect(buffer.begin() == Self.frames(600..<700))
    }

    @Test(arguments: [
        PreRollBuffer(format: stereo, duration: .zero), PreRollBuffer(format: stereo, duration: .seconds(-1)),
        PreRollBuffer(format: AudioFormat(sampleRate: 0), duration: .seconds(1)),
    ])
    func `a buffer of nothing keeps nothing and passes everything on`(_ empty: PreRollBuffer) {
        var buffer = empty
        #expect(buffer.process([1, 2, 3, 4]).isEmpty)
        #expect(buffer.begin().isEmpty)
        #expect(buffer.process([5, 6, 7, 8]) == [5, 6, 7, 8])
    }
}
