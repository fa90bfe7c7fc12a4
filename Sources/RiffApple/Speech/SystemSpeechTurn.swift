// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Speech)
internal import AVFAudio
internal import Foundation
internal import RiffCore
internal import RiffVoice
internal import Speech

/// One request of the system's recognizer. Requests are never used again: a finished one ignores audio without a word.
actor SystemSpeechTurn: SpeechTurn {
    private let recognizer: SFSpeechRecognizer
    private let request = SFSpeechAudioBufferRecognitionRequest()
    private let id: TranscriptLine.ID
    private nonisolated let stream: AsyncThrowingStream<RecognitionEvent, any Error>
    private nonisolated let writer: AsyncThrowingStream<RecognitionEvent, any Error>.Continuation
    private nonisolated let ended = EventualValue<Void>()
    private var task: SFSpeechRecognitionTask?
    private var heard = 0
    private var isEnding = false

    /// What a result says, taken out of it where the system tells it.
    private enum News: Sendable {
        case text(String, isFinal: Bool)
        case silence
        case failure(any Error)
    }

    init(_ recognizer: sending SFSpeechRecognizer, keyTerms: [String], id: TranscriptLine.ID) {
        self.recognizer = recognizer
        self.id = id
        // Versions replace each other, so that the newest ones are enough.
        (stream, writer) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingNewest(64))
        request.shouldReportPartialResults = true
        request.addsPunctuation = true
        request.contextualStrings = keyTerms
        // Off the device there is a limit of about a minute, a daily quota, and the audio leaves the phone.
        request.requiresOnDeviceRecognition = recognizer.supportsOnDeviceRecognition
    }

    nonisolated var events: any AsyncSequence<RecognitionEvent, any Error> & Sendable { stream }

    func hear(_ frames: [UInt8]) async throws {
        if task == nil { begin() }
        let count = frames.count / 2
        guard count > 0, let format = AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(count)),
            let channel = buffer.floatChannelData?[0]
        else { return }
        buffer.frameLength = AVAudioFrameCount(count)
        for index in 0..<count {
            let bits = UInt16(frames[2 * index]) | UInt16(frames[2 * index + 1]) << 8
            channel[index] = Float(Int16(bitPattern: bits)) / 32_768
        }
        heard += count
        request.append(buffer)
    }

    func finish() async throws {
        guard task != nil else { return end(nil) }
        request.endAudio()
        // The last version comes some tenths of a second later, or never where nothing was said.
        try? await withDeadline(.seconds(2), clock: ContinuousClock(), abandoning: { [ended] in await ended.value() })
        try Task.checkCancellation()
        await cancel()
    }

    func cancel() async {
        isEnding = true
        task?.cancel()
        end(nil)
    }

    private func begin() {
        // One after another, in the system's order: the queue is bounded by what a turn of a minute says.
        let (news, teller) = AsyncStream<News>.makeStream(bufferingPolicy: .bufferingNewest(256))
        task = recognizer.recognitionTask(with: request) { result, error in
            if let result {
                let text = result.bestTranscription.formattedString
                teller.yield(.text(text, isFinal: result.isFinal))
            }
            if let error { teller.yield(Self.isSilence(error) ? .silence : .failure(error)) }
            if error != nil || result?.isFinal == true { teller.finish() }
        }
        Task { [weak self] in
            for await one in news { await self?.take(one) }
            await self?.end(nil)
        }
    }

    private func take(_ news: News) {
        switch news {
        case .text(let text, let isFinal):
            guard !text.isEmpty else { return }
            let duration = Duration.seconds(1) * heard / 16_000
            let line = TranscriptLine(id: id, text: text, start: .zero, duration: duration, isComplete: isFinal)
            writer.yield(.line(line))
        case .silence: end(nil)
        case .failure(let error):
            guard !isEnding else { return end(nil) }
            let message = "The system's recognizer stopped; say it again."
            end(VoiceError(.speechEngineFailed, message, recovery: .retry, cause: error))
        }
    }

    private func end(_ error: VoiceError?) {
        if let error { writer.finish(throwing: error) } else { writer.finish() }
        ended.resolve(())
    }

    /// "No speech detected": the system tells it as a failure.
    private static nonisolated func isSilence(_ error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == "kAFAssistantErrorDomain" && error.code == 1110
    }
}
#endif
