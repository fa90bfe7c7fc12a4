// Riff
// SPDX-License-Identifier: Apache-2.0

/// The way that an agent answers (from 43321fe on). An open set.
public struct HubMode: RawRepresentable, Sendable, Hashable {
    /// The word on the wire.
    public let rawValue: String

    /// Any mode, also one this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// By voice.
    public static let voice = HubMode(rawValue: "voice")
    /// In writing.
    public static let text = HubMode(rawValue: "text")
}
