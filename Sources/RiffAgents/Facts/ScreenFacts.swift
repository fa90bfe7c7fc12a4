// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The words of an agent's screen.
package struct ScreenFacts: Sendable, Hashable {
    /// A text and what it means.
    package struct Sign: Sendable, Hashable {
        /// Its meaning, in one word.
        package let word: String
        /// The text, a part of one row.
        package let text: String
    }

    /// The look of a composer.
    package struct Composer: Sendable, Hashable {
        /// The sign at the beginning of its first row.
        package let sign: String
        /// The characters of its upper and its lower rule; empty if it has none.
        package let rule: String
        /// Texts of which a row beneath it has to contain one, which tells that a session exists; empty if no row has
        /// to.
        package let footers: [String]
        /// Texts of a row beneath it in modes in which letters are commands.
        package let modes: [String]
        /// The sign for rows of it that do not fit the screen: in its upper rule, or at the end of its first row; empty
        /// if there is none.
        package let scrolled: String
        /// Beginnings of the signs that stand in it for a paste too long to be shown; each ends with a bracket.
        package let pastes: [String]
    }

    /// Which keys give an answer.
    package enum AnswerKeys: String, Sendable, Hashable { case none, numbers, brackets }

    /// The keys that give an answer at once: the numbers before the answers, or what is in brackets after them.
    package var answerKeys = AnswerKeys.none
    /// The composer; `nil` if none is known, and then the agent is never ready.
    package var composer: Composer?
    /// The signs before the chosen one of several options.
    package var pointers: [String] = []
    /// Texts of questions in the middle of a turn. The word is the tool, or `?` if the title above tells it.
    package var questions: [Sign] = []
    /// Titles of questions, and the tool that each is about.
    package var titles: [Sign] = []
    /// Texts of dialogs and menus, and their names.
    package var dialogs: [Sign] = []
    /// Texts of dialogs that hold a turn up, and their names.
    package var holds: [Sign] = []
    /// Texts that are shown while a turn runs.
    package var working: [Sign] = []
    /// Texts that are shown after a turn was interrupted.
    package var interrupted: [Sign] = []
    /// Texts about work in the background, and its kind.
    package var background: [Sign] = []
    /// Texts that say that the agent does not reach its own server.
    package var trouble: [Sign] = []
    /// Beginnings of the terminal's title while it waits for an answer.
    package var waitingTitles: [Sign] = []
    /// Marks before and after a command that is asked about.
    package var subjectRule = ""
    /// The text before a command that is asked about, or before the name of a file.
    package var subjectMarks: [String] = []
    /// Answers that allow what is asked about once, and nothing more, as they are shown.
    package var allowing: [String] = []
    /// Whether Escape denies what is asked about.
    package var deniesByEscape = false
}
