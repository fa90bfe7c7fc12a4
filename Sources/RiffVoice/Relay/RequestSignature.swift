// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
public import HTTPTypes
internal import RiffCore

/// The signature of a Riff request, version 1: HMAC-SHA256 (RFC 2104) over the exact bytes of the body, keyed with the
/// secret's raw bytes, as 64 lower-case hexadecimal digits in the field `X-Riff-Secret`.
///
/// Neither path nor query nor time is signed: a request without a body always carries the same signature and can be
/// repeated by whoever saw it. It is for peers that know no other; ``SignedRequestField`` is the one to use.
package struct RequestSignature: Sendable, Hashable {
    /// The value of the field.
    package let value: String

    /// Signs a body; a request without one signs the empty body.
    package init(of body: [UInt8], with secret: RiffSecret) {
        var code = HMAC<SHA256>(key: SymmetricKey(data: secret.key.bytes))
        code.update(data: body)
        value = Self.hex(code.finalize())
    }

    /// Signs a body that comes in pieces.
    package struct Incremental {
        private var code: HMAC<SHA256>

        package init(with secret: RiffSecret) { code = HMAC(key: SymmetricKey(data: secret.key.bytes)) }

        package mutating func update(_ bytes: [UInt8]) { code.update(data: bytes) }

        /// The value of the field for the pieces so far.
        package var value: String { RequestSignature.hex(code.finalize()) }

        /// Whether the pieces so far carry this signature.
        package func isSigned(_ presented: String) -> Bool {
            RequestSignature.matches(presented, value)
        }
    }

    /// Whether a field's value signs a body with a secret; takes the same time whatever differs.
    ///
    /// - Parameters:
    ///   - presented: What came in the field.
    ///   - body: The exact bytes that came.
    ///   - secret: The shared secret.
    /// - Returns: Whether they belong together.
    package static func verify(_ presented: String, body: [UInt8], secret: RiffSecret) -> Bool {
        matches(presented, RequestSignature(of: body, with: secret).value)
    }

    private static func matches(_ presented: String, _ expected: String) -> Bool {
        constantTimeEqual(Array(presented.utf8), Array(expected.utf8))
    }

    private static func hex(_ code: HMAC<SHA256>.MAC) -> String { HexDigits.text(code) }
}

extension HTTPField.Name {
    /// `X-Riff-Secret`: the ``RequestSignature``.
    package static let riffSignature = riff("X-Riff-Secret")
    /// `X-Riff-Device-Id`: which device recorded.
    package static let riffDeviceID = riff("X-Riff-Device-Id")
    /// `X-Riff-Session-Id`: which recording it is.
    package static let riffSessionID = riff("X-Riff-Session-Id")
    /// `X-Riff-Ts`: when it was recorded, in seconds since 1970 with a fraction.
    package static let riffTimestamp = riff("X-Riff-Ts")
    /// `X-Riff-Audio-Format`: `m4a` or `wav`.
    public static let riffAudioFormat = riff("X-Riff-Audio-Format")
    /// `X-Riff-File-Name`: the name that an uploaded file is to have.
    package static let riffFileName = riff("X-Riff-File-Name")

    static func riff(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is a token of RFC 9110") }
        return name
    }
}
