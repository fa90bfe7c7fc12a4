// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffVoice

/// One opening of the microphone. What is told ends with `over`, whatever happens.
actor HubMicrophone {
    enum News: Sendable {
        case level(AudioLevel)
        case waveform([Float])
        case interrupted
        case spoke
        /// It is closed: a WAV file, where something was recorded and is wanted.
        case over([UInt8]?, Problem?)
    }

    private let devices: HubDevices
    private let isWatching: Bool
    private let endsByItself: Bool
    private var source: (any AudioSource)?
    /// Whether the device has begun.
    private(set) var isListening = false
    private var isClosing = false
    private var isForgotten = false
    private var isRecordingAsked = false

    init(_ devices: HubDevices, isWatching: Bool, endsByItself: Bool) {
        (self.devices, self.isWatching, self.endsByItself) = (devices, isWatching, endsByItself)
    }

    /// Captures until it is closed, or ends by itself.
    func run(_ report: @Sendable (News) async -> Void) async {
        do {
            var capture = try HubCapture(isWatching: isWatching, endsByItself: endsByItself, devices)
            var failure: Problem?
            do { try await listen(&capture, report) } catch {
                // What was said before it broke is an answer all the same.
                failure = Task.isCancelled ? nil : Problem(error)
            }
            await source?.stop()
            await report(.over(isForgotten ? nil : try capture.file(), isForgotten ? nil : failure))
        } catch {
            await report(.over(nil, Problem(error)))
        }
    }

    private func listen(_ capture: inout HubCapture, _ report: @Sendable (News) async -> Void) async throws {
        guard let makeSource = devices.makeSource else {
            throw HubError(.noMicrophone, "There is no microphone; answer with a clip, or by typing.")
        }
        let source = HeldAudioSource.make(try await makeSource(), devices.audio)
        self.source = source
        if isClosing { return }
        let format = try await source.start()
        isListening = true
        var converter = try CaptureConverter(from: format, to: .speech)
        var meter = LevelMeter(format: .speech, ballistics: LevelMeter.Ballistics(window: .milliseconds(50)))
        var waveform = HubWaveform()
        if isClosing { return }
        do {
            for try await event in source.events {
                let bytes = try converter.convert(event)
                if isRecordingAsked { capture.record() }
                for level in meter.process(bytes) { await report(.level(level)) }
                for points in waveform.process(bytes) { await report(.waveform(points)) }
                for news in capture.take(bytes) {
                    switch news {
                    case .interrupted: await report(.interrupted)
                    case .spoke: await report(.spoke)
                    case .ended, .full: return
                    }
                }
            }
        } catch {
            _ = capture.take(converter.finish())
            throw error
        }
        _ = capture.take(converter.finish())
    }

    /// Records from now on.
    func record() { isRecordingAsked = true }

    /// Ends the capture; the recording is reported.
    func finish() async {
        isClosing = true
        await source?.stop()
    }

    /// Ends it, and forgets what was recorded.
    func close() async {
        isForgotten = true
        await finish()
    }
}

extension HubErrorCode {
    /// The client was made without a microphone.
    public static let noMicrophone = HubError.Code(rawValue: "noMicrophone")
}
