// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffVoice

/// The body of a request whose signature was verified; there is no other way to get at the bytes.
struct SignedBody: Sendable {
    let bytes: [UInt8]

    /// - Throws: `RequestVerifier.Refusal` with `unsigned` where the bytes are not those that were signed.
    init(_ bytes: [UInt8], _ claim: RequestVerifier.Claim, secret: RiffSecret) throws(RequestVerifier.Refusal) {
        let isSigned =
            switch claim {
            case .verified(let hash): BodyHash(bytes).matches(hash)
            case .unverified(let signature): RequestSignature.verify(signature, body: bytes, secret: secret)
            }
        guard isSigned else { throw .unsigned }
        self.bytes = bytes
    }
}
