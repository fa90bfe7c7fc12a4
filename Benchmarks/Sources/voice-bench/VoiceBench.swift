// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffVoice

/// What voice activity detection, changes of rate, bars and FLAC cost: CPU seconds for a second of audio, and to load
/// the network.
///
///     voice-bench [neural | energy | rates | bars | flac]    one of them, or all
@main
enum VoiceBench {
    static func main() throws {
        let names = CommandLine.arguments.dropFirst()
        func wants(_ name: String) -> Bool { names.isEmpty || names.contains(name) }
        if wants("neural") {
            let loads = try (0..<9).map { _ in try seconds { _ = try NeuralVoiceDetector() } }.sorted()
            print(String(format: "neural\t%.2f ms of CPU to load", loads[4] * 1_000))
            measure("neural", try NeuralVoiceDetector())
        }
        if wants("energy") { measure("energy", EnergyVoiceDetector()) }
        if wants("rates") { try measureRates() }
        if wants("bars") { try measureBars() }
        if wants("flac") { try measureFLAC() }
    }

    static func seconds(_ body: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        try body()
        return now() - start
    }

    /// The median of nine rounds of twenty seconds of audio, in pieces of 20 ms as a microphone brings them.
    private static func measure(_ name: String, _ detector: some VoiceDetecting) {
        var detector = detector
        let pieces = hum(seconds: 20)
        var sum: Float = 0
        let rounds = (0..<9).map { _ in
            seconds { for piece in pieces { sum += detector.process(piece).reduce(0, +) } } / 20
        }.sorted()
        precondition(sum.isFinite)
        print(String(format: "%@\t%.4f CPU s a second [%.4f, %.4f]", name, rounds[4], rounds[2], rounds[6]))
    }

    /// Noise and a tone that swell and fade: what it is does not change what it costs.
    private static func hum(seconds: Int) -> [[Float]] {
        var state: UInt32 = 7
        return (0..<(seconds * 50)).map { piece in
            (0..<320).map { index in
                state = state &* 1_664_525 &+ 1_013_904_223
                let time = Float(piece * 320 + index) / 16_000
                let noise = Float(Int32(bitPattern: state)) / 2_147_483_648
                return sin(time * 3) * (0.2 * sin(time * 900) + 0.1 * noise)
            }
        }
    }
}
