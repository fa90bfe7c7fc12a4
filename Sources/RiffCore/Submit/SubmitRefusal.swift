// Riff
// SPDX-License-Identifier: Apache-2.0

/// A reason why a text was not typed, or Return not pressed.
public struct SubmitRefusal: Sendable, Hashable {
    /// The kind of a reason; gates add kinds.
    public struct Reason: RawRepresentable, Sendable, Hashable {
        /// The kind's name.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A dialog or menu of the program is open; ``SubmitRefusal/name`` is its name, such as `trust`.
        public static let dialog = Reason(rawValue: "dialog")
        /// The program asks a question, which the text would answer; ``SubmitRefusal/name`` is what it asks about.
        public static let question = Reason(rawValue: "question")
        /// A turn runs.
        public static let working = Reason(rawValue: "working")
        /// Other text is in the composer, such as a person's draft.
        public static let draft = Reason(rawValue: "draft")
        /// The text was typed, and the composer does not show it.
        public static let notShown = Reason(rawValue: "notShown")
        /// Return was pressed twice, and the text is still in the composer.
        public static let notTaken = Reason(rawValue: "notTaken")
        /// The text holds nothing to type.
        public static let empty = Reason(rawValue: "empty")
        /// The program has not begun to take input.
        public static let starting = Reason(rawValue: "starting")
        /// The program is over.
        public static let exited = Reason(rawValue: "exited")
        /// The program's state is not known; ``SubmitRefusal/name`` says why.
        public static let unknown = Reason(rawValue: "unknown")
    }

    /// The kind of reason.
    public let reason: Reason
    /// The dialog's name, the question or the reason's own words on one line, at most 200 bytes; empty if there are
    /// none.
    public let name: String

    /// Creates a reason; foreign words become one harmless line.
    public init(_ reason: Reason, name: String = "") {
        self.reason = reason
        self.name = InertText.quote(name, limitBytes: 200)
    }

    /// The reason as a clause for a person, such as `a dialog is open (trust)`.
    public var words: String {
        let quoted = name.isEmpty ? "" : " (\(name))"
        return switch reason {
        case .dialog: "a dialog is open\(quoted)"
        case .question: "a question waits for an answer\(quoted)"
        case .working: "the agent is at work"
        case .draft: "other text stands in its composer"
        case .notShown: "its composer does not show the text"
        case .notTaken: "Return was pressed twice, and the text still stands in its composer"
        case .empty: "there is nothing to type"
        case .starting: "the agent has not started yet"
        case .exited: "the agent is over\(quoted)"
        default: "it is not known whether the agent takes a prompt\(quoted)"
        }
    }
}

/// The outcome of a submission.
public enum SubmitResult: Sendable, Hashable {
    /// The program took the text for a prompt, by its own word.
    case submitted
    /// Return was pressed, and nothing proves what became of the text. Without an adapter for the program this is the
    /// usual result. The reason is one sentence for a person. Look before typing it again.
    case uncertain(String)
    /// The text was not submitted. If `isTyped`, it stands in the composer, as far as it arrived, and Return was not
    /// pressed, or not taken; if not, nothing was typed.
    case refused(SubmitRefusal, isTyped: Bool)
}
