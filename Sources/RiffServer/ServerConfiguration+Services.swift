// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport
public import RiffVoice

extension ServerConfiguration {
    /// Creates the hosted recognizer of the contract, with the model of `ELEVENLABS_STT_MODEL`.
    ///
    /// - Parameters:
    ///   - transport: What carries its requests.
    ///   - address: The service's address.
    /// - Returns: The recognizer; `nil` without ``recognizerKey``.
    /// - Throws: `VoiceError` with `serviceAddressInvalid`.
    public func recognizer(
        over transport: any HTTPTransport,
        at address: String = "https://api.elevenlabs.io"
    ) throws -> ElevenLabsSpeechToText? {
        guard let recognizerKey else { return nil }
        var options = ElevenLabsSpeechToText.Options()
        if let model = variables.recognizerModel { options.model = model }
        return try ElevenLabsSpeechToText(key: recognizerKey, options: options, baseURL: address, transport: transport)
    }

    /// Creates the narration of the contract: Claude Code's answers on this machine, at most `NARRATE_MAX_CHARS`
    /// characters of each, spoken by the hosted voice of `RIFF_NARRATE_VOICE_ID` and `RIFF_NARRATE_TTS_MODEL`.
    ///
    /// - Parameters:
    ///   - transport: What carries the voice's requests.
    ///   - address: The service's address.
    ///   - voice: What speaks instead of the hosted voice; it needs no key.
    ///   - encoder: What packs the sound; MP3 by ffmpeg is what the contract's clients expect.
    ///   - folder: Where the transcripts are, from the home folder on.
    /// - Returns: The service; `nil` without a voice and ``recognizerKey``.
    /// - Throws: `VoiceError` with `serviceAddressInvalid`.
    public func narration(
        over transport: any HTTPTransport,
        at address: String = "https://api.elevenlabs.io",
        voice: (any TextToSpeech)? = nil,
        encoder: (any AudioClipEncoder)? = FFmpegClipEncoder(),
        transcripts folder: String = ".claude/projects"
    ) throws -> NarrationService? {
        guard let voice = try voice ?? hostedVoice(over: transport, at: address) else { return nil }
        let prose = variables.narrationLimit.map { SpokenProse(limit: $0) } ?? SpokenProse()
        return NarrationService(voice: voice, encoder: encoder) { project in
            let transcripts = ClaudeTranscripts(on: LocalHostSession(), project: project, folder: folder)
            return ClaudeAnswerFeed(transcripts, prose: prose)
        }
    }

    /// Creates the sender of notifications, from `APNS_KEY_ID`, `APNS_TEAM_ID`, `APNS_BUNDLE_ID` and the file of
    /// `APNS_PRIVATE_KEY_PATH`.
    ///
    /// - Parameters:
    ///   - title: What notifications show in bold, such as the agent's name.
    ///   - transport: What carries them; it must speak HTTP/2.
    ///   - production: The service's address for apps from the store; Apple's unless said otherwise.
    ///   - sandbox: The service's address for apps from Xcode; Apple's unless said otherwise.
    /// - Returns: The sender; `nil` where none of these variables is set.
    /// - Throws: ``ServerError`` with `invalidPushKey`; `CoreError` with `storeFailed` or `permissionsTooOpen` for the
    ///   file, which only this user may read.
    public func pushSender(
        title: String,
        over transport: any HTTPTransport,
        production: HTTPBaseURL? = nil,
        sandbox: HTTPBaseURL? = nil
    ) async throws -> PushSender? {
        guard let push = variables.push else { return nil }
        let pem = try await PushKeyFile(path: push.keyPath).read()
        return try PushSender(
            key: try PushKey(pem: pem, id: push.keyID, team: push.team),
            topic: push.topic,
            title: title,
            transport: transport,
            production: production,
            sandbox: sandbox
        )
    }

    private func hostedVoice(over transport: any HTTPTransport, at address: String) throws(VoiceError)
        -> ElevenLabsTextToSpeech?
    {
        guard let recognizerKey else { return nil }
        var options = ElevenLabsTextToSpeech.Options()
        if let voice = variables.voice { options.voice = voice }
        if let model = variables.voiceModel { options.model = model }
        return try ElevenLabsTextToSpeech(key: recognizerKey, options: options, baseURL: address, transport: transport)
    }
}

/// The file of a push key.
private actor PushKeyFile {
    private let path: String
    private nonisolated let executor = BlockingExecutor(label: "riff.push-key")
    /// A queue of its own, because files block.
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(path: String) { self.path = path }

    func read() throws(CoreError) -> Secret {
        let parts = path.utf8.lastIndex(of: UInt8(ascii: "/")).map {
            (path[..<$0], path[path.utf8.index(after: $0)...])
        }
        let (folder, name) = parts.map { ($0.0.isEmpty ? "/" : String($0.0), String($0.1)) } ?? (".", path)
        guard let bytes = try LocalDirectory(path: folder).contents(of: name, .secret) else {
            throw CoreError(.storeFailed, "There is no push key at \(path).")
        }
        return Secret(bytes)
    }
}
