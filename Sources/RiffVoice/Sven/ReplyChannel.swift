// Riff
// SPDX-License-Identifier: Apache-2.0

extension SvenClient {
    /// The way that the answer to a prompt comes back.
    public enum ReplyChannel: Sendable, Hashable {
        /// Not through the server: by SMS, or in the terminal where the agent runs.
        case none
        /// In the server's messages, which are asked for (``SvenReplies``).
        case messages
    }
}
