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
}
