// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import RiffCore
import RiffHub

/// A card in words and colors, for a terminal.
enum CardText {
    /// The name of a card, in its voice's color, with its marks.
    static func title(_ card: HubCard, place: Int) -> HarmlessText {
        var marks: [String] = []
        if card.unread > 0, !card.isOpen { marks.append("\(card.unread) new") }
        if card.waitingClips > 0 { marks.append("\(card.waitingClips) to hear") }
        if card.waitingAnswers > 0 { marks.append("\(card.waitingAnswers) to send") }
        let dot: HarmlessText = card.hasUnread ? " \(color(0xE63946))●\u{1B}[39m" : ""
        let open: HarmlessText =
            card.isOpen
            ? "\u{1B}[1;4m\(card.voice.name)\u{1B}[22;24m" : "\u{1B}[1m\(card.voice.name)\u{1B}[22m"
        let rest: HarmlessText = marks.isEmpty ? "" : " \(marks.joined(separator: ", "))"
        return
            "\(color(card.voice.color))▌\u{1B}[39m\(place) \(color(card.voice.color))\(open)\u{1B}[39m\(dot)\(rest)"
    }

    /// The activity behind a card, in the state's color.
    static func state(_ card: HubCard) -> HarmlessText {
        "\(color(card.voice.color))▌\u{1B}[39m  \(color(card.stateColor))\(words(card))\u{1B}[39m"
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

    static func color(_ color: UInt32) -> HarmlessText {
        "\u{1B}[38;2;\(color >> 16 & 0xFF);\(color >> 8 & 0xFF);\(color & 0xFF)m"
    }
}
