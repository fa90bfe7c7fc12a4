// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHub
import RiffTalk
import RiffTesting
import RiffTransport
import RiffVoice
import Synchronization
import VoiceTestSupport

/// All that use an app's audio, on one platform: a dictation, a narrator, a conversation (over a call, in half of the
/// histories) and a hub, to which anything happens in any order.
final class AudioHistory: Sendable {
    let platform = WatchedPlatform()
    let audio: SharedAudioSession
    private let clock = ManualClock()
    private let recognizer = ScriptedSpeechRecognizer()
    private let (told, heard) = (GivenAnswers(), GivenAnswers())
    private let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
    private let peer = Mutex<InMemoryWebSocket?>(nil)
    private let call: OwningCall?
    private let dictation: Dictation
    private let narrator: Narrator
    private let conversation: Conversation
    private let hub: HubClient
    private let generator: Mutex<SeededGenerator>
    private let number = Mutex(0)

    init(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let (platform, audio) = (platform, SharedAudioSession(platform))
        self.audio = audio
        let call = Bool.random(using: &generator) ? OwningCall(platform, audio) : nil
        self.call = call
        let (microphones, arbiter) = (Microphones(), MicrophoneArbiter())
        let open: @Sendable (MicrophoneArbiter.Claim) -> any AudioSource = { claim in
            let microphone = WatchedMicrophone(platform)
            microphones.add(microphone)
            return arbiter.source(claim, microphone)
        }
        opened = microphones
        let voice = AnswerVoice(ScriptedTextToSpeech(perCharacter: .milliseconds(1))) { WatchedLoudspeaker(platform) }
        let words = ScriptedSpeechToText { _, _ in Transcript(text: "run the tests") }
        dictation = Dictation(
            recognizer: words,
            sink: TypedTexts(),
            policy: DictationPolicy(submits: true, endpoint: .sven),
            audio: audio
        ) { open(.gesture) }
        narrator = Narrator(told, voice: voice, audio: audio, clock: clock)
        conversation = Conversation(
            call: call ?? PlainCall(),
            policy: ConversationPolicy(endpoint: ConversationTests.Lab.prompt),
            recognizer: recognizer,
            sink: TypedTexts(),
            feed: heard,
            voice: voice,
            audio: audio,
            clock: clock
        ) { open(.handsFree) }
        hub = HubClient(
            try HubAddress("http://127.0.0.1:3460"),
            http: ScriptedHTTPTransport(),
            webSockets: sockets,
            devices: HubDevices(
                makeSource: { open(.handsFree) },
                makeSink: { _ in WatchedLoudspeaker(platform) },
                audio: audio
            ),
            clock: clock
        )
        self.generator = Mutex(generator)
    }

    private let opened: Microphones

    /// Microphones in the order in which they were made.
    private final class Microphones: Sendable {
        private let all = Mutex<[WatchedMicrophone]>([])
        func add(_ microphone: WatchedMicrophone) { all.withLock { $0.append(microphone) } }
        var newest: WatchedMicrophone? { all.withLock { $0.last } }
    }

    /// Lives a history.
    ///
    /// - Returns: The platform as it was left.
    static func lived(seed: UInt64, steps: Int) async throws -> WatchedPlatform.State {
        let history = try AudioHistory(seed: seed)
        try await history.live(for: steps)
        return history.platform.state.withLock { $0 }
    }

    /// Lets as many things happen, then ends everything.
    func live(for steps: Int) async throws {
        await narrator.start()
        await hub.start()
        let peer = try await sockets.nextPeer()
        let session = #"{"session_id":"voice-1-a","voice":"af_sky","label":"x","status":"ready","speed":1.0}"#
        try await peer.send(.text(#"{"type":"session_list","sessions":[\#(session)]}"#))
        self.peer.withLock { $0 = peer }
        await hub.open(session: "voice-1-a")
        for _ in 0..<steps {
            await happen(random(0..<40))
            for _ in 0..<random(0..<12) { await Task.yield() }
        }
        async let first: Void = dictation.shutdown()
        async let second: Void = narrator.stop()
        async let third: Void = conversation.stop()
        async let fourth: Void = hub.shutdown()
        _ = await (first, second, third, fourth)
        // A call that the system ended gives its claim back on its own.
        while audio.current.isOwnedByCall { await Task.yield() }
    }

    private func random(_ range: Range<Int>) -> Int { generator.withLock { Int.random(in: range, using: &$0) } }

    private func next() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }

    private func happen(_ what: Int) async {
        switch what {
        case 0..<5: await dictation.toggle()
        case 5: await dictation.cancel()
        case 6: await dictation.background()
        case 7: await dictation.foreground()
        case 8..<11: told.give("An answer. And more.", at: Double(next()))
        case 11: await narrator.skip()
        case 12: await narrator.pause()
        case 13: await narrator.resume()
        case 14: await narrator.background()
        case 15: await narrator.foreground()
        case 16..<19: await conversation.start()
        case 19: heard.give("Done. What next?", at: Double(next()))
        case 20: await conversation.background()
        case 21: await conversation.foreground()
        case 22: call?.happen([.audio(isActive: false), .audio(isActive: true), .muted(true), .ended][random(0..<4)])
        case 23, 24: speak()
        case 25..<27: try? await peer.withLock { $0 }?.send(.text(sound))
        case 27..<29: await hub.record()
        case 29: await hub.finishRecording()
        case 30: await hub.interrupt()
        case 31: await hub.background()
        case 32: await hub.foreground()
        case 33: platform.happen(.interrupted)
        case 34: platform.happen(.interruptionEnded(mayResume: random(0..<2) == 0))
        case 35: platform.happen(.outputLost)
        case 36: platform.state.withLock { $0.failuresToCome += 2 }
        case 37: opened.newest?.inner.finish(throwing: VoiceError(.audioSourceFailed, "unplugged"))
        case 38: try? await opened.newest?.inner.push(Self.tone)
        default: clock.advance(by: .seconds(3))
        }
    }

    private static let tone = Speech.tone(.milliseconds(100))

    /// Somebody speaks into the conversation.
    private func speak() {
        guard let turn = recognizer.turns.last else { return }
        turn.tell(.speechStarted(at: .zero))
        turn.tell(.line(ConversationTests.Lab.line("run the tests")))
        turn.tell(.speechEnded(at: .milliseconds(1)))
    }

    /// A WAV file of 10 ms, as a hub says it: 24 kHz, mono.
    private var sound: String { #"{"type":"audio","session_id":"voice-1-a","data":"\#(Self.wav)"}"# }

    private static let wav: String = {
        let file =
            (try? WAVWriter.file([UInt8](repeating: 3, count: 480), format: AudioFormat(sampleRate: 24_000))) ?? []
        return Data(file).base64EncodedString()
    }()
}
