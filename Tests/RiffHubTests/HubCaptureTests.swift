// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffHub
import RiffTesting
import RiffVoice
import Testing

@Suite struct HubCaptureTests {
    /// So many milliseconds of sound, each frame of 10 ms with a number of its own.
    private static func sound(_ milliseconds: Int, from first: Int = 0) -> [UInt8] {
        (first..<first + milliseconds / 10).flatMap { frame in
            [UInt8](repeating: UInt8(frame % 250), count: 320)
        }
    }

    private static func capture(_ script: [Float], isWatching: Bool = false, endsByItself: Bool = true) throws
        -> HubCapture
    {
        try HubCapture(
            isWatching: isWatching,
            endsByItself: endsByItself,
            HubDevices(detector: ScriptedVoiceDetector(script))
        )
    }

    private static func speech(_ milliseconds: Int, after silence: Int = 0, then rest: Int = 0) -> [Float] {
        [Float](repeating: 0, count: silence / 10) + [Float](repeating: 0.9, count: milliseconds / 10)
            + [Float](repeating: 0, count: rest / 10)
    }

    @Test(arguments: [(290, false), (300, true)])
    func `300 ms of speech interrupt, 290 do not`(milliseconds: Int, isInterrupted: Bool) throws {
        var capture = try Self.capture(Self.speech(milliseconds, after: 500), isWatching: true)
        let news = capture.take(Self.sound(2_000))
        #expect(news.contains(.interrupted) == isInterrupted)
        #expect(try (capture.file() != nil) == isInterrupted)
    }

    @Test func `clicks never add up to speech`() throws {
        let clicks = (0..<200).map { Float($0 % 10 == 0 ? 0.9 : 0) }
        var capture = try Self.capture(clicks, isWatching: true)
        #expect(capture.take(Self.sound(2_000)).isEmpty)
    }

    @Test func `what interrupts is recorded with what was said before it was known`() throws {
        var capture = try Self.capture(Self.speech(3_000, after: 1_000), isWatching: true)
        _ = capture.take(Self.sound(1_300))
        #expect(capture.samples.first.map { $0 <= 100 } == true)
        #expect(capture.samples.count >= 300 * 32)
        let before = capture.samples.count
        _ = capture.take(Self.sound(100, from: 130))
        #expect(capture.samples.count == before + 100 * 32)
    }

    @Test func `a recording ends 3 seconds after speech, and never of silence alone`() throws {
        var capture = try Self.capture(Self.speech(1_000, after: 500, then: 10_000))
        #expect(capture.take(Self.sound(500)).isEmpty)
        #expect(capture.take(Self.sound(3_800)) == [.spoke])
        #expect(capture.take(Self.sound(400)) == [.ended])
        #expect(capture.take(Self.sound(10_000)).isEmpty)
        var silent = try Self.capture(Self.speech(0, then: 60_000))
        #expect(silent.take(Self.sound(60_000)).isEmpty)
        var manual = try Self.capture(Self.speech(1_000, then: 10_000), endsByItself: false)
        #expect(manual.take(Self.sound(11_000)) == [.spoke])
    }

    @Test func `a word that interrupts ends by itself as well`() throws {
        var capture = try Self.capture(Self.speech(350, after: 500, then: 5_000), isWatching: true)
        #expect(capture.take(Self.sound(5_000)) == [.interrupted, .ended])
    }

    @Test func `a recording that fills a clip ends, and fits`() throws {
        var capture = try Self.capture([], endsByItself: false)
        var news: [HubCapture.News] = []
        let second = [UInt8](repeating: 1, count: 32_000)
        for _ in 0..<400 { news += capture.take(second) }
        #expect(news == [.full])
        let file = try #require(try capture.file())
        #expect(file.count <= HubCommand.clipBytes)
        #expect(throws: Never.self) { try HubCommand.audio(session: "voice-1-a", file).message(for: []) }
    }

    @Test func `a clip is a WAV file of what was heard`() throws {
        var capture = try Self.capture([], endsByItself: false)
        _ = capture.take(Self.sound(50))
        let file = try #require(try capture.file())
        #expect(try WAVReader.read(file).samples == Self.sound(50))
        #expect(try Self.capture([]).file() == nil)
    }
}
