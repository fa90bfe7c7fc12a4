// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffVoice

/// A seam: verifies that a prompt comes from the genuine app on a genuine device; on Apple platforms App Attest.
///
/// To the implementer: an attestation is whatever the client sent, and comes before its token was looked at. Throwing
/// refuses the prompt as `false` does, and is reported to the host.
public protocol AttestationVerifier: Sendable {
    /// Whether an attestation was made over ``SvenClient/AttestedPrompt/clientData``, by a device that is trusted.
    func isGenuine(_ attestation: String, of prompt: SvenClient.AttestedPrompt) async throws -> Bool
}
