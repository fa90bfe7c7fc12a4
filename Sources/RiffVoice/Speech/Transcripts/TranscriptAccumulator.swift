// Riff
// SPDX-License-Identifier: Apache-2.0

// sample: line: TranscriptLine
/// One transcript made of versions of lines: a value, in which a pause overwrites nothing.
///
/// Lines stand in the order in which they first appeared. A version replaces the one before it; a complete line is
/// replaced only by a later complete version, and an empty text replaces no other.
///
/// ```swift
/// var transcript = TranscriptAccumulator()
/// transcript.update(line)
/// print(transcript.text)
/// ```
public struct TranscriptAccumulator: Sendable, Hashable {
    /// The effect of a version on the transcript.
    public enum Change: Sendable, Hashable {
        /// Its line is new; it may be complete at once.
        case started
        /// Its line has another text.
        case textChanged
        /// Its line is complete, whether or not the text is another one too.
        case completed
        /// Nothing that is read: the same text, an empty one, or a version that came too late.
        case none
    }

    /// A place in a transcript, to ask later what is new since then.
    package struct Mark: Sendable, Hashable {
        /// The number of words that each line had; those that were complete have an end.
        fileprivate let words: [Int?]

        /// The beginning of any transcript.
        package static let beginning = Mark(words: [])
    }

    /// The newest version of each line, in order of first appearance.
    public private(set) var lines: [TranscriptLine] = []
    private var places: [TranscriptLine.ID: Int] = [:]

    /// Creates an empty transcript.
    public init() {}

    /// Applies a version of a line.
    ///
    /// - Returns: The change that it made.
    @discardableResult
    public mutating func update(_ line: TranscriptLine) -> Change {
        guard let place = places[line.id] else {
            places[line.id] = lines.count
            lines.append(line)
            return .started
        }
        let old = lines[place]
        guard line.isComplete || !old.isComplete else { return .none }
        lines[place] = line
        if line.isBlank { lines[place].text = old.text }
        if line.isComplete, !old.isComplete { return .completed }
        return lines[place].text == old.text ? .none : .textChanged
    }

    /// The version of a line that counts; `nil` for a line that never appeared.
    package subscript(id: TranscriptLine.ID) -> TranscriptLine? { places[id].map { lines[$0] } }

    /// All lines that have a text, joined by spaces.
    public var text: String { TranscriptAccumulator.joined(lines) }

    /// The complete lines that have a text, joined by spaces.
    public var completedText: String { TranscriptAccumulator.joined(lines.filter(\.isComplete)) }

    /// Whether every line is complete.
    package var isComplete: Bool { lines.allSatisfy(\.isComplete) }

    /// The place that the transcript is at now.
    package var mark: Mark { Mark(words: lines.map { $0.isComplete ? nil : $0.words.count }) }

    /// Returns the text that came since a mark of this transcript: the lines that began after it, and of a line that
    /// was open then the words beyond as many as it had. Changes before the mark are not in it: the text has been used
    /// as it was.
    ///
    /// - Returns: The words, joined by spaces; empty where nothing came.
    package func text(since mark: Mark) -> String {
        let open = zip(lines, mark.words).compactMap { line, count in
            count.map { line.words.dropFirst($0).joined(separator: " ") }
        }
        let begun = TranscriptAccumulator.joined(Array(lines.dropFirst(mark.words.count)))
        return (open + [begun]).filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func joined(_ lines: [TranscriptLine]) -> String {
        lines.filter { !$0.isBlank }.map(\.text).joined(separator: " ")
    }
}

extension TranscriptLine {
    /// Whether it holds nothing but white space.
    package var isBlank: Bool { text.allSatisfy(\.isWhitespace) }

    fileprivate var words: [Substring] { text.split(whereSeparator: \.isWhitespace) }
}
