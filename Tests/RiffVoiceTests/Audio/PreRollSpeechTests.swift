// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffVoice
import Testing
import VoiceTestSupport

struct PreRollSpeechTests {
    /// Where each recording's speech begins, in samples, when 1.5 s of silence stand before it: the first stretch of
    /// 10 ms above -40 dBFS.
    static func onset(of speech: [UInt8]) -> Int {
        stride(from: 0, to: speech.count, by: 320).first {
            AudioLevel(of: Array(speech[$0..<min($0 + 320, speech.count)]), format: .speech).rms > -40
        } ?? 0
    }

    @Test(arguments: ["austen_0880", "goforward", "cards_001", "cards_005", "jfk"])
    func `a recording that a detector begins has the first word from its first sound`(name: String) throws {
        let speech = Speech.silence(.milliseconds(1_500)) + (try Speech.file(name).samples())
        var activity = try VoiceActivityDetector(NeuralVoiceDetector())
        var buffer = PreRollBuffer(format: .speech)
        var recording: [UInt8] = []
        var begun: Int?
        for start in stride(from: 0, to: speech.count, by: 640) where begun == nil {
            let piece = Array(speech[start..<min(start + 640, speech.count)])
            recording += buffer.process(piece)
            guard activity.process(speech: piece).contains(where: { if case .started = $0 { true } else { false } })
            else { continue }
            recording += buffer.begin()
            begun = start + piece.count - recording.count
        }
        let first = try #require(begun)
        let heard = first + recording.count
        let onset = Self.onset(of: speech)
        #expect(first <= onset, "begins \((first - onset) / 32) ms late; decided \((heard - onset) / 32) ms after it")
        #expect(onset < heard)
    }
}
