// Riff
// SPDX-License-Identifier: Apache-2.0

/// A voice that a hub can give to an agent: what its card shows before anybody speaks.
public struct HubVoice: Sendable, Hashable, Identifiable {
    /// The id of a voice.
    public typealias ID = HubIdentifier<HubVoice>

    /// Its id on the wire, as in `af_sky`.
    public let id: ID
    /// Its name for people.
    public let name: String
    /// Its color as 0xRRGGBB.
    public let color: UInt32

    /// Creates a voice.
    package init(id: ID, name: String, color: UInt32) { (self.id, self.name, self.color) = (id, name, color) }

    /// The seven voices of the hub, in the order of its grid.
    public static let all: [HubVoice] = [
        HubVoice(id: "af_sky", name: "Sky", color: 0x3A86FF),
        HubVoice(id: "af_alloy", name: "Alloy", color: 0xE67E22),
        HubVoice(id: "af_sarah", name: "Sarah", color: 0xE63946),
        HubVoice(id: "am_adam", name: "Adam", color: 0x2ECC71),
        HubVoice(id: "am_echo", name: "Echo", color: 0x9B59B6),
        HubVoice(id: "am_onyx", name: "Onyx", color: 0x1ABC9C),
        HubVoice(id: "bm_fable", name: "Fable", color: 0xF1C40F),
    ]

    private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    /// One of the seven; `nil` for any other id.
    static func known(_ id: ID) -> HubVoice? { byID[id] }

    private static let bySession = Dictionary(
        uniqueKeysWithValues: all.map { (HubSession.ID(rawValue: "voice-\($0.name.lowercased())"), $0) }
    )

    /// The one of the seven that a session's id names, as hubs since 43321fe give them: `voice-sky`.
    static func named(by session: HubSession.ID) -> HubVoice? { bySession[session] }

    /// The voice of an id; one that is not known is shown under its id, in gray.
    public static func named(_ id: ID) -> HubVoice {
        known(id) ?? HubVoice(id: id, name: id.rawValue, color: 0x8D99AE)
    }

    /// The color as it is written in style sheets: `#3a86ff`.
    package var hexColor: String {
        let digits = String(color, radix: 16)
        return "#" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}
