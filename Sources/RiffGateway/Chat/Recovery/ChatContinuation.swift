// Riff
// SPDX-License-Identifier: Apache-2.0

// sample: reply: ChatReply, original: ChatRequest, piece: String
/// Asks for the rest of an answer that was cut off, and puts both parts together.
///
/// Gateways cannot resume a stream. The model is shown what came, and asked to begin with the last words of it and to
/// go on from there; these words are then dropped again. A model that only goes on is understood too. What it says is
/// taken for a repetition only where it begins with the words that were asked for, with more of the end, or with three
/// words and more of their own end: the one text that loses something is one that goes on with the words that it was
/// cut behind, said by a model that did not do as it was asked. Where it may be either, all is kept, and ``doubt`` says
/// so.
///
/// ```swift
/// var continuation = ChatContinuation(of: reply.content)
/// let request = continuation.request(after: original)
/// var text = continuation.text
/// // For each piece of content of the second reply:
/// text += continuation.append(piece)
/// // At its end:
/// text += continuation.finish()
/// ```
///
/// Calls of tools that were cut off are not resumed: the model makes them again.
public struct ChatContinuation: Sendable {
    /// The most characters (Unicode scalars) that a second part may repeat.
    package static let longestOverlap = 200

    /// What is asked for where the answer was cut off.
    package static let standardInstruction = """
        Your last message was cut off by a lost connection. Write only the rest of it. Begin with its last words, \
        exactly as they stand between the marks, and go on from there as if nothing had happened. Do not begin anew, \
        and do not mention the interruption.
        """

    /// The text before the cut, which stays. Empty where fewer than 40 characters (Unicode scalars) came: no words of
    /// them can be found again for sure, and the whole answer is asked for instead.
    public let text: String
    /// The last words of it, with which the model is asked to begin.
    public let anchor: String
    /// Words of the end of ``text`` that the second part began with, though not as it was asked to, so that they may
    /// stand twice; `nil` where there are none, or nothing came yet. Nothing was taken away for them.
    public var doubt: String? { decided?.doubt }
    private var seam: ChatSeam?
    /// The seam when it is decided.
    private var decided: ChatSeam?

    /// A continuation of a text.
    ///
    /// - Parameter text: All of the answer that came; may be empty.
    public init(of text: String) {
        seam = ChatSeam(after: text)
        self.text = seam == nil ? "" : text
        anchor = seam?.anchor ?? ""
    }

    /// The request for the rest.
    ///
    /// - Parameters:
    ///   - original: The request that the answer was given to.
    ///   - instruction: The words that ask the model for the rest; the last words of the answer follow them.
    /// - Returns: The same request with the answer so far and the instruction behind it; unchanged where ``text`` is
    ///   empty.
    public func request(
        after original: ChatRequest,
        instruction: String? = nil
    ) -> ChatRequest {
        guard !text.isEmpty else { return original }
        var request = original
        request.messages += [.assistant(text), .user("\(instruction ?? Self.standardInstruction)\n<<<\(anchor)>>>")]
        return request
    }

    /// Takes a piece of the second part.
    ///
    /// - Parameter piece: The next piece of its content.
    /// - Returns: What to add to ``text`` and what was returned before. While the piece may be a repetition, nothing.
    public mutating func append(_ piece: String) -> String {
        guard seam != nil else {
            decided?.watch(piece)
            return piece
        }
        seam?.append(piece)
        guard let rest = seam?.decide(isEnd: false) else { return "" }
        decided = seam?.watching
        seam = nil
        return rest
    }

    /// Ends the second part.
    ///
    /// - Returns: What to add at last.
    public mutating func finish() -> String {
        let rest = seam?.decide(isEnd: true) ?? ""
        if let seam { decided = seam.watching }
        seam = nil
        return rest
    }
}
