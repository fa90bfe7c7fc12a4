// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffVoice

/// The devices by which a hub's client hears and speaks. Without them the client shows and types, and takes answers
/// that were recorded elsewhere.
public struct HubDevices: Sendable {
    let makeSource: (@Sendable () async throws -> any AudioSource)?
    let makeSink: (@Sendable (HubDevices.Speaker) async throws -> any AudioSink)?
    let decoder: (any AudioClipDecoder)?
    let audio: SharedAudioSession?
    let detector: any VoiceDetecting
    let endSilence: Duration
    let interruption: SpeechSegmentation

    /// Creates devices.
    ///
    /// - Parameters:
    ///   - makeSource: Makes the microphone of one recording; `nil` for none.
    ///   - makeSink: Makes what plays one clip of a session, which it is told; `nil` plays nothing, and what is said
    ///     then counts as heard.
    ///   - decoder: What unpacks MP3, which the older hubs send.
    ///   - audio: The app's audio session, which is held while the microphone is open or a clip is played.
    ///   - detector: Tells speech, for recordings that end by themselves and for speaking into the agent's words.
    ///   - endSilence: How long nothing must be said after something was; 3 seconds, as the hub's own clients have it.
    ///   - interruption: What counts as speaking into the agent's words; 300 ms of it unless said otherwise.
    public init(
        makeSource: (@Sendable () async throws -> any AudioSource)? = nil,
        makeSink: (@Sendable (HubDevices.Speaker) async throws -> any AudioSink)? = nil,
        decoder: (any AudioClipDecoder)? = nil,
        audio: SharedAudioSession? = nil,
        detector: any VoiceDetecting = EnergyVoiceDetector(),
        endSilence: Duration = .seconds(3),
        interruption: SpeechSegmentation = .bargeIn
    ) {
        (self.makeSource, self.makeSink, self.decoder) = (makeSource, makeSink, decoder)
        self.audio = audio
        (self.detector, self.endSilence, self.interruption) = (detector, endSilence, interruption)
    }
}
