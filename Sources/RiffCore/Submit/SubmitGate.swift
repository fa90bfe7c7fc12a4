// Riff
// SPDX-License-Identifier: Apache-2.0

/// A seam: decides whether Return may be pressed after a text, for every Return that Riff sends on a person's behalf:
/// dictation, a conversation, a prompt from a queue. Keys that a person presses are not asked about.
///
/// To the implementer: the one question is asked before the text is typed, before Return, and after it, for the same
/// submission. Answer as soon as the answer is known, and at the end of the limit at the latest; a limit of zero asks
/// for what holds at this moment. While the limit is not zero other input may pass. Say `proceed` only if what was seen
/// of the program proves that the next write is taken for a prompt. Throw nothing but `CancellationError`.
public protocol SubmitGate: Sendable {
    /// Decides about the next write of a submission.
    ///
    /// - Parameters:
    ///   - submission: The text; the same value for all questions about it.
    ///   - step: The last thing that was written of it.
    ///   - limit: How long the answer may take.
    /// - Returns: The decision.
    /// - Throws: `CancellationError`.
    func decide(
        _ submission: Submission,
        after step: SubmitStep,
        within limit: Duration
    ) async throws -> SubmitDecision
}

/// A text that is typed into a program to be submitted with Return.
public struct Submission: Sendable, Hashable, Identifiable {
    /// A number that no other submission of this process has, but by a chance of 2^-64.
    public let id: UInt64
    /// The text as it is typed, without control characters.
    public let text: String

    /// Creates a submission of a text that was made harmless.
    package init(_ text: String, id: UInt64 = .random(in: 0 ... .max)) {
        self.id = id
        self.text = text
    }
}

/// The last thing that was written of a submission.
public enum SubmitStep: Sendable, Hashable {
    /// Nothing was written. `proceed` has the text typed.
    case untyped
    /// The text was written, and no Return. `proceed` has Return pressed.
    case typed
    /// Return was pressed so many times, from 1. `proceed` has it pressed again, which happens once at most.
    case pressed(Int)
}

/// The answer of a gate.
public enum SubmitDecision: Sendable, Hashable {
    /// The next write may go out.
    case proceed
    /// It may not.
    case refuse(SubmitRefusal)
    /// The program has taken the text for a prompt: it said so.
    case submitted
    /// Return was pressed, and nothing proves what became of the text; the reason is one sentence for a person. Nothing
    /// more is pressed.
    case uncertain(String)
}
