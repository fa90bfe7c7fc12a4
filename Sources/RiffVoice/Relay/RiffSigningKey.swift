// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import RiffCore

/// The key with which a secret signs requests in version 2: a key of its own, so that no signature of version 1 is one
/// of these.
public struct RiffSigningKey: Sendable, Hashable {
    /// Which key it is, for a server that knows several: 16 lower-case hexadecimal digits that tell nothing of the
    /// secret.
    package let id: String
    private let bytes: Secret

    /// The key of a secret.
    public init(_ secret: RiffSecret) {
        func derive(_ label: String) -> HMAC<SHA256>.MAC {
            HMAC<SHA256>.authenticationCode(
                for: Array(label.utf8),
                using: SymmetricKey(data: secret.key.bytes)
            )
        }
        id = HexDigits.text(derive("riff-key-id").prefix(8))
        bytes = Secret(Array(derive("riff-signature-v2")))
    }

    func code(of text: [UInt8]) -> String {
        HexDigits.text(HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: bytes.bytes)))
    }
}
