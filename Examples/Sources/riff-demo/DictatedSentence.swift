// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTalk
import RiffVoice
import Synchronization

/// Step 5: a recorded sentence becomes a line at the agent's prompt, and is answered.
@MainActor
enum DictatedSentence {
    /// Public domain; see the README beside it.
    private static let recording = "austen_0880.wav"
    private static let spoken = Words("he was not an ill disposed young man")
    private static let allowedErrorRate = 0.2

    static func show(
        _ site: Site,
        _ desk: Desk,
        speechURL: String?,
        _ timings: inout Timings
    ) async throws -> (Void, String) {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fixtures/\(recording)").standardizedFileURL.path(percentEncoded: false)
        let server = try await SpeechServer.start(site, speechURL: speechURL)
        let ear = TimedRecognizer(server.client)
        desk.screen.mark()

        let policy = DictationPolicy(submits: true)
        // The sample agent is not one whose prompt Riff knows, and asks nothing that a sentence could answer.
        let sink = desk.session.typingAnywhere
        let dictation = Dictation(recognizer: ear, sink: sink, policy: policy) { WAVFileSource(path) }
        await dictation.toggle()
        await dictation.settled()
        let end = dictation.current
        await dictation.shutdown()
        if case .error(let failure) = end.state { throw Failure("\(failure.problem.code): \(failure.problem.message)") }
        guard let heard = ear.heard else { throw Failure("The recording had no speech in it.") }

        let text = heard.transcript.text
        let rate = Words(text).errorRate(against: spoken)
        try check(rate <= allowedErrorRate, "Understood was \"\(text)\": word error rate \(rate.rounded(toPlaces: 2)).")
        try await desk.waitForAnswer(to: text)
        timings.recognition = (heard.time, heard.audio)
        let fact =
            "a recorded sentence was uploaded signed, recognized (\(server.engine), word error rate "
            + "\(rate.rounded(toPlaces: 2))), typed, submitted and answered: \"\(text)\""
        return ((), fact)
    }
}

/// A recognizer that measures another one.
private final class TimedRecognizer: SpeechToText {
    struct Heard {
        let transcript: Transcript
        let time: Duration
        let audio: Duration
    }

    private let inner: any SpeechToText
    private let last = Mutex<Heard?>(nil)

    init(_ inner: any SpeechToText) { self.inner = inner }

    var heard: Heard? { last.withLock { $0 } }

    func transcribe(_ clip: AudioClip) async throws -> Transcript {
        let audio = try clip.duration() ?? .zero
        let (transcript, time) = try await measured { try await inner.transcribe(clip) }
        last.withLock { $0 = Heard(transcript: transcript, time: time, audio: audio) }
        return transcript
    }
}

extension Double {
    fileprivate func rounded(toPlaces places: Int) -> String { String(format: "%.\(places)f", self) }
}
