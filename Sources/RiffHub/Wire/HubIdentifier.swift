// Riff
// SPDX-License-Identifier: Apache-2.0

/// The id of something in a hub, as the hub spells it: any text. Ids of different things are different types.
public struct HubIdentifier<Owner>: RawRepresentable, Sendable, Hashable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    /// The text on the wire.
    public let rawValue: String

    /// Creates an id from its text on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates an id from a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// The text on the wire.
    public var description: String { rawValue }

    /// Whether the hub has told none.
    var isEmpty: Bool { rawValue.isEmpty }
}

extension HubIdentifier<HubSession> {
    /// The key of the session's history and card until the hub tells the session's voice.
    var asVoice: HubVoice.ID { HubVoice.ID(rawValue: rawValue) }
}
