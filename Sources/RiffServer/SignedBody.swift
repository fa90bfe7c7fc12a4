// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffVoice

/// The body of a request whose signature was verified; there is no other way to get at the bytes.
struct SignedBody: Sendable {
    let bytes: [UInt8]

    /// Why a body was refused.
    enum Refusal: Error {
        case unsigned
        case tooLarge
    }

    /// Reads a body to its end, never keeping more than `limit` bytes and one chunk.
    ///
    /// - Throws: ``Refusal``, and what the body's sequence throws.
    static func read(_ request: ServerRequest, secret: RiffSecret, limit: Int) async throws -> SignedBody {
        // Without a signature nothing is read at all.
        guard let presented = request.headerFields[.riffSignature] else { throw Refusal.unsigned }
        if let announced = request.headerFields[.contentLength].flatMap(Int.init), announced > limit {
            throw Refusal.tooLarge
        }
        var bytes: [UInt8] = []
        var signature = RequestSignature.Incremental(with: secret)
        for try await chunk in request.body {
            guard bytes.count + chunk.count <= limit else { throw Refusal.tooLarge }
            signature.update(chunk)
            bytes += chunk
        }
        guard signature.isSigned(presented) else { throw Refusal.unsigned }
        return SignedBody(bytes: bytes)
    }
}
