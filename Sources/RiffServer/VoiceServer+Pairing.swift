// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffVoice

extension VoiceServer {
    /// `POST /riff/pair`: `{"device_id", "key", "proof"}`, the one request that is not signed. Everything that is wrong
    /// with it is answered alike, also that no window is open.
    func pair(_ request: ServerRequest) async throws -> ServerResponse {
        // Nobody makes this server read while there is nothing to win.
        guard let pairing, pairing.isOpen, !secret.isPlaceholder else {
            return RequestVerifier.Refusal.unsigned.response
        }
        let bytes = try await inTime { [verifier] in
            try await verifier.bytes(of: request, limit: RiffContract.messageLimitBytes)
        }
        guard let asked = Self.object(bytes).flatMap({ PairingAgreement.Request(json: .object($0)) }) else {
            return .failure(.badRequest, "bad body")
        }
        guard let code = pairing.redeem(where: asked.isProof) else {
            return RequestVerifier.Refusal.unsigned.response
        }
        guard let answer = PairingAgreement.Answer(sealing: secret.key, for: asked, code: code) else {
            return .failure(.badRequest, "bad body")
        }
        return .json(answer.json)
    }
}
