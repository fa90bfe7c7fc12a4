// Riff
// SPDX-License-Identifier: Apache-2.0

/// What an agent's screen shows, as far as the facts know it.
package struct ScreenReading: Sendable, Hashable {
    /// The composer.
    package enum Composer: Sendable, Hashable {
        /// It is not on the screen.
        case absent
        /// It is empty, or shows a hint only.
        case empty
        /// Text is in it.
        case draft
        /// It takes commands of an editor.
        case commands
    }

    /// The composer.
    package var composer = Composer.absent
    /// The text in it, if it is a draft.
    package var draft = SqueezedText()
    /// Whether that is nothing but the sign for a paste too long to be shown.
    package var isPaste = false
    /// A known question with its options.
    package var question: AgentQuestion?
    /// A known dialog that holds a turn up.
    package var hold: String?
    /// A known dialog or menu.
    package var dialog: String?
    /// Whether options to choose from are shown and there is no composer.
    package var hasOptions = false
    /// Whether it shows that a turn runs.
    package var isWorking = false
    /// Whether it shows that the last turn was interrupted.
    package var isInterrupted = false
    /// Whether the agent does not reach its own server.
    package var hasTrouble = false
    /// Whether the terminal's title says that it waits for an answer. A title proves nothing else: it says idle at
    /// questions, and stays after a kill.
    package var titleWaits = false
    /// Kinds of work in the background.
    package var background: [String] = []

    /// A screen on which nothing is known.
    package init() {}

    /// What it says, in a word or two.
    var word: String {
        if let question { return "question: " + question.tool }
        if let name = hold ?? dialog { return "dialog: " + name }
        if hasTrouble { return "trouble" }
        if titleWaits { return "a title that waits" }
        if hasOptions { return "unknown dialog" }
        return switch composer {
        case .absent: "no composer"
        case .empty: isWorking ? "working" : "composer"
        case .draft: "draft"
        case .commands: "editor"
        }
    }
}
