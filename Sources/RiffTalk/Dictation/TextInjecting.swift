// Riff
// SPDX-License-Identifier: Apache-2.0

/// A seam: takes text into a session as if it had been typed, such as a terminal session.
///
/// To the implementer: the text is what a person said, never keys. Remove control and bidirectional characters
/// before it reaches a terminal. Where `submit` is set, send Return as a write of its own about 0.3 s after the text: a
/// program that takes a burst of input for a paste would otherwise keep the Return as a line break. Throw a `RiffError`
/// where the session is gone, `CancellationError` on cancellation; then no Return follows.
public protocol TextInjecting: Sendable {
    /// Types the text, then submits it if asked; returns when both were handed on.
    func type(_ text: String, submit: Bool) async throws

    /// Types words that a person spoke: the call that dictation and conversations make.
    ///
    /// Whatever leads to a program on a terminal must refuse words that could answer a question there, and say so with
    /// an error. What leads elsewhere need not implement it, and then ``type(_:submit:)`` is called.
    func typeSpoken(_ text: String, submit: Bool) async throws

    /// Whether ``typeSpoken(_:submit:)`` refuses words that could answer a question; `false` unless implemented.
    var guardsQuestions: Bool { get }

    /// The name of what the text goes into, for a person; `nil` unless implemented.
    func destination() async -> String?
}

extension TextInjecting {
    /// Types the text as ``type(_:submit:)`` does.
    public func typeSpoken(_ text: String, submit: Bool) async throws { try await type(text, submit: submit) }

    /// Nothing is refused.
    public var guardsQuestions: Bool { false }

    /// No name is known.
    public func destination() async -> String? { nil }
}
