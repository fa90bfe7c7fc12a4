// Riff
// SPDX-License-Identifier: Apache-2.0

extension SvenClient {
    /// The contents that a device vouches for: one prompt, and no other.
    public struct AttestedPrompt: Sendable, Hashable {
        /// The prompt, as it is sent.
        public let transcript: String
        /// The prompt's own id; with it, an assertion cannot be used for the same words again.
        public let messageID: String?

        /// A prompt to vouch for.
        package init(transcript: String, messageID: String?) {
            self.transcript = transcript
            self.messageID = messageID
        }

        /// The bytes that an assertion is made over: the id (or nothing), a line feed, the prompt, in UTF-8.
        ///
        /// No public Sven server verifies attestations, so that this is Riff's own choice.
        package var clientData: [UInt8] { Array((messageID ?? "").utf8) + [0x0A] + Array(transcript.utf8) }
    }
}

/// A seam: proves that a prompt comes from the genuine app on a genuine device; on Apple platforms with App Attest.
///
/// To the implementer: return within a few seconds, and throw where the device has no such service or refuses. The
/// assertion is sent as it is; App Attest's is binary, so that it is given in base64.
public protocol AttestationProvider: Sendable {
    /// Makes an assertion over ``SvenClient/AttestedPrompt/clientData``.
    func assertion(for prompt: SvenClient.AttestedPrompt) async throws -> String
}
