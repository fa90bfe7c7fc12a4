// Riff
// SPDX-License-Identifier: Apache-2.0

/// A voice that a hub can give to an agent: what its card shows before anybody speaks.
public struct HubVoice: Sendable, Hashable, Identifiable {
    /// Its id on the wire, as in `af_sky`.
    public let id: String
    /// Its name for people.
    public let name: String
    /// Its colour as 0xRRGGBB.
    public let colour: UInt32

    /// A voice.
    public init(id: String, name: String, colour: UInt32) { (self.id, self.name, self.colour) = (id, name, colour) }

    /// The seven voices of the hub, in the order of its grid.
    public static let all: [HubVoice] = [
        HubVoice(id: "af_sky", name: "Sky", colour: 0x3A86FF),
        HubVoice(id: "af_alloy", name: "Alloy", colour: 0xE67E22),
        HubVoice(id: "af_sarah", name: "Sarah", colour: 0xE63946),
        HubVoice(id: "am_adam", name: "Adam", colour: 0x2ECC71),
        HubVoice(id: "am_echo", name: "Echo", colour: 0x9B59B6),
        HubVoice(id: "am_onyx", name: "Onyx", colour: 0x1ABC9C),
        HubVoice(id: "bm_fable", name: "Fable", colour: 0xF1C40F),
    ]

    /// The voice of an id; one that is not known is shown under its id, in grey.
    public static func named(_ id: String) -> HubVoice {
        all.first { $0.id == id } ?? HubVoice(id: id, name: id, colour: 0x8D99AE)
    }

    /// The colour as it stands in style sheets: `#3a86ff`.
    public var hexColour: String {
        let digits = String(colour, radix: 16)
        return "#" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}
