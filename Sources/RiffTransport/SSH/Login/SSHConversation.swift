// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample: display: @escaping @Sendable (String) -> Void, ask: @escaping @Sendable (SSHPrompt) async throws -> Secret
/// A seam: the person in front of an app, as a server speaks to them while it lets them in.
///
/// ```swift
/// struct Dialogs: SSHConversation {
///     let display: @Sendable (String) -> Void
///     let ask: @Sendable (SSHPrompt) async throws -> Secret
///     func show(_ words: SSHServerWords) async { if words.isVerified { display(words.text) } }
///     func answers(to prompts: SSHPrompts) async throws -> [Secret] {
///         display(prompts.instruction)
///         var answers: [Secret] = []
///         for prompt in prompts { answers.append(try await ask(prompt)) }
///         return answers
///     }
/// }
/// ```
///
/// Given to a host as ``SSHHost/Configuration/conversation``. Every text is a stranger's, made harmless to show and not
/// to believe: show which host says it (RFC 4256 section 3.3). Calls come one after another for one connection; a host
/// may be dialed again, or a second time, so that the same may be asked again.
public protocol SSHConversation: Sendable {
    /// Shows words of the server. It returns as soon as they are on their way to the screen, not when the person has
    /// read them: what is asked after them waits for it, the login does not.
    ///
    /// Where the words have a link in them, the host has ``SSHHost/Configuration/personTimeout`` from then on, since a
    /// person may have to sign in on that page.
    ///
    /// - Parameter words: The words.
    func show(_ words: SSHServerWords) async

    /// Answers a round of questions, within ``SSHHost/Configuration/personTimeout``. The task is cancelled when nobody
    /// waits for the answers any more: take the question off the screen.
    ///
    /// - Parameter prompts: The questions.
    /// - Returns: One answer for each prompt, in their order.
    /// - Throws: Whatever says that there is no answer, `CancellationError` for a person who declined; the login is
    ///   then given up with `noUsableCredential`.
    func answers(to prompts: SSHPrompts) async throws -> [Secret]
}
