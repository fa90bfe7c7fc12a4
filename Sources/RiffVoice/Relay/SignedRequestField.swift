// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
public import HTTPTypes
package import RiffCore

/// The signature of a Riff request, version 2: the value of the field `X-Riff-Signature`,
/// `v2;key=…;ts=…;nonce=…;body=…;mac=…`.
///
/// The code is an HMAC-SHA256 (RFC 2104), keyed with the secret's ``RiffSigningKey``, over these lines, each but the
/// last with a line feed behind it: `RIFF-V2`, the method, the path with its query as it stands in the request line,
/// the key's id, the time in seconds since 1970, the nonce, the SHA-256 of the body, and every other field whose name
/// begins with `X-Riff-`, as `name:value` with the name in lower case, sorted. A server can so refuse a request before
/// it reads the body, a request cannot be turned into another one, and within the time that a server allows, no nonce
/// is taken twice.
public struct SignedRequestField: Sendable, Hashable {
    /// Which key signed: ``RiffSigningKey/id``.
    package let keyID: String
    /// When it was signed, in seconds since 1970, as it was written.
    package let timestamp: String
    /// 32 hexadecimal digits that never come again.
    package let nonce: String
    /// The SHA-256 of the body, in hexadecimal digits.
    package let bodyHash: String
    private let code: String

    /// Signs a request; fields that begin with `X-Riff-` must be there already.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - target: Its path with the query as the server sees it: without the prefix that a proxy takes away.
    ///   - body: The hash of its body.
    ///   - key: What signs.
    ///   - time: Seconds since 1970.
    ///   - nonce: Must never come again.
    package init(
        signing request: HTTPRequest,
        target: String,
        body: BodyHash,
        with key: RiffSigningKey,
        at time: Double,
        nonce: RiffIdentifier = .random()
    ) {
        keyID = key.id
        timestamp = String(Int64(time))
        self.nonce = nonce.text
        bodyHash = body.text
        let parts = [keyID, timestamp, self.nonce, bodyHash]
        code = key.code(of: Self.lines(request.method.rawValue, target, request.headerFields, parts))
    }

    /// Signs a request, for clients that are not ``RiffClient``; fields that begin with `X-Riff-` must be there
    /// already.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - target: Its path with the query as the server sees it: without the prefix that a proxy takes away.
    ///   - body: Its body.
    ///   - key: What signs.
    ///   - time: Seconds since 1970.
    public init(signing request: HTTPRequest, target: String, body: [UInt8], with key: RiffSigningKey, at time: Double)
    {
        self.init(signing: request, target: target, body: BodyHash(body), with: key, at: time)
    }

    /// Reads a field's value; `nil` where it is none of this version.
    package init?(_ value: String) {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
        let names = ["key=", "ts=", "nonce=", "body=", "mac="]
        guard value.utf8.count < 512, parts.count == 6, parts[0] == "v2" else { return nil }
        let values = zip(names, parts.dropFirst()).compactMap { name, part in
            part.hasPrefix(name) ? part.dropFirst(name.count) : nil
        }
        guard values.count == 5, HexDigits.isText(values[0], count: 16), HexDigits.isText(values[2], count: 32),
            HexDigits.isText(values[3], count: 64), HexDigits.isText(values[4], count: 64),
            (1...12).contains(values[1].utf8.count), values[1].utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        (keyID, timestamp, nonce) = (String(values[0]), String(values[1]), String(values[2]))
        (bodyHash, code) = (String(values[3]), String(values[4]))
    }

    /// The field's value.
    public var value: String { "v2;key=\(keyID);ts=\(timestamp);nonce=\(nonce);body=\(bodyHash);mac=\(code)" }

    /// Whether it signs a request with a key; takes the same time whatever differs. What it says of the body, the time
    /// and the nonce is the caller's to check.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - target: Its path with the query, as they stood in the request line.
    ///   - headerFields: Its fields.
    ///   - key: The key.
    /// - Returns: Whether they belong together.
    package func signs(
        _ method: HTTPRequest.Method,
        _ target: String,
        _ headerFields: HTTPFields,
        with key: RiffSigningKey
    ) -> Bool {
        let parts = [keyID, timestamp, nonce, bodyHash]
        let expected = key.code(of: Self.lines(method.rawValue, target, headerFields, parts))
        return constantTimeEqual(Array(code.utf8), Array(expected.utf8)) && keyID == key.id
    }

    private static func lines(
        _ method: String,
        _ target: String,
        _ fields: HTTPFields,
        _ parts: [String]
    ) -> [UInt8] {
        let signed = fields.filter { field in
            field.name.canonicalName.hasPrefix("x-riff-") && field.name != .riffSignature
                && field.name != .riffSignedRequest
        }
        let named = signed.map { "\($0.name.canonicalName):\($0.value)" }.sorted()
        return Array((["RIFF-V2", method, target] + parts + named).joined(separator: "\n").utf8)
    }
}

/// The SHA-256 of a body that may come in pieces.
package struct BodyHash {
    private var hash = SHA256()

    package init(_ bytes: [UInt8] = []) { hash.update(data: bytes) }

    package mutating func update(_ bytes: [UInt8]) { hash.update(data: bytes) }

    /// 64 lower-case hexadecimal digits.
    package var text: String { HexDigits.text(hash.finalize()) }

    /// Whether it is this one.
    package func matches(_ text: String) -> Bool {
        constantTimeEqual(Array(text.utf8), Array(self.text.utf8))
    }
}

extension HTTPField.Name {
    /// `X-Riff-Signature`: the ``SignedRequestField``.
    public static let riffSignedRequest = riff("X-Riff-Signature")
    /// `X-Riff-Conversation-Id`: the conversation that a clip belongs to.
    public static let riffConversationID = riff("X-Riff-Conversation-Id")
}
