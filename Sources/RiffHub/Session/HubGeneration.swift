// Riff
// SPDX-License-Identifier: Apache-2.0

/// The protocol that a ClawMux hub speaks, named by a commit. An open set, in order of age.
public struct HubGeneration: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The commit's short name.
    public let rawValue: String

    /// Any commit, also one this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// 2026-02-19: voices only; `listening` every 5 seconds.
    public static let first = HubGeneration(rawValue: "10ee349")
    /// 2026-03-01: words with times, typed text, interjections, counted unread messages.
    public static let words = HubGeneration(rawValue: "43321fe")
    /// 2026-03-06: states, message ids, inboxes; `listening` once.
    public static let inbox = HubGeneration(rawValue: "279d9d6")
    /// 2026-03-24: histories in pages.
    package static let paged = HubGeneration(rawValue: "378cd2a")
    /// 2026-05-02: another protocol altogether (`/ws/chat`), which is not spoken here.
    public static let chat = HubGeneration(rawValue: "0f4ce3d")

    private static let order: [HubGeneration] = [.first, .words, .inbox, .paged, .chat]

    /// The features of a hub of this age; none beyond the first one's if the generation is not known.
    package var features: HubFeatures {
        let age = Self.order.firstIndex(of: self) ?? 0
        var features: HubFeatures = []
        if age >= 1 { features.formUnion([.typedText, .unreadCounts, .speech, .usage]) }
        if age >= 2 { features.formUnion([.states, .acknowledgements]) }
        if age >= 3 { features.insert(.historyPages) }
        return features
    }

    /// Whether this one is the older of two.
    func isOlder(than other: HubGeneration) -> Bool {
        (Self.order.firstIndex(of: self) ?? 0) < (Self.order.firstIndex(of: other) ?? 0)
    }

    /// The commit's name.
    public var description: String { rawValue }
}

/// The features that hubs have, by their age.
package struct HubFeatures: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    package let rawValue: Int

    /// A set of these bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Answers and interjections in writing.
    package static let typedText = HubFeatures(rawValue: 1)
    /// The hub counts unread messages.
    package static let unreadCounts = HubFeatures(rawValue: 2)
    /// `/api/transcribe` and `/api/tts`.
    package static let speech = HubFeatures(rawValue: 4)
    /// `/api/usage`.
    package static let usage = HubFeatures(rawValue: 8)
    /// Sessions have a `state`, and `listening` comes once.
    package static let states = HubFeatures(rawValue: 16)
    /// `user_ack`.
    package static let acknowledgements = HubFeatures(rawValue: 32)
    /// Histories in pages.
    package static let historyPages = HubFeatures(rawValue: 64)
}
