// Riff
// SPDX-License-Identifier: Apache-2.0

/// A prompt that a server hands on to its agent.
public struct SvenPrompt: Sendable, Hashable {
    /// The server's id of it, a UUID; it is the id of the message too.
    public let id: String
    /// What was said, without white space around it. It was spoken or typed elsewhere: give it to the agent as text,
    /// and to a terminal only through a `TextInjecting`, which lets no key pass.
    public let text: String
    /// Who sent it.
    public let device: DeviceLedger.Device

    /// A prompt; for tests.
    package init(id: String, text: String, device: DeviceLedger.Device) {
        self.id = id
        self.text = text
        self.device = device
    }
}

/// A seam: hands a prompt to the agent.
///
/// To the implementer: return when the agent has it, and do not wait for its answer; that goes into a
/// ``SvenConversation``. End soon after cancellation, which comes after 30 s or when the client has gone. Throw only
/// where the agent does not have the prompt: the same prompt may then be handed on again.
public typealias PromptSink = @Sendable (SvenPrompt) async throws -> Void
