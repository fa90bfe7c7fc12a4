// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffVoice

/// Decides who may ask: before the body is read where the signature is of version 2, behind it where it is of version
/// 1.
struct RequestVerifier: Sendable {
    /// Why a request was refused.
    enum Refusal: Error {
        case unsigned
        /// Signed in a version that this server does not take.
        case version
        case stale
        case replayed
        case busy
        case tooLarge
    }

    private let secret: RiffSecret
    private let key: RiffSigningKey
    private let allowsV1: Bool
    private let replays: ReplayGuard
    private let wallClock: @Sendable () -> Double

    init(_ configuration: ServerConfiguration, wallClock: @escaping @Sendable () -> Double) {
        secret = configuration.secret
        key = RiffSigningKey(secret)
        allowsV1 = configuration.allowsV1
        replays = ReplayGuard(window: configuration.signatureWindow, begin: wallClock())
        self.wallClock = wallClock
    }

    /// What is known of a request before its body.
    enum Claim {
        /// It comes from who knows the secret, and its body must have this hash.
        case verified(bodyHash: String)
        /// Its body must have this signature.
        case unverified(signature: String)
    }

    /// Looks at a request's head.
    ///
    /// - Throws: ``Refusal``.
    func claim(of request: ServerRequest) throws(Refusal) -> Claim {
        if let value = request.headerFields[.riffSignedRequest] {
            guard let field = SignedRequestField(value), let time = Double(field.timestamp),
                field.signs(request.method, request.target, request.headerFields, with: key)
            else { throw .unsigned }
            switch replays.take(field.nonce, signedAt: time, now: wallClock()) {
            case .fresh: return .verified(bodyHash: field.bodyHash)
            case .stale: throw .stale
            case .replayed: throw .replayed
            case .full: throw .busy
            }
        }
        guard let signature = request.headerFields[.riffSignature] else { throw .unsigned }
        guard allowsV1 else { throw .version }
        return .unverified(signature: signature)
    }

    /// Reads a body to its end, never keeping more than `limit` bytes and one chunk.
    ///
    /// - Throws: ``Refusal``, and what the body's sequence throws.
    func body(of request: ServerRequest, _ claim: Claim, limit: Int) async throws -> SignedBody {
        try SignedBody(try await bytes(of: request, limit: limit), claim, secret: secret)
    }

    /// Reads a body whose signature is not looked at, as ``body(of:_:limit:)`` does.
    func bytes(of request: ServerRequest, limit: Int) async throws -> [UInt8] {
        if let announced = request.headerFields[.contentLength].flatMap(Int.init), announced > limit {
            throw Refusal.tooLarge
        }
        var bytes: [UInt8] = []
        for try await chunk in request.body {
            guard bytes.count + chunk.count <= limit else { throw Refusal.tooLarge }
            bytes += chunk
        }
        return bytes
    }
}

extension RequestVerifier.Refusal {
    /// What a client is told. Only one whose signature is right learns that its clock is not.
    var response: ServerResponse {
        switch self {
        case .unsigned: .unauthorized(nil)
        case .version: .unauthorized("version")
        case .stale: .unauthorized("stale")
        case .replayed: .unauthorized("replayed")
        case .busy: .failure(.serviceUnavailable, "busy", headerFields: [.retryAfter: "2"])
        case .tooLarge: .failure(.contentTooLarge, "body too large")
        }
    }
}

extension ServerResponse {
    /// 401 with the field that RFC 9110 section 11.6.1 wants, which tells the version of signatures and what is wrong.
    fileprivate static func unauthorized(_ reason: String?) -> ServerResponse {
        let challenge = "Riff version=2" + (reason.map { ", error=\($0)" } ?? "")
        return .failure(.unauthorized, "unauthorized", headerFields: [.wwwAuthenticate: challenge])
    }
}
