// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Something that happened in a session, at a moment of its record.
public struct RecordMark: Sendable, Hashable, Codable {
    /// The open set of kinds.
    public struct Kind: RawRepresentable, Sendable, Hashable, Codable {
        /// The name itself.
        public let rawValue: String
        /// Creates a kind from its name, also from a name that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The agent has another state; the text is its name.
        public static let state = Kind(rawValue: "state")
        /// The agent asks; the text is the question.
        public static let question = Kind(rawValue: "question")
        /// A question is over; the text is the answer, or empty if it is not known.
        public static let answer = Kind(rawValue: "answer")
        /// A turn is done.
        public static let turnDone = Kind(rawValue: "turnDone")
        /// A turn failed or was interrupted; the text says why.
        public static let turnFailed = Kind(rawValue: "turnFailed")
        /// Nothing is known of what happened before it; the text says how much is missing.
        public static let gap = Kind(rawValue: "gap")
    }

    /// The time, in seconds since 1970.
    public var time: Double
    /// The kind of mark.
    public var kind: Kind
    /// The text of the mark.
    public var text: String

    /// Creates a mark.
    public init(time: Double, kind: Kind, text: String = "") {
        self.time = time
        self.kind = kind
        self.text = text
    }

    /// The label in a cast: the kind and the words.
    package var label: String { text.isEmpty ? kind.rawValue : "\(kind.rawValue): \(text)" }

    /// Reads a label of a cast.
    package init(time: Double, label: String) {
        let parts = label.split(byte: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let text = parts.count > 1 ? parts[1] : ""
        let words = text.hasPrefix(bytes: " ") ? text.dropFirst() : text
        self.init(time: time, kind: Kind(rawValue: String(parts.first ?? "")), text: String(words))
    }
}
