// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The error of RiffVoice: speech could not be captured, brought to a server, recognized or spoken.
public typealias VoiceError = DomainError<VoiceErrorCode>

/// The codes of ``VoiceError``.
public struct VoiceErrorCode: ErrorCode {
    /// `voice`.
    public static let domain = "voice"
    /// The name itself.
    public let rawValue: String

    /// Creates a code from its name, also from a name that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }
}
