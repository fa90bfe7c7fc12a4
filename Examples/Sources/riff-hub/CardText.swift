// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub

/// A card in words and colours, for a terminal.
enum CardText {
    /// The name of a card, in its voice's colour, with its marks.
    static func title(_ card: HubCard, place: Int) -> String {
        let name = InertText.line(card.voice.name)
        var marks: [String] = []
        if card.unread > 0, !card.isOpen { marks.append("\(card.unread) new") }
        if card.waitingClips > 0 { marks.append("\(card.waitingClips) to hear") }
        if card.waitingAnswers > 0 { marks.append("\(card.waitingAnswers) to send") }
        let dot = card.hasUnread ? " \(colour(0xE63946))●\u{1B}[39m" : ""
        let open = card.isOpen ? "\u{1B}[1;4m\(name)\u{1B}[22;24m" : "\u{1B}[1m\(name)\u{1B}[22m"
        let rest = marks.isEmpty ? "" : " \(marks.joined(separator: ", "))"
        return
            "\(colour(card.voice.colour))▌\u{1B}[39m\(place) \(colour(card.voice.colour))\(open)\u{1B}[39m\(dot)\(rest)"
    }

    /// What is going on behind a card, in the state's colour.
    static func state(_ card: HubCard) -> String {
        "\(colour(card.voice.colour))▌\u{1B}[39m  \(colour(card.stateColour))\(words(card))\u{1B}[39m"
    }

    /// What is going on behind a card.
    static func words(_ card: HubCard) -> String {
        if let failure = card.failure, card.session == nil { return "! \(InertText.line(failure.message))" }
        let label = InertText.line(card.label)
        switch card.state {
        case .inactive: return "No session"
        case .listening: return "Listening · \(card.isPending && !card.isOpen ? "Waits for you" : label)"
        case .idle: return label.isEmpty ? "Idle" : label
        default: return label
        }
    }

    static func colour(_ colour: UInt32) -> String {
        "\u{1B}[38;2;\(colour >> 16 & 0xFF);\(colour >> 8 & 0xFF);\(colour & 0xFF)m"
    }
}
