// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffVoice
import Testing

struct LevelMeterTests {
    static func tone(_ decibels: Double, seconds: Double) -> [UInt8] {
        PCMConverterTests.sine(1_000, rate: 16_000, seconds: seconds, amplitude: pow(10, decibels / 20))
    }

    static let float = PCMConverterTests.speechFloat

    @Test(arguments: [-3.0, -20, -42], [1, 7, 641, 100_000])
    func `each window of a sine measures its known level, however it is cut`(decibels: Double, size: Int) {
        let bytes = Self.tone(decibels, seconds: 0.23)
        var meter = LevelMeter(format: Self.float)
        var levels: [AudioLevel] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            levels += meter.process(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(levels.count == 4)
        if let last = meter.finish() { levels.append(last) }
        #expect(levels.count == 5)
        for level in levels {
            #expect(abs(level.peak - decibels) < 0.1)
            #expect(abs(level.rms - (decibels - 3.01)) < 0.1)
        }
        #expect(meter.finish() == nil)
    }

    @Test func `what is shown rises and falls in the times that were asked for`() {
        let ballistics = LevelMeter.Ballistics(
            window: .milliseconds(10),
            attack: .milliseconds(100),
            release: .milliseconds(400),
            peakFall: 30
        )
        var meter = LevelMeter(format: Self.float, ballistics: ballistics)
        #expect(meter.shown == .silence)
        _ = meter.process(Self.tone(0, seconds: 0.1))
        // From -120 dBFS up to -3, 63 % of the way.
        #expect(abs(meter.shown.rms - (-120 + 0.632 * 117)) < 0.5)
        #expect(abs(meter.shown.peak) < 0.1)
        _ = meter.process(Self.tone(0, seconds: 2))
        #expect(abs(meter.shown.rms + 3.01) < 0.1)
        _ = meter.process([UInt8](repeating: 0, count: 4 * 6_400))
        #expect(abs(meter.shown.rms - (-3 - 0.632 * 117)) < 0.5)
        #expect(abs(meter.shown.peak + 12) < 0.2)
    }

    @Test func `without times it shows what it measures`() {
        let ballistics = LevelMeter.Ballistics(attack: .zero, release: .zero)
        var meter = LevelMeter(format: .speech, ballistics: ballistics)
        let loud = meter.process([UInt8](repeating: 0x40, count: 1_600))
        #expect(loud.count == 1 && abs(loud[0].rms - meter.shown.rms) < 1e-9)
        #expect(meter.process([UInt8](repeating: 0, count: 1_600)).map(\.rms) == [AudioLevel.floor])
        #expect(abs(meter.shown.rms - AudioLevel.floor) < 1e-9)
    }

    @Test(arguments: [(-120.0, 0.0), (-60, 0), (-30, 0.5), (0, 1), (6, 1)])
    func `a level has its place on a display`(rms: Double, fraction: Double) {
        #expect(AudioLevel(rms: rms, peak: 0).fraction() == fraction)
    }

    @Test func `a format without frames measures nothing`() {
        var meter = LevelMeter(format: AudioFormat(sampleRate: 0, channels: 0))
        #expect(meter.process([]).isEmpty)
        #expect(meter.finish() == nil)
    }
}
