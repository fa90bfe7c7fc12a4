// Riff
// SPDX-License-Identifier: Apache-2.0

/// The id of something in a hub, as the hub spells it: any text, compared by its bytes. Ids of different things are
/// different types.
public struct HubIdentifier<Owner>: RawRepresentable, Sendable, Hashable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    /// The text on the wire.
    public let rawValue: String

    /// Creates an id from its text on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates an id from a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// Whether both are spelled alike, byte for byte: a hub tells apart what is written in two ways.
    public static func == (left: HubIdentifier, right: HubIdentifier) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    // Without it, `!=` is that of raw values, which compares texts as people read them.
    /// Whether they differ in any byte.
    public static func != (left: HubIdentifier, right: HubIdentifier) -> Bool { !(left == right) }

    /// Feeds the bytes of the text into a hasher.
    public func hash(into hasher: inout Hasher) {
        var text = rawValue
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }

    /// Whether the bytes of the first one come before those of the second one.
    package static func precedes(_ first: HubIdentifier, _ second: HubIdentifier) -> Bool {
        first.rawValue.utf8.lexicographicallyPrecedes(second.rawValue.utf8)
    }

    /// The text on the wire.
    public var description: String { rawValue }

    /// Whether the hub has told none.
    var isEmpty: Bool { rawValue.isEmpty }
}

extension HubIdentifier<HubSession> {
    /// The key of the session's history and card until the hub tells the session's voice.
    var asVoice: HubVoice.ID { HubVoice.ID(rawValue: rawValue) }
}
