// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension VoiceErrorCode {
    /// The playback could not be started, or broke.
    public static let audioSinkFailed = VoiceError.Code(rawValue: "audioSinkFailed")
    /// A sink was to be started with a format without frames.
    public static let audioSinkHasNoFormat = VoiceError.Code(rawValue: "audioSinkHasNoFormat")
}

extension AudioFormat {
    /// Throws where nothing can be played.
    func checkPlayable() throws(VoiceError) {
        guard sampleRate > 0, channels > 0 else {
            let message = "Audio of \(sampleRate) Hz and \(channels) channels cannot be played."
            throw VoiceError(.audioSinkHasNoFormat, message)
        }
    }

    /// Throws where a frame is cut.
    func checkWhole(_ frames: [UInt8]) throws(CoreError) {
        guard frames.count % bytesPerFrame == 0 else {
            let message = "\(frames.count) bytes are not whole frames of \(bytesPerFrame) bytes."
            throw CoreError(.audioMalformed, message)
        }
    }
}
