// Riff
// SPDX-License-Identifier: Apache-2.0

/// Asks for the rest of an answer that was cut off, and puts both parts together.
///
/// Gateways cannot resume a stream. The model is shown what came, and asked to begin with the last words of it and to
/// go on from there; these words are then dropped again. It makes the seam sure: a model that only goes on may begin
/// with the word in which it was cut, or with the next one, and nothing tells which.
///
/// ```swift
/// var continuation = ChatContinuation(of: reply.content)
/// let request = continuation.request(after: original)
/// // For each piece of content of the second reply:
/// text += continuation.append(piece)
/// // At its end:
/// text += continuation.finish()
/// ```
///
/// Calls of tools that were cut off are not resumed: the model makes them again.
public struct ChatContinuation: Sendable {
    /// The most characters (Unicode scalars) that a second part may repeat.
    public static let longestOverlap = 200

    /// What is asked for where the answer was cut off.
    public static let standardInstruction = """
        Your last message was cut off by a lost connection. Write only the rest of it. Begin with its last words, \
        exactly as they stand between the marks, and go on from there as if nothing had happened. Do not begin anew, \
        and do not mention the interruption.
        """

    /// What came before the cut.
    public let text: String
    /// The last words of it, with which the model is asked to begin.
    public let anchor: String
    private var seam: ChatSeam?

    /// A continuation of a text.
    ///
    /// - Parameter text: All of the answer that came; may be empty, and then the whole answer is asked for again.
    public init(of text: String) {
        self.text = text
        let tail = Array(text.unicodeScalars.suffix(Self.longestOverlap))
        let words = ChatSeam.anchor(in: tail)
        anchor = String(String.UnicodeScalarView(words))
        seam = tail.isEmpty ? nil : ChatSeam(tail: tail, anchorCount: words.count)
    }

    /// The request for the rest.
    ///
    /// - Parameters:
    ///   - original: The request that the answer was given to.
    ///   - instruction: What is asked of the model; the last words follow it.
    /// - Returns: The same request with the answer so far and the instruction behind it; unchanged where nothing came.
    public func request(
        after original: ChatRequest,
        instruction: String = Self.standardInstruction
    ) -> ChatRequest {
        guard !text.isEmpty else { return original }
        var request = original
        request.messages += [.assistant(text), .user("\(instruction)\n<<<\(anchor)>>>")]
        return request
    }

    /// Takes a piece of the second part.
    ///
    /// - Parameter piece: The next piece of its content.
    /// - Returns: What to add to ``text`` and what was returned before. While the piece may be a repetition, nothing.
    public mutating func append(_ piece: String) -> String {
        guard seam != nil else { return piece }
        seam?.append(piece)
        guard let rest = seam?.decide(isEnd: false) else { return "" }
        seam = nil
        return rest
    }

    /// Ends the second part.
    ///
    /// - Returns: What to add at last.
    public mutating func finish() -> String {
        defer { seam = nil }
        return seam?.decide(isEnd: true) ?? ""
    }
}
