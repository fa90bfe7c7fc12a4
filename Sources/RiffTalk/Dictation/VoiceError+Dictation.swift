// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffVoice

extension VoiceError {
    /// A recording that was as long as can be kept.
    static func recordingLimitReached(_ duration: Duration) -> VoiceError {
        let minutes = duration.components.seconds / 60
        return VoiceError(
            .recordingLimitReached,
            "The recording reached its limit after \(minutes) min; say the rest again."
        )
    }
}

extension VoiceErrorCode {
    /// The recording was ended at the most bytes that are kept; what came before was used.
    public static let recordingLimitReached = VoiceError.Code(rawValue: "recordingLimitReached")
}
