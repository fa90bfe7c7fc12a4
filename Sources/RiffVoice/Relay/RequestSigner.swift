// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

extension RiffClient {
    /// The way that requests to a Riff server are signed.
    public enum SignatureVersion: Sendable, Hashable {
        /// The body alone (``RequestSignature``): for servers that know no other. Whoever saw a request can repeat it.
        case v1
        /// All of a request, with its time and a nonce (``SignedRequestField``).
        case v2
    }
}

/// Signs requests with a secret.
struct RequestSigner: Sendable {
    /// A body that is signed piece by piece.
    enum BodySignature {
        case v1(RequestSignature.Incremental)
        case v2(BodyHash)

        mutating func update(_ bytes: [UInt8]) {
            switch self {
            case .v1(var signature):
                signature.update(bytes)
                self = .v1(signature)
            case .v2(var hash):
                hash.update(bytes)
                self = .v2(hash)
            }
        }
    }

    private let secret: RiffSecret
    private let key: RiffSigningKey
    private let version: RiffClient.SignatureVersion
    private let wallClock: @Sendable () -> Double

    init(
        _ secret: RiffSecret,
        _ version: RiffClient.SignatureVersion,
        _ wallClock: @escaping @Sendable () -> Double
    ) {
        (self.secret, self.version, self.wallClock) = (secret, version, wallClock)
        key = RiffSigningKey(secret)
    }

    /// A signature of a body of which nothing was read yet.
    var bodySignature: BodySignature {
        switch version {
        case .v1: .v1(RequestSignature.Incremental(with: secret))
        case .v2: .v2(BodyHash())
        }
    }

    /// Signs a request whose body was read; all of its other fields must be there.
    func sign(_ request: inout HTTPRequest, of server: HTTPBaseURL, _ body: BodySignature) {
        switch body {
        case .v1(let signature): request.headerFields[.riffSignature] = signature.value
        case .v2(let hash):
            // A proxy that has the server under a path of its own takes that path away.
            let target = String((request.path ?? "/").dropFirst(server.path.count))
            let field = SignedRequestField(signing: request, target: target, body: hash, with: key, at: wallClock())
            request.headerFields[.riffSignedRequest] = field.value
        }
    }

    func sign(_ request: inout HTTPRequest, of server: HTTPBaseURL, body: [UInt8]) {
        var signature = bodySignature
        signature.update(body)
        sign(&request, of: server, signature)
    }
}
