// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension VoiceErrorCode {
    /// The capture could not be started, or broke.
    public static let audioSourceFailed = VoiceError.Code(rawValue: "audioSourceFailed")
    /// The source says a format without frames, as a device does whose route was just lost.
    public static let audioSourceHasNoFormat = VoiceError.Code(rawValue: "audioSourceHasNoFormat")
    /// A person has not allowed the microphone or the speech recognizer; the recovery names the setting.
    public static let permissionRequired = VoiceError.Code(rawValue: "permissionRequired")
}

/// Something that a person must allow before speech can be recorded or recognized; an open set.
public struct Permission: RawRepresentable, Sendable, Hashable {
    /// The name itself, also the name in `Recovery.openSettings`.
    public let rawValue: String

    /// Any name, also one this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Recording sound.
    public static let microphone = Permission(rawValue: "microphone")
    /// The platform's speech recognizer.
    public static let speechRecognition = Permission(rawValue: "speechRecognition")
}

extension VoiceError {
    /// Returns the error for a permission that the user has not given: a source throws it from `start` instead of
    /// recording silence.
    public static func permissionRequired(missing permission: Permission) -> VoiceError {
        VoiceError(
            .permissionRequired,
            "The permission \"\(permission.rawValue)\" is missing; allow it in the settings, then record again.",
            recovery: .openSettings(SettingName(rawValue: permission.rawValue))
        )
    }

    /// The permission that is missing, where that is the error.
    package var missingPermission: Permission? {
        code == .permissionRequired ? recovery?.detail.map(Permission.init) : nil
    }
}

extension AudioFormat {
    /// Throws where a device says a format without frames, at the start or after a change.
    package func checkCaptured() throws(VoiceError) {
        guard sampleRate > 0, channels > 0 else {
            let message = "The audio source says \(sampleRate) Hz and \(channels) channels; record again."
            throw VoiceError(.audioSourceHasNoFormat, message, recovery: .retry)
        }
    }
}
